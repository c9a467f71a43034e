"""Run notebooks from top to bottom: ``python tools/notebooks.py FOLDER…``.

Exits with 1 and one line for each notebook in which a cell fails.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def failure(path: Path) -> str | None:
    """Return what is wrong with a notebook, or None."""
    notebook = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": folder}})
        client.extra_arguments = ["--log-level=ERROR"]
        try:
            client.execute()
        except CellExecutionError as error:
            return str(error)
    return None


def main(folders: list[str]) -> int:
    """Run every notebook of the folders."""
    paths = sorted(path for folder in folders for path in Path(folder).rglob("*.ipynb"))
    wrong = 0
    for path in paths:
        start = perf_counter()
        found = failure(path)
        print(f"{path.name}: {found or f'runs in {perf_counter() - start:.0f} s'}", flush=True)
        wrong += found is not None
    if not paths:
        print(f"{', '.join(folders)}: there are no notebooks")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
