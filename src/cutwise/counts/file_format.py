"""Counts as a file: a line of JSON, the arrays, and a checksum.

Version 1. The first line says what the file is; the second is JSON with the labels and the
shapes of the arrays; then come the arrays as little-endian numbers of 8 bytes each, and at the
end the SHA-256 of all that. The reader takes nothing else: whatever is wrong, it raises
CountsError, and it allocates no more than the file is long.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts.mergeable import ExactCounts, GridCounts, NominalCounts, kind_of_labels
from cutwise.counts.table_counts import MOST_ROWS, TableCounts
from cutwise.errors import CountsError
from cutwise.persist.strict import (
    as_dict,
    as_list,
    as_object,
    as_variant,
    parse_json,
    readable_json,
    refused_as,
    require,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from cutwise.counts.mergeable import MergeableCounts


MAGIC = b"cutwise counts\n"
VERSION = 1
DIGEST = 32
_HEADER_KEYS = ("version", "target", "classes", "parts", "n_rows", "columns")
# Written only where rows have weights.
_RECORDS = "n_records"
_NUMERIC_KEYS = ("name", "size")
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
    with refused_as(CountsError):
        text = readable_json(header, "the description of the counts", "With fewer categories it is smaller.")
    pieces = [MAGIC, text.encode()]
    for column in counts.columns:
        pieces += [getattr(column, name).astype("<f8").tobytes() for name in _DOUBLES[column.kind]]
        pieces += [array.astype("<i8").tobytes() for array in (column.by_class, column.by_part)]
    content = b"".join(pieces)
    return content + hashlib.sha256(content).digest()


def _described(column: MergeableCounts) -> dict[str, Any]:
    described: dict[str, Any] = {"name": column.name, "kind": column.kind, "size": column.by_class.shape[0] - 1}
    if isinstance(column, NominalCounts):
        described["categories"] = list(column.categories)
    return described


def read_file(path: Path) -> TableCounts:
    """Return the counts that a file holds."""
    with refused_as(CountsError, f"{path}: "):
        return from_bytes(path.read_bytes())


@refused_as(CountsError)
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
    with refused_as(CountsError, "The header cannot be read: "):
        header = as_dict(parse_json(text), "The header")
    version = header.get("version")
    known = type(version) is int and version == VERSION
    require(known, f"Version {version!r} of the format is unknown; this library reads version {VERSION}.")
    as_object(header, (*_HEADER_KEYS, _RECORDS) if _RECORDS in header else _HEADER_KEYS, "The header")
    for key in ("classes", "parts", "columns"):
        as_list(header[key], repr(key))
    return header


def _read_column(data: object, header: dict[str, Any], arrays: _Arrays) -> MergeableCounts:
    column = as_variant(data, _COLUMN_KEYS, "A column")
    kind = column["kind"]
    size = column["size"]
    require(type(size) is int and 0 <= size < 1 << 40, f"A column has the size {size!r}.")
    found: dict[str, Any] = {"name": column["name"]}
    for name in _DOUBLES[kind]:
        found[name] = arrays.take("<f8", (size - 1 if name == "edges" else size,))
    for name, labels in (("by_class", header["classes"]), ("by_part", header["parts"])):
        found[name] = arrays.take("<i8", (size + 1, len(labels)))
    if kind == "nominal":
        found["categories"] = tuple(as_list(column["categories"], "'categories'"))
    made: MergeableCounts = _CLASSES[kind](**found)
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


@refused_as(CountsError)
def check_counts(counts: TableCounts) -> None:
    """Raise CountsError if counts contradict themselves."""
    n_rows = counts.n_rows
    require(type(n_rows) is int and 0 < n_rows < MOST_ROWS, f"'n_rows' is {n_rows!r}.")
    n_records = counts.n_records
    known = n_records is None or (type(n_records) is int and 0 < n_records <= n_rows)
    require(known, f"'n_records' is {n_records!r} for {n_rows!r} rows.")
    require(counts.target is None or isinstance(counts.target, str), f"'target' is {counts.target!r}.")
    _check_labels(counts.classes, "The classes")
    require(len(counts.classes) > 0, "There must be at least one class.")
    _check_labels(counts.parts, "The parts")
    require(all(type(part) is int for part in counts.parts), "The parts must be whole numbers.")
    names = counts.names
    require(len(names) > 0 and all(isinstance(name, str) for name in names), "The columns must have names.")
    require(len(set(names)) == len(names), "The names of the columns must differ.")
    by_class = counts.columns[0].by_class.sum(axis=0)
    for column in counts.columns:
        _check_column(column, n_rows)
        same = np.array_equal(column.by_class.sum(axis=0), by_class)
        require(same, f"Column {column.name!r}: its classes have other numbers of rows than those of other columns.")


def _check_labels(labels: Sequence[object], where: str) -> None:
    good = all(isinstance(label, str | bool | int | float) for label in labels)
    require(good, f"{where} must be strings, booleans or numbers.")
    finite = all(not isinstance(label, float) or math.isfinite(label) for label in labels)
    require(finite, f"{where} must be finite.")
    require(" " not in kind_of_labels(labels), f"{where} mix strings, booleans and numbers.")  # type: ignore[arg-type]
    ascending = all(left < right for left, right in itertools.pairwise(labels))  # type: ignore[operator]
    require(ascending, f"{where} must ascend, each label once.")


def _check_column(column: MergeableCounts, n_rows: int) -> None:
    where = f"Column {column.name!r}"
    has_parts = column.by_part.shape[1] > 0
    for counts in (column.by_class, column.by_part):
        good = bool(((counts >= 0) & (counts <= n_rows)).all())
        require(good, f"{where}: a count is negative or larger than the number of rows.")
    # In doubles first: sums of whole numbers of 64 bits could wrap to any other number.
    totals = [float(counts.sum(dtype=np.float64)) for counts in (column.by_class, column.by_part)]
    plausible = max(totals) < 2.0 * MOST_ROWS
    rows = column.by_class.sum(axis=1)
    require(plausible and int(rows.sum()) == n_rows, f"{where}: the counts do not sum to {n_rows} rows.")
    same = not has_parts or np.array_equal(column.by_part.sum(axis=1), rows)
    require(same, f"{where}: the counts by class and by part differ.")
    present = rows[:-1] > 0
    if isinstance(column, GridCounts):
        _check_grid(column, present, where)
        return
    require(bool(present.all()), f"{where}: a value has no rows.")
    if isinstance(column, ExactCounts):
        _check_ascending(column.values, f"{where}: the values")
    if isinstance(column, NominalCounts):
        _check_labels(column.categories, f"{where}: the categories")
        require(
            len(column.categories) == present.size, f"{where}: the number of categories differs from that of counts."
        )


def _check_grid(column: GridCounts, present: NDArray[np.bool_], where: str) -> None:
    _check_ascending(column.edges, f"{where}: the edges")
    lows, highs = column.lows, column.highs
    empty = (lows == np.inf) & (highs == -np.inf)
    require(
        np.array_equal(~present, empty), f"{where}: cells without rows must have no ends, and others must have them."
    )
    below, above = np.append(-np.inf, column.edges), np.append(column.edges, np.inf)
    inside = (below < lows) & (lows <= highs) & (highs <= above)
    finite = np.isfinite(lows) & np.isfinite(highs)
    require(bool((empty | (inside & finite)).all()), f"{where}: the ends of a cell are not within it.")


def _check_ascending(numbers: NDArray[np.float64], where: str) -> None:
    good = bool(np.isfinite(numbers).all() and (numbers[:-1] < numbers[1:]).all())
    require(good, f"{where} must be finite and ascend.")
