"""The stored files of every version: tools/golden.py adds a folder with each."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

FOLDER = Path(__file__).parent
VERSIONS = sorted(FOLDER.glob("v*"))
TOOLS = FOLDER.parent.parent / "tools"


def load_tool(name="golden"):
    """Return a program of the folder tools; unless it is named, the one that makes the files."""
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def files(kind):
    """Return the paths of all stored files of a kind, of every version."""
    return [path for folder in VERSIONS for path in sorted((folder / kind).iterdir())]


def content_of(folder, name):
    return json.loads((folder / f"{name}.json").read_text())


def name_of(path):
    return f"{path.relative_to(FOLDER).parts[0]}-{path.stem}"
