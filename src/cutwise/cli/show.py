"""What commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence


def write_json(data: object) -> None:
    """Print data as JSON; NaN and infinities, which JSON does not have, become null."""
    typer.echo(json.dumps(_finite(data), indent=1))


def write_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[str] = ()) -> None:
    """Print a table.

    Parameters
    ----------
    title : str
    head : sequence of str
        The names of the columns.
    rows : sequence of sequence of str
        Control characters in them are made visible.
    numbers : sequence of str
        The columns that are set to the right.
    """
    from rich.console import Console  # noqa: PLC0415  # the command line starts without it
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from cutwise.scheme.visible import shown  # noqa: PLC0415

    table = Table(title=Text(shown(title)), title_justify="left")
    for name in head:
        table.add_column(name, overflow="fold", justify="right" if name in numbers else "left")
    for row in rows:
        table.add_row(*(Text(shown(cell)) for cell in row))
    Console(markup=False, highlight=False, emoji=False).print(table)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
