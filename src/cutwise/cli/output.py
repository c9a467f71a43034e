"""What commands print, and the files that they read models from and write results to."""

from __future__ import annotations

import dis
import json
import math
import os
import re
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cutwise.errors import CutwiseError
from cutwise.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cutwise.scheme import Scheme


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
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cutwise.scheme.text import shown

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
        # joblib keeps what happened in a thread as a string.
        return _RAISED.search(str(error.__cause__)) is not None
    modules = []
    while trace is not None:
        modules.append(trace.tb_frame.f_globals.get("__name__", ""))
        innermost, trace = trace, trace.tb_next
    if not _CHECKS.isdisjoint(modules):
        return True
    step = dis.opname[innermost.tb_frame.f_code.co_code[innermost.tb_lasti]]
    return step in _RAISES and modules[-1].partition(".")[0] in _LIBRARIES


_SETTING = r"(format|encoding|delimiter|decimal|weights|missing|place|monotonic)"
_TRANSLATIONS = (
    (re.compile(rf"\b{_SETTING}='([^']*)'"), r"--\1 \2"),
    (re.compile(rf"\b([Ss]et) {_SETTING}\b"), r"\1 --\2"),
    (re.compile(r"\bby=\(column, '[^']*'\)"), "--date COLUMN"),
    (re.compile(r"\b([Ss]et) 'max_categories'"), r"\1 -p max_categories=50, say,"),
    (re.compile(r"cutwise\.paper\.datasets\.fetch\('([^']*)'\)"), r"cutwise datasets fetch \1"),
    (re.compile(r"cutwise\.paper\.datasets\.fetch\b"), "`cutwise datasets fetch`"),
    (re.compile(r"cutwise\.paper\.datasets\.names\(\)"), "cutwise datasets list"),
)


def in_options(message: str) -> str:
    """Return a message of the library with the options and commands that stand for what it names.

    Examples
    --------
    >>> in_options("The file is not UTF-8. Set encoding='cp1252'.")
    'The file is not UTF-8. Set --encoding cp1252.'
    """
    for pattern, words in _TRANSLATIONS:
        message = pattern.sub(words, message)
    return message


def show_error(error: BaseException) -> None:
    """Write an error as one sentence, after its traceback if that is asked for."""
    _show_trace(error)
    sys.stderr.write(f"cutwise: {in_options(str(error))}\n")


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


STANDARD = "-"
JSON_ENDS, PAGE_ENDS = (".json",), (".html", ".htm")
MOST_BYTES = 1 << 27


def read_scheme_or_model(path: Path) -> Any:
    """Return the Scheme or the fitted model that a JSON file holds; its content tells which."""
    from cutwise.persist import model_from_json
    from cutwise.persist.strict import parse_json
    from cutwise.scheme import Scheme

    content = _read(path)
    try:
        data = parse_json(content)
        if isinstance(data, dict) and data.get("format") == "cutwise model":
            return model_from_json(content)
        return Scheme.from_dict(data)
    except CutwiseError as error:
        message = f"The file {str(path)!r}: {error}"
        raise type(error)(message) from None


def read_scheme(path: Path) -> Scheme:
    """Return the scheme of a file, or that of the model in it."""
    return scheme_of(read_scheme_or_model(path), path)


def columns_of_model(model: Any) -> Scheme:
    """Return a scheme that has the columns of a model, or raise if it takes codes."""
    members = getattr(model, "members_", ())
    scheme: Scheme | None = members[0].scheme if members else getattr(model, "scheme_", None)
    if scheme is None:
        raise CutwiseError(
            f"A {type(model).__name__} takes codes, not raw tables. Use a model that `cutwise fit --model` wrote."
        )
    return scheme


def scheme_of(found: Any, path: Path) -> Scheme:
    """Return a scheme that was read from a file, or that of a model."""
    from cutwise.scheme import Scheme

    scheme = found if isinstance(found, Scheme) else getattr(found, "scheme_", None)
    if not isinstance(scheme, Scheme):
        message = f"The model in {str(path)!r}, a {type(found).__name__}, has no scheme. Name the file of a scheme."
        raise CutwiseError(message)
    return scheme


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        message = f"There is no file {str(path)!r}. `cutwise fit` writes schemes (-o) and models (--model)."
        raise CutwiseError(message) from None
    except OSError as error:
        message = f"The file {str(path)!r} cannot be read: {error.strerror}. Check its name and its permissions."
        raise CutwiseError(message) from None
    if len(content) > MOST_BYTES:
        raise CutwiseError(f"The file {str(path)!r} is too large for a scheme or a model. Name another file.")
    return content


def check_outputs(inputs: Iterable[Path | None], outputs: Iterable[Path | None]) -> None:
    """Raise CutwiseError if a result would replace what is read, or another result."""
    taken = {_place(path): path for path in inputs if path is not None and str(path) != STANDARD}
    for path in outputs:
        if path is None:
            continue
        if str(path) != STANDARD and _place(path) in taken:
            raise CutwiseError(f"The file {str(path)!r} is used twice: a result would replace it. Name another file.")
        if str(path) == STANDARD and STANDARD in map(str, taken.values()):
            raise CutwiseError("Two results cannot both go to the standard output. Name a file for one of them.")
        if str(path) != STANDARD and not path.parent.is_dir():
            raise CutwiseError(f"There is no folder {str(path.parent)!r} for {path.name!r}. Make it, or name another.")
        taken[_place(path)] = path


def check_end(path: Path | None, ends: tuple[str, ...], what: str) -> None:
    """Raise CutwiseError if the end of a file's name, if it has one, is not that of what will be written."""
    if path is None or str(path) == STANDARD or path.suffix.lower() in ("", *ends):
        return
    raise CutwiseError(
        f"Wrong file extension: {str(path)!r}. {what.capitalize()} is written as {' or '.join(ends)}. "
        f"Name it {path.stem + ends[0]!r}."
    )


def write_result(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, or print to the standard output."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    if str(path) == STANDARD:
        out = typer.get_binary_stream("stdout")
        out.write(data)
        out.flush()
        return
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # such as /dev/null, which must not be replaced
        else:
            write_whole(path.resolve(), data)
    except OSError as error:
        message = f"The file {str(path)!r} cannot be written: {error.strerror or error}. Name another file."
        raise CutwiseError(message) from None


def _place(path: Path) -> str:
    return STANDARD if str(path) == STANDARD else str(Path(path).resolve())
