"""Psi of all columns at once equals its definition."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.criteria import ExpectedDivergence, JointPsi, NoDivergence, Psi, SplitDivergence, jensen_shannon
from cutwise.criteria.joint_psi import JointScale, PartitionSums
from cutwise.kernels import reference
from tests.joint_tables import joint_tables, make_joint

DIVERGENCES = [NoDivergence(), ExpectedDivergence(4), SplitDivergence((1,)), SplitDivergence((0, 1, 2))]


def brute_force(joint, gaps, nominal, n_d, divergence, parts):  # noqa: PLR0917
    """Psi from its definition: rows as tuples of codes, counted with a dictionary."""
    weights = np.ones(joint.n_rows) if joint.weights is None else joint.weights
    taking_part = [j for j, chosen in enumerate(gaps) if len(chosen)]
    cells, by_class, classes, by_part = Counter(), Counter(), Counter(), Counter()
    for row in np.flatnonzero(weights):
        ranks = [int(joint.ranks[j, row]) for j in taking_part]
        cuts = [gaps[j] for j in taking_part]
        codes = [rank if rank < 0 else sum(gap < rank for gap in cut) for rank, cut in zip(ranks, cuts, strict=True)]
        cell = (*codes, *(int(joint.nominal[j, row]) for j in nominal))
        cells[cell] += weights[row]
        by_class[cell, joint.classes[row]] += weights[row]
        classes[joint.classes[row]] += weights[row]
        by_part[cell, parts[row]] += weights[row]
    total = sum(cells.values())
    relevance = sum(
        count / total * math.log2(count * total / (cells[cell] * classes[label]))
        for (cell, label), count in by_class.items()
    )
    loss = 0.0
    if isinstance(divergence, ExpectedDivergence):
        n_rows = max(1, round(total * joint.tables[0].unit))
        n_valid = divergence.n_valid(n_rows)
        known = [reference.expected_share(k, n_rows, n_valid) for k in range(n_rows + 1)]
        loss = sum(np.interp(count * n_rows / total, np.arange(n_rows + 1), known) for count in cells.values())
    elif isinstance(divergence, SplitDivergence):
        apart = []
        for part in divergence.judged:
            valid = [by_part[cell, part] for cell in cells]
            apart.append(jensen_shannon([cells[cell] - v for cell, v in zip(cells, valid, strict=True)], valid))
        loss = np.mean(apart)
    n_columns = sum(table.n_values > 1 for table in joint.tables)
    used = joint.nominal[:, weights > 0]
    n_categories = [np.unique(codes[codes >= 0]).size for codes in used]
    n_columns += sum(n > 1 for n in n_categories)
    n_cuts = sum(map(len, gaps)) + sum(n_categories[j] - 1 for j in nominal)
    return math.exp(-n_cuts / (n_d * max(n_columns, 1))) * relevance - loss


@given(joint_tables(), st.sampled_from([0.5, 5.0, 50.0, math.inf]), st.sampled_from(DIVERGENCES), st.data())
def test_equals_brute_force(drawn, n_d, divergence, data):
    joint, parts = drawn
    gaps = [
        sorted(data.draw(st.sets(st.integers(0, table.n_values - 2)))) if table.n_values > 1 else []
        for table in joint.tables
    ]
    weights = np.ones(joint.n_rows) if joint.weights is None else joint.weights
    can_take_part = [j for j, c in enumerate(joint.nominal) if np.unique(c[(c >= 0) & (weights > 0)]).size > 1]
    nominal = data.draw(st.sets(st.sampled_from(can_take_part))) if can_take_part else set()
    score = JointPsi(n_d, divergence).score(joint, gaps, sorted(nominal), parts)
    assert score.value == pytest.approx(brute_force(joint, gaps, sorted(nominal), n_d, divergence, parts), abs=1e-9)
    n_cuts = -math.log(max((score.value + score.divergence) / score.relevance, 1e-300)) if score.relevance > 1e-3 else 0
    assert n_cuts >= -1e-9


@given(
    joint_tables(max_columns=1, symbols=False, nominal=False, weights=False), st.sampled_from(DIVERGENCES), st.data()
)
def test_on_one_column_it_is_psi(drawn, divergence, data):
    joint, parts = drawn
    table = joint.tables[0]
    gaps = sorted(data.draw(st.sets(st.integers(0, table.n_values - 2)))) if table.n_values > 1 else []
    alone = Psi(5.0, divergence).score(table, gaps)
    assert JointPsi(5.0, divergence).score(joint, [gaps], parts=parts) == pytest.approx(alone, abs=1e-9)


def test_a_column_without_a_cut_takes_no_part_with_its_missing_values():
    joint = make_joint([[0, 1, 0, 1], [-1, 0, -1, 1]], [0, 1, 0, 1])
    score = JointPsi().score(joint, [[], []])
    assert score == (0.0, 0.0, 0.0)
    assert JointPsi().score(joint, [[], [0]]).relevance == 1.0


def test_special_values_are_codes_of_their_own():
    joint = make_joint([[-3, -2, -1, 0, 1]], [0, 1, 2, 3, 3])
    assert JointPsi().score(joint, [[0]]).relevance == pytest.approx(math.log2(5) - 0.4)


def test_given_parts_are_asked_for():
    joint = make_joint([[0, 1]], [0, 1], parts=[0, 1])
    with pytest.raises(ValueError, match="part of each row"):
        JointPsi(divergence=SplitDivergence((1,))).score(joint, [[0]])


@pytest.mark.parametrize("n_cuts", [3, 300])
def test_the_value_of_a_change_is_that_of_the_changed_partition(n_cuts):
    criterion, joint = JointPsi(5.0), make_joint([range(40), [i % 7 for i in range(40)]], [i % 3 for i in range(40)])
    scale = JointScale.of(criterion, criterion.rows(joint))
    changes = [(5 * 10**8, 10**6, -3), (-(10**8), 0, -1), (0, -(10**6), 2)]
    changed = [scale.value(PartitionSums(10**9 + gain, 10**7 + loss, n_cuts + cuts)) for gain, loss, cuts in changes]
    values = scale.changed_values(PartitionSums(10**9, 10**7, n_cuts), *np.array(changes).T)
    assert values.tolist() == changed
