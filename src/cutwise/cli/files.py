"""The files that commands read models from and write results to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cutwise.errors import CutwiseError
from cutwise.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutwise.scheme import Scheme

STANDARD = "-"
JSON_ENDS, PAGE_ENDS = (".json",), (".html", ".htm")
MOST_BYTES = 1 << 27


def read_scheme_or_model(path: Path) -> Any:
    """Return the Scheme or the fitted model that a JSON file holds; its content tells which."""
    from cutwise.persist import model_from_json  # noqa: PLC0415  # the command line starts without it
    from cutwise.persist.strict import parse_json  # noqa: PLC0415
    from cutwise.scheme import Scheme  # noqa: PLC0415

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
    from cutwise.scheme import Scheme  # noqa: PLC0415  # the command line starts without it

    found = read_scheme_or_model(path)
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
        message = f"The file {str(path)!r} is too large for a scheme or a model. Name another file."
        raise CutwiseError(message)
    return content


def check_outputs(inputs: Iterable[Path | None], outputs: Iterable[Path | None]) -> None:
    """Raise CutwiseError if a result would replace what is read, or another result."""
    taken = {_place(path): path for path in inputs if path is not None and str(path) != STANDARD}
    for path in outputs:
        if path is None:
            continue
        if str(path) != STANDARD and _place(path) in taken:
            message = f"The file {str(path)!r} is used twice: a result would replace it. Name another file."
            raise CutwiseError(message)
        if str(path) == STANDARD and STANDARD in map(str, taken.values()):
            message = "Two results cannot both go to the standard output. Name a file for one of them."
            raise CutwiseError(message)
        if str(path) != STANDARD and not path.parent.is_dir():
            message = f"There is no folder {str(path.parent)!r} for {path.name!r}. Make it, or name another."
            raise CutwiseError(message)
        taken[_place(path)] = path


def check_end(path: Path | None, ends: tuple[str, ...], what: str) -> None:
    """Raise CutwiseError if the end of a file's name, if it has one, is not that of what will be written."""
    if path is None or str(path) == STANDARD or path.suffix.lower() in ("", *ends):
        return
    message = (
        f"The end of {str(path)!r} is not that of {what}, which is written as {' or '.join(ends)}. "
        f"Name it {path.stem + ends[0]!r}."
    )
    raise CutwiseError(message)


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
