"""The tables whose cuts other packages were asked for: those of scikit-learn and made ones.

The same file is read by the tests and, in the packages' own environments, by
`tools/oracles`; `fingerprint` tells whether both saw the same numbers. Made values have few
decimals, so that they come out the same on every machine.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import starmap

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

SEED = 20240
DECIMALS = 6
SMALL = {
    "D1": ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "000101112212", 3),
    "D2": ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "000011112222", 3),
    "D3": ([1, 1, 2, 2, 3, 4, 4, 5, 6, 6], "0001110111", 2),
    "D4": ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "000202223323", 4),
    "D5": ([0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6], "000001111101", 2),
    "D6": ([0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], "000011112222", 3),
    "two_rows": ([1, 2], "01", 2),
    "three_rows": ([1, 2, 3], "011", 2),
    "four_rows": ([1, 2, 3, 4], "0011", 2),
    "four_classes": ([1, 2, 3, 4], "0123", 4),
    "one_class": ([1, 2, 3, 4, 5], "00000", 2),
    "one_value": ([3, 3, 3, 3], "0101", 2),
}

# Runs of classes with equally good cuts, where it matters which of them is taken first; the
# second word gives the classes other names.
TIES = {
    "tie_a": ("222222221000222100000000", "012"),
    "tie_a_renamed": ("222222221000222100000000", "021"),
    "tie_b": ("2222222222112200022200110000000000", "012"),
    "tie_b_renamed": ("2222222222112200022200110000000000", "120"),
    "tie_c": ("222222000001111112222000011111122222000000", "201"),
    "tie_c_renamed": ("222222000001111112222000011111122222000000", "012"),
    "tie_d": ("11111100111111100001111000000011000000", "01"),
}


@dataclass(frozen=True)
class Table:
    """Numeric columns of equal length, NaN where a value is missing, and a class for each row."""

    name: str
    columns: dict[str, np.ndarray]
    y: np.ndarray
    n_classes: int

    @property
    def matrix(self) -> np.ndarray:
        """The columns side by side."""
        return np.column_stack(list(self.columns.values()))

    @property
    def fingerprint(self) -> str:
        """A checksum of the numbers."""
        numbers = self.matrix.astype("<f8").tobytes(), self.y.astype("<i8").tobytes()
        return hashlib.sha256(b"".join(numbers)).hexdigest()[:16]


def all_tables() -> list[Table]:
    """Return every table, always in the same order."""
    tables = list(starmap(of_scikit_learn, zip(("iris", "wine", "breast_cancer", "digits"), LOADERS, strict=True)))
    tables += [small(name, *rows) for name, rows in SMALL.items()]
    tables += [normal(n_classes) for n_classes in (2, 3, 10)]
    tables += [noise(n_classes) for n_classes in (2, 10)]
    tables += [tied(), zero_inflated(), missing(), scales(), neighbours(), steps(), many_classes()]
    tables += [mirror(number) for number in range(8)]
    tables += [in_order(name, labels, names) for name, (labels, names) in TIES.items()]
    return [*tables, in_order("tie_d_tripled", *TIES["tie_d"], copies=3)]


LOADERS = (load_iris, load_wine, load_breast_cancer, load_digits)


def of_scikit_learn(name, load) -> Table:
    """A data set that comes with scikit-learn."""
    bunch = load()
    names = [str(feature).replace(" ", "_") for feature in bunch.feature_names]
    columns = dict(zip(names, bunch.data.T.astype(np.float64), strict=True))
    return Table(name, columns, bunch.target, len(bunch.target_names))


def small(name, x, labels, n_classes) -> Table:
    """A table that can be checked by hand."""
    return Table(name, {"x": np.array(x, dtype=np.float64)}, np.array([int(c) for c in labels]), n_classes)


def made(name, y, columns) -> Table:
    """A made table, its values rounded."""
    columns = {key: np.round(column, DECIMALS) + 0.0 for key, column in columns.items()}
    return Table(name, columns, y, int(y.max()) + 1)


def normal(n_classes) -> Table:
    """Classes of unequal size whose means are so many standard deviations apart."""
    rng = np.random.default_rng([SEED, 1, n_classes])
    y = np.minimum((n_classes * rng.random(600) ** 1.3).astype(np.int64), n_classes - 1)
    means = rng.permutation(n_classes)
    distances = (0.1, 0.3, 0.5, 0.8, 1.3, 2.5, 6.0)
    columns = {f"distance_{d}": d * means[y] + rng.normal(size=y.size) for d in distances}
    return made(f"normal_{n_classes}", y, columns)


def noise(n_classes) -> Table:
    """Columns that say nothing about the class."""
    rng = np.random.default_rng([SEED, 2, n_classes])
    y = rng.integers(n_classes, size=300)
    columns = {f"noise_{j}": rng.normal(size=y.size) for j in range(4)}
    columns |= {f"whole_{j}": rng.integers(4, size=y.size).astype(np.float64) for j in range(2)}
    return made(f"noise_{n_classes}", y, columns)


def tied() -> Table:
    """Whole numbers with heavy ties, and a column whose values come in pairs."""
    rng = np.random.default_rng([SEED, 3])
    y = rng.integers(3, size=500)
    hidden = y + 0.8 * rng.normal(size=y.size)
    columns = {f"levels_{n}": np.floor(n * np.clip((hidden + 1.0) / 4.0, 0.0, 0.999)) for n in (2, 3, 5, 10, 30, 200)}
    columns["pairs"] = np.argsort(np.argsort(hidden)) // 2
    columns["rounded"] = np.round(hidden, 1)
    return made("tied", y, columns)


def zero_inflated() -> Table:
    """Columns in which so large a share is zero, depending on the class or not."""
    rng = np.random.default_rng([SEED, 4])
    y = rng.integers(2, size=800)
    columns = {}
    for share in (0.3, 0.6, 0.9):
        amount = np.abs(rng.normal(size=y.size)) * (1 + y)
        columns[f"zeros_{share}"] = np.where(rng.random(y.size) < share, 0.0, amount)
        columns[f"telling_zeros_{share}"] = np.where(rng.random(y.size) < share - 0.25 * y, 0.0, amount)
    columns["both_sides"] = np.where(rng.random(y.size) < 0.5, 0.0, rng.normal(size=y.size) + y)
    return made("zero_inflated", y, columns)


def missing() -> Table:
    """Columns with missing values: at random, in one class only, nearly all, all."""
    rng = np.random.default_rng([SEED, 5])
    y = rng.integers(3, size=500)
    value = y + rng.normal(size=y.size)
    columns = {f"share_{share}": np.where(rng.random(y.size) < share, np.nan, value) for share in (0.05, 0.3, 0.8)}
    columns["weak"] = np.where(rng.random(y.size) < 0.4, np.nan, 0.45 * y + rng.normal(size=y.size))
    columns["one_class"] = np.where((y == 1) & (rng.random(y.size) < 0.9), np.nan, value)
    columns["whole_class"] = np.where(y == 2, np.nan, value)
    columns["levels"] = np.where(rng.random(y.size) < 0.2, np.nan, np.floor(2 * value))
    columns["one_row"] = np.where(np.arange(y.size) == 7, 1.0, np.nan)
    columns["two_rows"] = np.where(np.isin(np.arange(y.size), (np.argmin(y), np.argmax(y))), value, np.nan)
    columns["all"] = np.full(y.size, np.nan)
    return made("missing", y, columns)


def scales() -> Table:
    """One column in other units: sums and multiples that leave the order of its values as it is."""
    rng = np.random.default_rng([SEED, 6])
    y = rng.integers(2, size=400)
    base = np.round(1.5 * y + rng.normal(size=y.size), 3)
    columns = {"as_is": base, "plus_million": base + 1e6, "plus_billion": base + 1e9}
    columns |= {f"times_{factor:g}": base * factor for factor in (1e-3, 1e-6, 1e-9, 1e-12, 1e-100, 1e9, 1e100)}
    return Table("scales", columns, y, 2)


def neighbours() -> Table:
    """Values between which there is no other double, or only one; two classes in four runs."""
    rows = np.arange(40)
    y = (rows // 10) % 2
    columns = {"next_double": 1.0 + rows * 2.0**-52, "one_between": 1.0 + rows * 2.0**-51}
    columns["later_double"] = 1.0 + (rows + 1) * 2.0**-52
    return Table("neighbours", columns, y, 2)


def steps() -> Table:
    """Many cuts: classes that take turns along the column, with a tenth of the rows disturbed."""
    rng = np.random.default_rng([SEED, 7])
    hidden = rng.random(5000)
    turn = np.floor(40 * hidden).astype(np.int64)
    y = np.where(rng.random(hidden.size) < 0.1, rng.integers(3, size=hidden.size), turn % 3)
    columns = {"steps": hidden, "rounded": np.round(hidden, 2), "blurred": hidden + 0.01 * rng.normal(size=hidden.size)}
    return made("steps", y, columns)


def many_classes() -> Table:
    """Sixty classes, so that the price of a cut is high."""
    rng = np.random.default_rng([SEED, 8])
    y = rng.integers(60, size=3000)
    columns = {f"distance_{d}": d * y + rng.normal(size=y.size) for d in (0.05, 0.2, 1.0, 4.0)}
    return made("many_classes", y, columns)


def mirror(number) -> Table:
    """Runs of classes that read the same from both ends: every cut has an equally good one."""
    rng = np.random.default_rng([SEED, 9, number])
    n_classes = 2 + number % 3
    half = np.repeat(rng.integers(n_classes, size=12), rng.integers(1, 7, size=12))
    y = np.append(half, half[::-1])
    _, y = np.unique(y, return_inverse=True)
    return made(f"mirror_{number:02}", y, {"x": np.arange(1.0, y.size + 1.0)})


def in_order(name, labels, names, copies=1) -> Table:
    """One row, or several equal ones, for each label in turn; label c is called names[c]."""
    y = np.repeat([int(names[int(label)]) for label in labels], copies)
    x = np.repeat(np.arange(1.0, len(labels) + 1.0), copies)
    return Table(name, {"x": x}, y, len(names))
