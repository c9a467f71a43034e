"""The training errors of C4.5 on bins against the blackboard's tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutwise import C45Classifier
from cutwise.search.fitness import TreeErrors
from cutwise.search.genetic_cells import make_cells
from tests.classify.trees.reference_c45 import C45
from tests.search import reference_genetic
from tests.search.genetic_tables import joint_of, joint_tables, noisy


def bins_of(joint, cells, chosen):
    """Return the bin of each row by column, None where it is missing, numbered from 0 on."""
    columns = [
        [None if rank == -1 else reference_genetic.bin_of(rank, gaps[own]) for rank in ranks.tolist()]
        for ranks, gaps, own in zip(
            joint.ranks, cells.gaps, np.split(chosen, cells.first_candidates[1:-1]), strict=True
        )
    ]
    columns += [[None if code == -1 else code for code in codes.tolist()] for codes in joint.nominal]
    numbered = []
    for column in columns:
        seen = sorted({bin_ for bin_ in column if bin_ is not None})
        numbered.append([None if bin_ is None else seen.index(bin_) for bin_ in column])
    return numbered


def expected_errors(columns, classes, weights):
    """Return the errors of the blackboard's tree; classes that win alike share them."""
    sizes = [max((bin_ for bin_ in column if bin_ is not None), default=0) + 1 for column in columns]
    # Columns that all rows agree in split nothing, but they would be attributes with many categories.
    kept = [j for j, size in enumerate(sizes) if size > 1]
    cells = list(zip(*(columns[j] for j in kept), strict=True)) if kept else [()] * len(classes)
    present = sorted({label for label, weight in zip(classes, weights, strict=True) if weight})
    rows = [(c, present.index(k), float(w)) for c, k, w in zip(cells, classes, weights, strict=True) if w]
    tree = C45(rows, [sizes[j] for j in kept], len(present))
    wrong = 0.0
    for own, label, weight in rows:
        shares = tree.shares(own)
        winners = [other for other, share in enumerate(shares) if share >= max(shares) - 1e-9]
        wrong += weight * (1 - (label in winners) / len(winners))
    return wrong


@settings(max_examples=60)
@given(joint_tables(max_rows=25, max_columns=3, max_classes=4), st.data())
def test_errors_are_those_of_the_blackboard(joint, data):
    check(joint, data)


@settings(max_examples=60)
@given(joint_tables(max_rows=25, max_columns=2, max_classes=3, weighted=True), st.data())
def test_weighted_errors_are_those_of_the_blackboard(joint, data):
    check(joint, data)


def check(joint, data):
    cells = make_cells(joint)
    n = cells.n_candidates
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=bool)
    expected = expected_errors(bins_of(joint, cells, chosen), joint.classes.tolist(), cells.weights.tolist())
    assert TreeErrors(cells).errors(cells.ends(chosen)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_errors_are_those_of_the_classifier(share):
    joint = noisy(400, 4, 3, seed=3)
    cells = make_cells(joint)
    chosen = np.random.default_rng(0).random(cells.n_candidates) < share
    codes = np.array(bins_of(joint, cells, chosen), dtype=float).T
    fitted = C45Classifier(nominal="all").fit(codes, joint.classes)
    wrong = (fitted.predict(codes) != joint.classes).sum()
    assert TreeErrors(cells).errors(cells.ends(chosen)) == wrong


def test_rows_without_weight_do_not_matter():
    rows = ([0, 0, 1, 1, 2, 2, 2, 3], [0, 0, 1, 1, 0, 0, 0, 1])
    weights = np.array([3, 2, 2, 3, 2, 2, 1, 0])
    with_zero, without = (
        make_cells(joint_of(*rows, weights=weights)),
        make_cells(joint_of(rows[0][:7], rows[1][:7], weights=weights[:7])),
    )
    everything = np.ones(without.n_candidates, dtype=bool)
    assert TreeErrors(without).errors(without.ends(everything)) == 0.0
    assert TreeErrors(with_zero).errors(with_zero.ends(np.ones(with_zero.n_candidates, dtype=bool))) == 0.0
