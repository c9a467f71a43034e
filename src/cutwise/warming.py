"""Compile beforehand what fits need: the first fit of a method then takes no longer than the next.

Compiled code is kept on disk, for each type of its arguments. So every method learns from small tables of every kind,
with every setting that leads to other code.
"""

from __future__ import annotations

import itertools
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import CutwiseError
from cutwise.registry import CLASSIFIERS, DISCRETIZERS, entries, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from cutwise.registry import Entry

    Table = tuple[NDArray[Any], NDArray[Any], NDArray[np.float64] | None]

# What an estimator cannot do without, or would take long over.
NEEDED: dict[str, dict[str, Any]] = {
    "EMDDiscretizer": {"population": 10, "max_evaluations": 40, "random_state": 0},
    "FixedCutsDiscretizer": {"cuts": [0.0]},
}
# These are made of others.
PASSED = ("FixedSchemeDiscretizer", "DiscretizedClassifier")
# Settings that lead to other code, one after the other, where an estimator has them.
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"confirm": 0.5},
    {"min_bin_size": 5, "max_bins": 4},
    {"monotonic": "increasing"},
    {"monotonic": "auto"},
    {"monotonic": "peak"},
    {"monotonic": "concave"},
    {"max_pvalue": 0.5, "min_bins": 3, "max_bin_size": 0.5, "min_events": 2},
    {"nominal": "group"},
    {"nominal": "group", "confirm": 0.5},
    {"n_d": "auto"},
)
# Each of these goes together with each of those above.
WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"search": "exact"},
    {"validation": "holdout", "random_state": 0},
    {"validation": "crossfit", "random_state": 0},
    {"search": "exact", "validation": "crossfit", "random_state": 0},
)
# So many rows are searched, and their cuts confirmed, in other ways.
MANY_ROWS = 5000


def small_table(n_rows: int = 60, n_classes: int = 2, seed: int = 0) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return columns of distinct values, of few values, with gaps, and of categories; and classes."""
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(n_rows, 3))
    y = np.digitize(numbers[:, 0] + 0.5 * numbers[:, 1], np.linspace(-0.5, 0.5, n_classes - 1)).astype(np.int64)
    numbers[:, 1] = np.rint(2.0 * numbers[:, 1])
    numbers[::7, 2] = np.nan
    categories = np.array(["a", "b", "c", "d"], dtype=object)[np.arange(n_rows) % 4]
    return np.column_stack([numbers.astype(object), categories]), y


def tables(seed: int = 0) -> Iterator[Table]:
    """Yield tables of two and three classes, and one whose rows have weights."""
    yield *small_table(seed=seed), None
    yield *small_table(n_classes=3, seed=seed), None
    X, y = small_table(seed=seed)
    yield X, y, np.linspace(0.5, 1.5, y.size)


def sorted_table(n_rows: int = 3000, n_classes: int = 150) -> Table:
    """Return a column whose classes follow each other: searches that cut them off one by one scan large bins often."""
    places = np.arange(n_rows)
    labels = np.char.add("class ", (places * n_classes // n_rows).astype(str))
    return places[:, np.newaxis].astype(object), labels, None


def wide_table(n_classes: int = 2, seed: int = 0) -> Table:
    """Return so many columns that several of them are learned at once."""
    X, y = small_table(n_classes=n_classes, seed=seed)
    return np.tile(X[:, :3], 8), y, None


def estimators() -> list[Entry]:
    """Return what has code to be compiled."""
    return [entry for entry in entries([*DISCRETIZERS, *CLASSIFIERS]) if entry.name not in PASSED]


def with_settings(entry: Entry) -> Iterator[Any]:
    """Yield an estimator with each of the settings that it has."""
    make = load(entry)
    needed = NEEDED.get(entry.name, {})
    known = make(**needed).get_params()
    for way, setting in itertools.product(WAYS, SETTINGS):
        if {*way, *setting} <= {*known}:
            yield make(**{**needed, **way, **setting})


def learn(estimator: Any, table: Table) -> None:
    """Fit an estimator and use it, unless its settings are not for this table."""
    X, y, weights = table
    codes = np.rint(np.nan_to_num(X[:, :3].astype(float)) + 4.0).clip(0, 8).astype(np.int64)
    is_classifier = hasattr(estimator, "predict")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for rows in (X, codes) if is_classifier else (X,):
            try:
                estimator.fit(rows, y, sample_weight=weights)
                for use in ("predict", "predict_proba") if is_classifier else ("transform",):
                    getattr(estimator, use)(rows)
            except (CutwiseError, TypeError, ValueError):
                continue


def compile_all(show: Callable[[str], None] = lambda _: None) -> int:
    """Have every estimator compiled with every setting.

    Parameters
    ----------
    show : callable
        Is given the name of each estimator before its turn.

    Returns
    -------
    int
        How many loops had to be compiled.
    """
    from cutwise.kernels.compile import count_compiled  # noqa: PLC0415  # it loads numba

    with count_compiled() as compiled:
        for entry in estimators():
            show(entry.name)
            for estimator, table in itertools.product(with_settings(entry), tables()):
                learn(estimator, table)
            if entry.group in DISCRETIZERS:
                for estimator, n_classes in itertools.product(itertools.islice(with_settings(entry), 2), (2, 3)):
                    learn(estimator, (*small_table(MANY_ROWS, n_classes), None))
                learn(next(with_settings(entry)), sorted_table())
                learn(next(with_settings(entry)), wide_table())
    return len(compiled)
