"""Write what a package answered, with its version, to a JSON file that the tests read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.oracles.data import all_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.oracles.data import Table

    # Returns the cuts of each column.
    Answer = Callable[[Table], dict[str, list[float]]]

FOLDER = Path(__file__).parents[2] / "tests" / "oracles"


def store(file: str, about: dict[str, str], answer: Answer) -> None:
    """Ask for the cuts of every table; doubles are written with all their digits."""
    tables = all_tables()
    outputs = {table.name: answer(table) for table in tables}
    fingerprints = {table.name: table.fingerprint for table in tables}
    text = json.dumps({**about, "command": "make oracles", "fingerprints": fingerprints, "outputs": outputs}, indent=1)
    path = FOLDER / file
    path.write_text(on_one_line(text) + "\n", encoding="utf-8")
    n_cuts = sum(len(cuts) for columns in outputs.values() for cuts in columns.values())
    n_columns = sum(len(columns) for columns in outputs.values())
    print(f"{path}: {n_cuts} cuts of {n_columns} columns in {len(tables)} tables")


def on_one_line(text: str) -> str:
    """Write each list on a line of its own."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if inside:
            lines[-1] += line.strip()
        else:
            lines.append(line)
        inside = (inside or line.endswith("[")) and not line.rstrip(",").endswith("]")
        if inside and line.endswith(","):
            lines[-1] += " "
    return "\n".join(lines)
