"""Compile beforehand what fits need: the first fit of a method then takes no longer than the next.

Compiled code is kept on disk, for each type of its arguments. So every method learns from small tables of every kind,
with every setting that leads to other code.
"""

from __future__ import annotations

import itertools
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.registry import CLASSIFIERS, DISCRETIZERS, entries, load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from cutwise.registry import Entry

N_ROWS = 60
# What an estimator cannot do without, or would take long over.
NEEDED: dict[str, dict[str, Any]] = {
    "EMDDiscretizer": {"population": 10, "max_evaluations": 40, "random_state": 0},
    "FixedCutsDiscretizer": {"cuts": [0.0]},
}
# Settings that lead to other code, one at a time, where an estimator has them.
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
# Those that go together with each of the others.
WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"search": "exact"},
    {"validation": "holdout", "random_state": 0},
    {"validation": "crossfit", "random_state": 0},
    {"search": "exact", "validation": "crossfit", "random_state": 0},
)


def small_table(n_rows: int = N_ROWS, n_classes: int = 2, seed: int = 0) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return columns of distinct values, of few values, with gaps, and of categories; and classes."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4))
    y = np.digitize(X[:, 0] + 0.5 * X[:, 1], np.linspace(-0.5, 0.5, n_classes - 1))
    X[:, 1] = np.rint(2.0 * X[:, 1])
    X[::7, 2] = np.nan
    categories = np.array(["a", "b", "c", "d"], dtype=object)[np.arange(n_rows) % 4]
    table = X.astype(object)
    table[:, 3] = categories
    return table, y.astype(np.int64)


def estimators(groups: Iterable[str]) -> Iterator[tuple[Entry, list[Any]]]:
    """Yield every estimator of some groups, with its settings."""
    for entry in entries(list(groups)):
        if entry.name in ("FixedSchemeDiscretizer", "DiscretizedClassifier"):
            continue
        make = load(entry)
        known = make(**NEEDED.get(entry.name, {})).get_params()
        seen: list[dict[str, Any]] = []
        for way, setting in itertools.product(WAYS, SETTINGS):
            settings = {**NEEDED.get(entry.name, {}), **way, **setting}
            if {*way, *setting} <= {*known} and settings not in seen:
                seen.append(settings)
        yield entry, [make(**settings) for settings in seen]


def steps() -> Iterator[str]:
    """Compile for one estimator after the other; yield the name of each before it is its turn."""
    for entry, of_settings in estimators(DISCRETIZERS):
        yield entry.name
        for estimator in of_settings:
            for X, y, weights in tables():
                _try(estimator, X, y, weights)
    for entry, of_settings in estimators(CLASSIFIERS):
        yield entry.name
        for estimator in of_settings:
            _learn(estimator)


def tables() -> Iterator[tuple[NDArray[Any], NDArray[np.int64], NDArray[np.float64] | None]]:
    """Yield tables of two and three classes, and one whose rows have weights."""
    yield *small_table(), None
    yield *small_table(n_classes=3), None
    X, y = small_table()
    yield X, y, np.linspace(0.5, 1.5, y.size)


def _try(estimator: Any, X: NDArray[Any], y: NDArray[np.int64], weights: NDArray[np.float64] | None) -> None:
    """Fit, unless these settings are not for this table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            estimator.fit(X, y, sample_weight=weights).transform(X)
        except (TypeError, ValueError):
            return


def _learn(estimator: Any) -> None:
    """Fit a classifier to tables, or to codes, and predict."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for X, y, weights in tables():
            codes = np.rint(np.nan_to_num(X[:, :3].astype(float)) + 4.0).clip(0, 8)
            for table in (X, codes.astype(np.int64)):
                try:
                    estimator.fit(table, y, sample_weight=weights).predict_proba(table)
                except (TypeError, ValueError):
                    continue
