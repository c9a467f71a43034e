"""The top-down search equals trying every gap in every round."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts import ColumnCounts
from cutwise.criteria import CACC, CAIM, MDL, Ameva, BinSumCriterion
from cutwise.search import BinLimits, TopDownSearch
from tests.search import reference_top_down as reference
from tests.strategies import count_tables

CRITERIA = [
    (CAIM(), reference.caim, lambda classes: classes),
    (CACC(), reference.cacc, lambda classes: classes),
    (CACC(1), lambda bins: reference.cacc(bins, 1), lambda classes: classes),
    (Ameva(), reference.ameva, lambda classes: 0),
    (Ameva(all_classes=True), reference.ameva, lambda classes: classes),
]
criteria = pytest.mark.parametrize(
    ("criterion", "value", "min_bins"), CRITERIA, ids=[repr(case[0]) for case in CRITERIA]
)
LIMITS = st.builds(
    BinLimits,
    st.one_of(st.none(), st.integers(1, 6)),
    st.integers(0, 12).map(float),
    st.sampled_from([-1, 0, 1]),
)


def table_of(counts):
    return ColumnCounts.from_dense(np.arange(len(counts)), counts)


def classes_in(counts):
    return int(np.count_nonzero(counts.sum(axis=0)))


def check(criterion, value, min_bins, counts, limits):
    found = TopDownSearch().run(criterion, table_of(counts), limits)
    if classes_in(counts) < 2:
        assert found.stop == "one_class"
        return
    bounds = limits.bounds(table_of(counts))
    gaps, steps = reference.top_down(counts.tolist(), value, min_bins(classes_in(counts)), bounds)
    assert [step.gap for step in found.steps] == gaps
    assert [step.score.value for step in found.steps] == pytest.approx(steps, rel=1e-9, abs=1e-9)
    assert found.gaps.tolist() == sorted(gaps)
    if gaps:
        assert found.score.value == pytest.approx(steps[-1], rel=1e-9, abs=1e-9)
        assert found.steps[-1].score.relevance == pytest.approx(found.score.relevance, rel=1e-9, abs=1e-12)


@criteria
@given(tables=count_tables(max_classes=4, n_parts=1))
def test_every_gap_is_tried(criterion, value, min_bins, tables):
    check(criterion, value, min_bins, tables[0], BinLimits())


@criteria
@given(tables=count_tables(max_classes=2, n_parts=1, max_count=8), limits=LIMITS)
def test_limits_are_part_of_the_search(criterion, value, min_bins, tables, limits):
    check(criterion, value, min_bins, tables[0], limits)


@given(count_tables(max_classes=4, n_parts=1, max_count=30))
def test_mdlp_is_a_recursion(tables):
    counts, _ = tables
    found = TopDownSearch().run(MDL(), table_of(counts))
    expected = reference.mdlp(counts.tolist()) if classes_in(counts) > 1 else []
    assert found.gaps.tolist() == expected


class PlainCAIM(BinSumCriterion):
    """CAIM without compiled code, as a newcomer would write it."""

    name = "CAIM"

    def terms(self, counts, class_rows):
        return counts.max(axis=-1) ** 2 / np.maximum(counts.sum(axis=-1), 1e-300)

    def value(self, total, n_bins, facts):
        return total / n_bins

    def min_bins(self, facts):
        return facts.n_classes


class PlainAmeva(PlainCAIM):
    name = "Ameva"

    def terms(self, counts, class_rows):
        seen = class_rows > 0
        return (counts[..., seen] ** 2 / class_rows[seen]).sum(axis=-1) / np.maximum(counts.sum(axis=-1), 1e-300)

    def value(self, total, n_bins, facts):
        return facts.n_rows * (total - 1) / (n_bins * (facts.n_classes - 1))

    def min_bins(self, facts):
        return 0


@pytest.mark.parametrize(("plain", "compiled"), [(PlainCAIM(), CAIM()), (PlainAmeva(), Ameva())])
@given(
    tables=count_tables(max_classes=2, n_parts=1, max_count=8), limits=LIMITS, unit=st.sampled_from([1.0, 0.25, 3.0])
)
def test_compiled_code_is_only_faster(plain, compiled, tables, limits, unit):
    table = table_of(tables[0])
    object.__setattr__(table, "unit", unit)
    slow, fast = (TopDownSearch().run(criterion, table, limits) for criterion in (plain, compiled))
    assert fast.gaps.tolist() == slow.gaps.tolist()
    assert fast.stop == slow.stop
    assert [step.score.value for step in fast.steps] == pytest.approx(
        [step.score.value for step in slow.steps], rel=1e-9
    )


def test_many_bins_are_found_quickly():
    """A column that changes class all the time: the heap, not a rescan, finds the next bin."""
    counts = np.zeros((20_000, 2), dtype=np.int64)
    counts[np.arange(20_000), np.arange(20_000) // 2 % 2] = 1
    found = TopDownSearch().run(MDL(), table_of(counts))
    assert found.stop == "not_shorter"
    peaks = TopDownSearch().run(Ameva(), table_of(counts))
    assert peaks.gaps.size < 20_000
