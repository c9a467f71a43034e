"""Make notebooks of the guides: their text, and their examples as cells to run."""

from __future__ import annotations

import json
import re
from doctest import DocTestParser
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXAMPLES = re.compile(r"^```python\n(>>> .*?)^```\n", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)]*\)")
PICTURE = re.compile(r"^!\[.*\n", re.MULTILINE)


def text_of(part: str) -> str:
    """Return the text of a page without pictures and without links to other pages: they are not beside the notebook."""
    return LINK.sub(r"\1", PICTURE.sub("", part)).strip("\n")


def programs_of(block: str) -> Iterator[str]:
    """Yield the programs of a block of examples: each ends with a line that shows something, or with the block."""
    lines = ""
    for example in DocTestParser().get_examples(block):
        lines += example.source
        if example.want:
            yield lines.strip()
            lines = ""
    if lines:
        yield lines.strip()


def cells_of(page: str) -> Iterator[dict[str, Any]]:
    """Yield the cells of a page, text and code."""
    for place, part in enumerate(EXAMPLES.split(page)):
        if place % 2:
            for source in programs_of(part):
                yield {"cell_type": "code", "execution_count": None, "outputs": [], "source": source}
        elif text := text_of(part):
            yield {"cell_type": "markdown", "source": text}


def notebook_of(page: str) -> dict[str, Any]:
    """Return the notebook of a page, in version 4.5 of the format."""
    cells = [cell | {"id": f"cell-{number}", "metadata": {}} for number, cell in enumerate(cells_of(page))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def write_notebook(page: Path, path: Path) -> None:
    """Write the notebook of a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(notebook_of(page.read_text(encoding="utf-8")), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
