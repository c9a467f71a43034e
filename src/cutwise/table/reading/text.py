"""Text files: their lines, decoded one at a time, and numbers as files write them."""

from __future__ import annotations

import codecs
import io
import math
import re
from typing import TYPE_CHECKING

from cutwise.errors import TableError
from cutwise.table.reading import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_INFINITE = {"inf": math.inf, "infinity": math.inf}
_LONGEST = 400


def read_number(text: str) -> float | None:
    """Return the finite number that a string is, None if it is none.

    Examples
    --------
    >>> read_number("-1.5e3"), read_number("1_000"), read_number("1e999")
    (-1500.0, None, None)
    """
    number = float(text) if len(text) <= _LONGEST and NUMBER.fullmatch(text) else math.nan
    return number if math.isfinite(number) else None


def read_any_number(text: str) -> float | None:
    """Return the number that a string is, infinities among them; None if it is none.

    Examples
    --------
    >>> read_any_number("-inf"), read_any_number("1e999"), read_any_number("nan")
    (-inf, inf, None)
    """
    if NUMBER.fullmatch(text):
        return float(text)
    size = _INFINITE.get(text.lstrip("+-").lower())
    if size is None or len(text) - len(text.lstrip("+-")) > 1:
        return None
    return -size if text.startswith("-") else size


_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def text_lines(content: bytes, encoding: str, name: str) -> Iterator[str]:
    """Yield the lines of a file with their ends.

    Parameters
    ----------
    content : bytes
    encoding : str
        Where it is UTF-8, a byte order mark at the beginning is dropped.
    name : str
        What to call the file in messages.
    """
    codec = _codec(content, encoding, name)
    lines = io.TextIOWrapper(io.BytesIO(content), codec, newline="")
    number = 0
    try:
        while line := lines.readline(settings.MAX_LINE + 1):
            number += 1
            if len(line) > settings.MAX_LINE:
                message = f"The {name}, line {number}, has more than {settings.MAX_LINE:,} characters. Is it a table?"
                raise TableError(message)
            if "\0" in line:
                message = f"The {name}, line {number}, holds a NUL character. Is it a text file? If so, remove it."
                raise TableError(message)
            yield line
    except UnicodeError:
        raise TableError(_undecodable(content, codec, name)) from None


def known_codec(encoding: str) -> str:
    """Return the usual name of an encoding; raise TableError if there is none of that name."""
    try:
        found = codecs.lookup(encoding)
        "".encode(encoding)
    except (LookupError, ValueError):
        message = f"There is no encoding {encoding!r}. Usual ones are utf-8, utf-16, latin-1 and cp1252."
        raise TableError(message) from None
    return found.name


def _codec(content: bytes, encoding: str, name: str) -> str:
    """Return the name of a codec that drops the mark of UTF-8."""
    found = known_codec(encoding)
    if found != "utf-8":
        return found
    for mark, other in _MARKS.items():
        if content.startswith(mark):
            raise TableError(f"The {name} begins like {other.upper()} (byte 0), not UTF-8. Set encoding='{other}'.")
    return "utf-8-sig"


def _undecodable(content: bytes, codec: str, name: str) -> str:
    """Return where the first byte is that the codec does not know."""
    place, byte = 0, b""
    try:
        content.decode(codec)
    except UnicodeDecodeError as error:
        place, byte = error.start, content[error.start : error.start + 1]
    except UnicodeError:
        pass
    shown = codec.removesuffix("-sig")
    value = f" (0x{byte.hex()})" if byte else ""
    hint = "Set its encoding, such as encoding='cp1252'." if shown == "utf-8" else "Set another encoding."
    return f"The {name} is not {shown.upper()}: byte {place:,}{value} is wrong. {hint}"
