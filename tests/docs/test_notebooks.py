"""The notebooks of the guides have all of their examples, and nothing that leads nowhere."""

from __future__ import annotations

import ast
import doctest
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
GUIDES = sorted((DOCS / "guide").glob("*.md"))
NOTEBOOK_OF = runpy.run_path(str(DOCS / "make_notebooks.py"))["notebook_of"]

PAGE = """# A page

Text with [a link](../which.md) and [another](https://example.org).

![A picture](picture.svg)

```python
>>> a = 1
>>> for b in range(2):
...     print(b)
0
1
>>> a + 1
2
>>> c = 3

```

    cutwise fit data.csv

The end.
"""


def sources(page, kind):
    return [cell["source"] for cell in NOTEBOOK_OF(page)["cells"] if cell["cell_type"] == kind]


def test_a_cell_ends_where_something_is_shown():
    assert sources(PAGE, "code") == ["a = 1\nfor b in range(2):\n    print(b)", "a + 1", "c = 3"]


def test_text_keeps_links_to_elsewhere_only():
    text = "# A page\n\nText with a link and [another](https://example.org)."
    assert sources(PAGE, "markdown") == [text, "    cutwise fit data.csv\n\nThe end."]


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_a_guide_is_there_as_a_whole(path):
    page = path.read_text(encoding="utf-8")
    programs = sources(page, "code")
    examples = doctest.DocTestParser().get_examples(page)
    wanted = ast.parse("".join(example.source for example in examples))
    assert ast.dump(ast.parse("\n".join(programs))) == ast.dump(wanted)
    assert not any(">>>" in text or "](../" in text for text in sources(page, "markdown"))
