"""The bytes of a file or of the standard input: all of them, bounded, or an error."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from typing import IO, TYPE_CHECKING

from cutwise.errors import TableError
from cutwise.table.reading import limits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STANDARD_INPUT = "-"
_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20


def read_content(path: str | Path, name: str) -> bytes:
    """Return what a file holds, expanded if it is compressed with gzip.

    Parameters
    ----------
    path : str or Path
        The file, or "-" for the standard input.
    name : str
        What to call it in messages.
    """
    try:
        if str(path) == STANDARD_INPUT:
            content = _bounded(sys.stdin.buffer, name)
        else:
            with open(path, "rb") as file:  # noqa: PTH123  # a path may be a text
                content = _bounded(file, name)
    except FileNotFoundError:
        message = f"There is no {name}. Check its name and its folder."
        raise TableError(message) from None
    except IsADirectoryError:
        message = f"The {name} is a folder. Name a file in it."
        raise TableError(message) from None
    except (OSError, ValueError) as error:
        if isinstance(error, TableError):
            raise
        reason = getattr(error, "strerror", None) or error
        message = f"The {name} cannot be read: {reason}. Check its name and its permissions."
        raise TableError(message) from None
    return expanded(content, name) if content.startswith(_GZIP) else content


def expanded(content: bytes, name: str) -> bytes:
    """Return what compressed bytes expand to; none of it is kept before all of it is known to be little enough."""
    n_bytes = 0
    for chunk in _expanded_chunks(content, name):
        n_bytes += len(chunk)
        if n_bytes > max(limits.FREE_BYTES, limits.MAX_RATIO * len(content)):
            message = f"The {name} expands more than {limits.MAX_RATIO} times. Unpack it first if you trust it."
            raise TableError(message)
        _check_size(n_bytes, name)
    return b"".join(_expanded_chunks(content, name))


def _expanded_chunks(content: bytes, name: str) -> Iterator[bytes]:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except (EOFError, OSError, zlib.error) as error:
        message = f"The {name} is compressed and damaged: {error}. Make it again."
        raise TableError(message) from None


def _bounded(file: IO[bytes], name: str) -> bytes:
    chunks: list[bytes] = []
    n_bytes = 0
    while chunk := file.read(_CHUNK):
        chunks.append(chunk)
        n_bytes += len(chunk)
        _check_size(n_bytes, name)
    return b"".join(chunks)


def _check_size(n_bytes: int, name: str) -> None:
    if n_bytes > limits.MAX_BYTES:
        message = (
            f"The {name} has more than {limits.MAX_BYTES >> 20:,} MiB. "
            "Take part of its rows or columns, or read it in Python."
        )
        raise TableError(message)
