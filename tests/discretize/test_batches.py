"""Columns that are learned several at a time are the same as one after the other."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import MRmDDiscretizer
from cutwise.counts import ColumnBatch, RowGroups, count_column
from cutwise.discretize import batches
from cutwise.kernels.bins import batch as kernel

SEEDS = st.integers(0, 2**32 - 1)
# With fewer columns a fit takes them one after the other.
WIDE = batches.SEVERAL


def odd_columns(rng, n_rows):
    """Return columns of all kinds, among them some with nothing to cut."""
    normal = rng.normal(size=n_rows)
    with_gaps = np.where(rng.random(n_rows) < 0.3, np.nan, normal)
    infinite = np.where(rng.random(n_rows) < 0.1, np.inf, np.where(rng.random(n_rows) < 0.1, -np.inf, normal))
    return [
        normal,
        np.rint(normal),
        with_gaps,
        np.rint(2.0 * with_gaps),
        infinite,
        1e308 * np.clip(normal, -1.0, 1.0),
        np.where(rng.random(n_rows) < 0.5, -0.0, 0.0),
        np.full(n_rows, 3.0),
        np.full(n_rows, np.nan),
        np.where(np.arange(n_rows) == 0, 1.0, np.nan),
        np.where(np.arange(n_rows) < 2, np.arange(n_rows), np.nan),
    ]


def one_by_one(X, y, **settings):
    names = [f"x{j}" for j in range(X.shape[1])]
    found = [MRmDDiscretizer(**settings).fit(X[:, [j]], y).scheme_.attributes[0] for j in range(X.shape[1])]
    return names, found


def check_wide(X, y, **settings):
    wide = MRmDDiscretizer(**settings).fit(X, y).scheme_
    for attribute, (name, alone) in zip(wide.attributes, zip(*one_by_one(X, y, **settings), strict=True), strict=True):
        assert attribute.name == name
        assert {**vars(attribute), "name": "x0"} == vars(alone)


@given(SEEDS, st.integers(2, 60), st.integers(2, 5), st.sampled_from(["midpoint", "readable", "value"]))
def test_wide_tables(seed, n_rows, n_classes, place):
    rng = np.random.default_rng(seed)
    y = np.append([0, 1], rng.integers(0, n_classes, n_rows - 2))
    columns = odd_columns(rng, n_rows)
    X = np.column_stack([*columns, *columns])
    check_wide(X, y, place=place, n_d=float(rng.choice([2.0, 50.0, 1e6])))


def test_searches_that_need_more_room_for_bins_and_for_steps():
    rng = np.random.default_rng(0)
    X = rng.permuted(np.tile(np.arange(300.0), (WIDE, 1)), axis=1).T
    y = (np.arange(300) // 5) % 2
    X[:, ::3] = np.arange(300.0)[:, np.newaxis]
    found = MRmDDiscretizer(n_d=1e9).fit(X, y).scheme_
    assert found["x0"].n_bins > 2 * kernel.FIRST_ROOM
    assert sum(attribute.n_bins for attribute in found.attributes) > 2 * (kernel.STEPS_EACH * WIDE + kernel.FIRST_ROOM)
    check_wide(X, y, n_d=1e9)


def test_categories_between_numbers():
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(80, WIDE)).astype(object)
    numbers[:, 3] = rng.choice(["a", "b"], 80)
    y = rng.integers(0, 3, 80)
    check_wide(numbers, y)
    check_wide(rng.choice(["a", "b", "c"], size=(80, WIDE)).astype(object), y)


OTHERWISE = [
    {"max_bins": 3},
    {"confirm": 0.5},
    {"special_values": [0.0]},
    {"monotonic": "auto"},
    {"search": "exact"},
    {"validation": "holdout", "random_state": 0},
]


@pytest.mark.parametrize("settings", OTHERWISE, ids=lambda settings: next(iter(settings)))
def test_what_is_searched_otherwise_is_learned_one_after_the_other(monkeypatch, settings):
    rng = np.random.default_rng(2)
    X, y = np.rint(rng.normal(size=(60, WIDE))), rng.integers(0, 2, 60)
    monkeypatch.setattr(batches, "learn_together", lambda *_: pytest.fail("learned together"))
    check_wide(X, y, **settings)


def test_the_garbage_collector_waits_while_columns_are_learned_together(monkeypatch):
    X, y = np.random.default_rng(0).normal(size=(20, WIDE)), np.arange(20) % 2
    seen = []

    def learn(*arguments):
        seen.append(gc.isenabled())
        return batches.learn_each(arguments[-1])

    monkeypatch.setattr(batches, "learn_together", learn)
    MRmDDiscretizer().fit(X, y)
    assert seen == [False]
    assert gc.isenabled()

    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(batches, "learn_together", fail)
    with pytest.raises(ZeroDivisionError):
        MRmDDiscretizer().fit(X, y)
    assert gc.isenabled()


def test_several_columns_are_learned_together(monkeypatch):
    sizes = []
    learn = batches.learn_together
    monkeypatch.setattr(batches, "learn_together", lambda run, tasks: sizes.append(len(tasks)) or learn(run, tasks))
    rng = np.random.default_rng(3)
    for n_columns in (WIDE - 1, WIDE):
        MRmDDiscretizer().fit(rng.normal(size=(60, n_columns)), rng.integers(0, 2, 60))
    assert sizes == [WIDE]


@given(SEEDS, st.integers(1, 40), st.integers(1, 4))
def test_counts_of_a_batch(seed, n_rows, n_classes):
    rng = np.random.default_rng(seed)
    groups = RowGroups(rng.integers(0, n_classes, n_rows), n_classes)
    columns = odd_columns(rng, n_rows)
    batch = ColumnBatch(columns, groups)
    for j, column in enumerate(columns):
        alone, found = count_column(column, groups), batch.table(j)
        assert found.values.tolist() == alone.values.tolist()
        assert found.class_counts.tolist() == alone.class_counts.tolist()
        assert found.missing_by_class.tolist() == alone.missing_by_class.tolist()
        assert batch.n_rows[j] == alone.n_rows
