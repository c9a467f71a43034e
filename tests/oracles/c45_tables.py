"""The tables whose trees Weka's J48 was asked for: numbers, categories, both, with and without gaps.

The same file is read by the tests and, in Weka's own environment, by `tools/oracles/weka_j48.py`.
Categories are codes from 0 on; every code has a row.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from tests.oracles.data import all_tables

SEED = 20240
NUMERIC = ("iris", "wine", "breast_cancer", "digits", "normal_2", "normal_3", "normal_10", "noise_2", "tied",
           "zero_inflated", "missing", "scales", "steps")  # fmt: skip
CODED = ("iris", "wine", "breast_cancer", "tied", "missing")
# sunny, overcast, rain; hot, mild, cool; high, normal; windy or not; play or not
GOLF = ("00000", "00010", "10001", "21001", "22101", "22110", "12111", "01000", "02101", "21101", "01111", "11011",
        "10101", "21010")  # fmt: skip


@dataclass(frozen=True)
class MixedTable:
    """Columns by name, NaN where a value is missing; sizes holds the number of codes, 0 for numbers."""

    name: str
    columns: dict[str, np.ndarray]
    sizes: dict[str, int]
    y: np.ndarray
    n_classes: int

    @property
    def matrix(self) -> np.ndarray:
        """The columns side by side."""
        return np.column_stack(list(self.columns.values()))

    @property
    def nominal(self) -> list[int]:
        """The places of the columns of codes."""
        return [place for place, size in enumerate(self.sizes.values()) if size]

    @property
    def fingerprint(self) -> str:
        """A checksum of the numbers."""
        numbers = self.matrix.astype("<f8").tobytes(), self.y.astype("<i8").tobytes()
        return hashlib.sha256(b"".join(numbers)).hexdigest()[:16]


def mixed(name, columns, nominal, y) -> MixedTable:
    """Number the categories of some columns, and the classes, from 0 on."""
    columns = {key: column.astype(np.float64) for key, column in columns.items()}
    sizes = dict.fromkeys(columns, 0)
    for key in nominal:
        known = ~np.isnan(columns[key])
        seen, codes = np.unique(columns[key][known], return_inverse=True)
        columns[key] = columns[key].copy()
        columns[key][known] = codes
        sizes[key] = seen.size
    classes, y = np.unique(y, return_inverse=True)
    return MixedTable(name, columns, sizes, y, classes.size)


def c45_tables() -> list[MixedTable]:
    """Return every table, always in the same order."""
    known = {table.name: table for table in all_tables()}
    out = [mixed(name, known[name].columns, [], known[name].y) for name in NUMERIC]
    out += [coded(known[name], n_bins) for name in CODED for n_bins in (4, 12)]
    out += [golf(), *(rules(share) for share in (0.0, 0.1, 0.4)), *(both(share) for share in (0.0, 0.05, 0.3))]
    return [*out, wide(), only_wide(), *(raising(number) for number in range(6))]


def coded(table, n_bins) -> MixedTable:
    """A table of numbers cut into bins of equal width."""
    columns = {}
    for name, column in table.columns.items():
        if np.isnan(column).all():
            continue
        low, high = np.nanmin(column), np.nanmax(column)
        columns[name] = np.floor(n_bins * 0.999999 * (column - low) / max(high - low, 1e-300))
    return mixed(f"{table.name}_in_{n_bins}_bins", columns, list(columns), table.y)


def golf() -> MixedTable:
    """Quinlan's weather data."""
    rows = np.array([[int(cell) for cell in row] for row in GOLF], dtype=np.float64)
    names = ("outlook", "temperature", "humidity", "windy")
    return mixed("golf", dict(zip(names, rows.T, strict=False)), names, rows[:, -1])


def rules(share) -> MixedTable:
    """Categories of which some decide the class together, with a share of missing values."""
    rng = np.random.default_rng([SEED, 20, int(100 * share)])
    n_rows = 600
    columns = {
        f"c{size}_{j}": rng.integers(size, size=n_rows).astype(float) for j, size in enumerate((2, 3, 3, 4, 6, 9))
    }
    a, b, c, d = (columns[name] for name in ("c2_0", "c3_1", "c3_2", "c4_3"))
    y = np.where(a == 1, b, np.where(d > 1, c, 2))
    y = np.where(rng.random(n_rows) < 0.1, rng.integers(3, size=n_rows), y)
    for name, column in columns.items():
        columns[name] = np.where(rng.random(n_rows) < share, np.nan, column)
    return mixed(f"rules_{share}", columns, list(columns), y)


def both(share) -> MixedTable:
    """Numbers and categories in turn, with a share of missing values."""
    rng = np.random.default_rng([SEED, 21, int(100 * share)])
    n_rows = 500
    size = np.round(rng.normal(size=n_rows), 3)
    colour = rng.integers(4, size=n_rows).astype(float)
    weight = np.round(rng.normal(size=n_rows) + (colour == 2), 2)
    kind = rng.integers(3, size=n_rows).astype(float)
    score = size + np.array([0.0, 1.0, -1.0, 0.5])[colour.astype(int)] * weight + 0.4 * rng.normal(size=n_rows)
    y = np.searchsorted([-0.7, 0.6], score)
    columns = {"size": size, "colour": colour, "weight": weight, "kind": kind, "age": rng.integers(60, size=n_rows)}
    for name, column in columns.items():
        columns[name] = np.where(rng.random(n_rows) < share, np.nan, column)
    return mixed(f"both_{share}", columns, ["colour", "kind"], y)


def wide() -> MixedTable:
    """A column with nearly as many categories as rows, which does not count in the average."""
    rng = np.random.default_rng([SEED, 22])
    y = rng.integers(2, size=80)
    columns = {
        "number": rng.integers(40, size=80).astype(float),
        "hint": np.where(rng.random(80) < 0.3, rng.integers(3, size=80), y).astype(float),
        "noise": rng.integers(3, size=80).astype(float),
    }
    return mixed("wide", columns, list(columns), y)


def only_wide() -> MixedTable:
    """Nothing but such columns."""
    rng = np.random.default_rng([SEED, 23])
    y = rng.integers(2, size=60)
    columns = {
        f"number_{j}": (rng.integers(15, size=60) * 2 + (rng.random(60) < 0.8) * y).astype(float) for j in range(3)
    }
    return mixed("only_wide", columns, list(columns), y)


def raising(number) -> MixedTable:
    """Noise around a rule that shows only below a question of little use, so that branches are raised."""
    rng = np.random.default_rng([SEED, 24, number])
    n_rows = 300
    columns = {f"c{j}": rng.integers(2 + j % 3, size=n_rows).astype(float) for j in range(6)}
    y = (columns["c0"] + columns["c3"] + (rng.random(n_rows) < 0.25)) % 2
    columns["x"] = np.round(rng.normal(size=n_rows) + 0.7 * y, 2)
    if number % 2:
        columns["x"] = np.where(rng.random(n_rows) < 0.2, np.nan, columns["x"])
    return mixed(f"raising_{number}", columns, [f"c{j}" for j in range(6)], y)
