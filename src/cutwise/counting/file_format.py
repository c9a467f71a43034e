"""Counts as a file: a line of JSON, the arrays, and a checksum.

Version 1. The first line says what the file is; the second is JSON with the labels and the
shapes of the arrays; then come the arrays as little-endian numbers of 8 bytes each, and at the
end the SHA-256 of all that. The reader takes nothing else: whatever is wrong, it raises
CountsError, and it allocates no more than the file is long.
"""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counting.columns import ExactCounts, GridCounts, NominalCounts
from cutwise.counting.rules import check_counts, require
from cutwise.counting.table_counts import TableCounts
from cutwise.errors import CountsError, SchemeError
from cutwise.scheme.json_format import parse_json, readable_json

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from cutwise.counting.columns import ColumnCounts

MAGIC = b"cutwise counts\n"
VERSION = 1
DIGEST = 32
_HEADER_KEYS = ("version", "target", "classes", "parts", "n_rows", "columns")
# Written only where rows have weights.
_RECORDS = "n_records"
_NUMERIC_KEYS = ("name", "kind", "size")
_COLUMN_KEYS = {"exact": _NUMERIC_KEYS, "grid": _NUMERIC_KEYS, "nominal": (*_NUMERIC_KEYS, "categories")}
# The arrays of doubles that come before the counts; of a grid there is one edge less than cells.
_DOUBLES = {"exact": ("values",), "grid": ("edges", "lows", "highs"), "nominal": ()}
_CLASSES = {"exact": ExactCounts, "grid": GridCounts, "nominal": NominalCounts}


def to_bytes(counts: TableCounts) -> bytes:
    """Return the counts as a file holds them."""
    header = {
        "version": VERSION,
        "target": counts.target,
        "classes": list(counts.classes),
        "parts": list(counts.parts),
        "n_rows": counts.n_rows,
        "columns": [_described(column) for column in counts.columns],
        **({} if counts.n_records is None else {_RECORDS: counts.n_records}),
    }
    check_counts(counts)
    try:
        text = readable_json(header, "the description of the counts", "With fewer categories it is smaller.")
    except SchemeError as error:
        raise CountsError(str(error)) from None
    pieces = [MAGIC, text.encode()]
    for column in counts.columns:
        pieces += [getattr(column, name).astype("<f8").tobytes() for name in _DOUBLES[column.kind]]
        pieces += [array.astype("<i8").tobytes() for array in (column.by_class, column.by_part)]
    content = b"".join(pieces)
    return content + hashlib.sha256(content).digest()


def _described(column: ColumnCounts) -> dict[str, Any]:
    described: dict[str, Any] = {"name": column.name, "kind": column.kind, "size": column.by_class.shape[0] - 1}
    if isinstance(column, NominalCounts):
        described["categories"] = list(column.categories)
    return described


def read_file(path: Path) -> TableCounts:
    """Return the counts that a file holds."""
    try:
        return from_bytes(path.read_bytes())
    except CountsError as error:
        message = f"{path}: {error}"
        raise CountsError(message) from None


def from_bytes(content: bytes) -> TableCounts:
    """Return the counts that a file holds, after a check of all of it."""
    require(content.startswith(MAGIC), "This is no file of counts.")
    body, digest = content[:-DIGEST], content[-DIGEST:]
    end = body.find(b"\n", len(MAGIC))
    intact = end > 0 and hashlib.sha256(body).digest() == digest
    require(intact, "The file is damaged: its checksum does not match. Count the rows again.")
    header = _read_header(body[len(MAGIC) : end])
    arrays = _Arrays(body[end + 1 :])
    columns = tuple(_read_column(data, header, arrays) for data in header["columns"])
    require(arrays.is_at_end, "The file is longer than its arrays.")
    labels = tuple(header["classes"]), tuple(header["parts"])
    counts = TableCounts(header["target"], *labels, header["n_rows"], columns, header.get(_RECORDS))
    check_counts(counts)
    return counts


def _read_header(text: bytes) -> dict[str, Any]:
    try:
        header = parse_json(text)
    except SchemeError as error:
        message = f"The header cannot be read: {error}"
        raise CountsError(message) from None
    header = _as_object(header, None, "The header")
    version = header.get("version")
    known = type(version) is int and version == VERSION
    require(known, f"Version {version!r} of the format is unknown; this library reads version {VERSION}.")
    _as_object(header, (*_HEADER_KEYS, _RECORDS) if _RECORDS in header else _HEADER_KEYS, "The header")
    for key in ("classes", "parts", "columns"):
        require(isinstance(header[key], list), f"{key!r} must be a list.")
    return header


def _as_object(data: object, keys: tuple[str, ...] | None, where: str) -> dict[str, Any]:
    """Return a dict, and check that it has just these keys."""
    if not isinstance(data, dict):
        message = f"{where} must be an object."
        raise CountsError(message)
    require(keys is None or set(data) == set(keys), f"{where} must have the keys {', '.join(keys or ())}.")
    return data


def _read_column(data: object, header: dict[str, Any], arrays: _Arrays) -> ColumnCounts:
    kind = _as_object(data, None, "A column").get("kind")
    require(isinstance(kind, str) and kind in _COLUMN_KEYS, f"A column has the unknown kind {kind!r}.")
    column = _as_object(data, _COLUMN_KEYS[str(kind)], "A column")
    size = column["size"]
    require(type(size) is int and 0 <= size < 1 << 40, f"A column has the size {size!r}.")
    found: dict[str, Any] = {"name": column["name"]}
    for name in _DOUBLES[str(kind)]:
        found[name] = arrays.take("<f8", (size - 1 if name == "edges" else size,))
    for name, labels in (("by_class", header["classes"]), ("by_part", header["parts"])):
        found[name] = arrays.take("<i8", (size + 1, len(labels)))
    if kind == "nominal":
        require(isinstance(column["categories"], list), "'categories' must be a list.")
        found["categories"] = tuple(column["categories"])
    made: ColumnCounts = _CLASSES[str(kind)](**found)
    return made


class _Arrays:
    """The arrays of a file, one after the other."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def take(self, kind: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """Return the next array."""
        size = math.prod(shape) * 8
        enough = min(shape) >= 0 and self._at + size <= len(self._content)
        require(enough, "The file is shorter than its arrays.")
        flat = np.frombuffer(self._content, dtype=kind, count=size // 8, offset=self._at)
        self._at += size
        return flat.reshape(shape).astype(np.float64 if kind == "<f8" else np.int64)

    @property
    def is_at_end(self) -> bool:
        """Whether all bytes were read."""
        return self._at == len(self._content)
