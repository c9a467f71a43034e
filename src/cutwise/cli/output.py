"""What commands print: tables for people, JSON for programs."""

from __future__ import annotations

import dis
import json
import math
import os
import re
import sys
import traceback
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

    from cutwise.scheme.text import shown  # noqa: PLC0415

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


DEBUG = "CUTWISE_DEBUG"
"""The variable of the environment that asks for tracebacks."""

_RAISED = re.compile(r'[/\\](cutwise|sklearn)[/\\][^"\n]*", line \d+, in \w+\n *raise (?!.*\n *File ")', re.DOTALL)
_RAISES = {"RAISE_VARARGS", "RERAISE"}
_LIBRARIES = {"cutwise", "sklearn"}
_CHECKS = {"sklearn.utils.validation", "sklearn.utils.multiclass", "sklearn.utils._param_validation"}


def is_meant_for_people(error: BaseException) -> bool:
    """Return whether a check of the library or of scikit-learn raised an error on purpose.

    An error that an operation gives, such as numpy's about shapes, was foreseen by nobody.
    """
    trace = error.__traceback__
    if trace is None:
        return False
    if type(error.__cause__).__name__ == "_RemoteTraceback":
        # joblib keeps what happened in a thread as a text.
        return _RAISED.search(str(error.__cause__)) is not None
    modules = []
    while trace is not None:
        modules.append(trace.tb_frame.f_globals.get("__name__", ""))
        innermost, trace = trace, trace.tb_next
    if not _CHECKS.isdisjoint(modules):
        return True
    step = dis.opname[innermost.tb_frame.f_code.co_code[innermost.tb_lasti]]
    return step in _RAISES and modules[-1].partition(".")[0] in _LIBRARIES


def show_error(error: BaseException) -> None:
    """Write an error as one sentence, after its traceback if that is asked for."""
    _show_trace(error)
    sys.stderr.write(f"cutwise: {error}\n")


def show_fault(error: BaseException) -> None:
    """Write that the program is at fault, what happened where, and how to report it."""
    _show_trace(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""  # noqa: PTH119
    what = " ".join(f"{type(error).__name__}: {error}".removesuffix(": ").split())
    sys.stderr.write(
        f"cutwise: This is a fault of cutwise and not yours: {what}{place}.\n"
        f"Please report it: what you typed, and what it prints with {DEBUG}=1 in front.\n"
    )


def _show_trace(error: BaseException) -> None:
    if os.environ.get(DEBUG, "") not in {"", "0"}:
        sys.stderr.write("".join(traceback.format_exception(error)))
