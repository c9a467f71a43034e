"""The picture of the page about MDmD."""

from __future__ import annotations

import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

FOLDER = Path(__file__).parents[2] / "docs"


def test_the_picture_is_up_to_date():
    made = runpy.run_path(str(FOLDER / "make_mdmd_picture.py"))["picture"]()
    assert (FOLDER / "mdmd.svg").read_text(encoding="utf-8") == made + "\n"
    texts = [element.text for element in ET.fromstring(made).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314
    assert "cuts: 1 in x0, 1 in x1, 0 in the noise" in texts
