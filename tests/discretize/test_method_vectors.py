"""The worked examples of the methods' definitions."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CAIMDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    FixedFrequencyDiscretizer,
    MDLPDiscretizer,
    PKIDDiscretizer,
)
from cutwise.counts import ColumnCounts
from cutwise.criteria import CACC, CAIM, MDL, Ameva
from cutwise.criteria.bin_sums import mdl_test

D1 = (range(1, 13), [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 1, 2])
D2 = (range(1, 13), [0] * 4 + [1] * 4 + [2] * 4)
D3 = ([1, 1, 2, 2, 3, 4, 4, 5, 6, 6], [0, 0, 0, 1, 1, 1, 0, 1, 1, 1])
D4 = (range(1, 13), [0, 0, 0, 2, 0, 2, 2, 2, 3, 3, 2, 3])
D5 = ([0] * 6 + [1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1])
D6 = ([0] * 4 + list(range(1, 9)), [0] * 4 + [1] * 4 + [2] * 4)
TABLES = {"D1": D1, "D2": D2, "D3": D3, "D5": D5, "D6": D6}
CUTS = {
    CAIMDiscretizer(): ([3.5, 8.5], [4.5, 8.5], [1.5], [0.5], [0.5, 4.5]),
    CACCDiscretizer(): ([5.5, 8.5], [4.5, 8.5], [1.5], [0.5], [0.5, 4.5]),
    CACCDiscretizer(log_offset=1): ([5.5, 8.5], [4.5, 8.5], [1.5, 4.5], [0.5], [0.5, 4.5]),
    AmevaDiscretizer(): ([5.5, 8.5], [4.5, 8.5], [1.5], [0.5], [0.5, 4.5]),
    AmevaDiscretizer(all_classes=True): ([5.5, 8.5], [4.5, 8.5], [1.5], [0.5], [0.5, 4.5]),
    MDLPDiscretizer(): ([5.5], [4.5, 8.5], [], [], [0.5, 4.5]),
    PKIDDiscretizer(): ([4.5, 8.5], [4.5, 8.5], [2.5, 4.5], [0.5, 4.5], [0.5, 4.5]),
    FixedFrequencyDiscretizer(4): ([4.5, 8.5], [4.5, 8.5], [2.5, 5.5], [0.5, 4.5], [0.5, 4.5]),
    EqualWidthDiscretizer(4): ([3.75, 6.5, 9.25], [3.75, 6.5, 9.25], [2.25, 3.5, 4.75], [1.5, 3, 4.5], [2, 4, 6]),
    EqualFrequencyDiscretizer(4): ([3.5, 6.5, 9.5], [3.5, 6.5, 9.5], [1.5, 3.5, 4.5], [0.5, 3.5], [0.5, 2.5, 5.5]),
}
CASES = [
    pytest.param(method, table, cuts, id=f"{method!r}-{name}")
    for method, all_cuts in CUTS.items()
    for (name, table), cuts in zip(TABLES.items(), all_cuts, strict=True)
]


def fit(method, table):
    x, y = table
    return method.fit(np.array(x, dtype=float)[:, None], y)


@pytest.mark.parametrize(("method", "table", "cuts"), CASES)
def test_cuts(method, table, cuts):
    assert fit(method, table).cuts_[0].tolist() == cuts


@pytest.mark.parametrize(
    "method", [CAIMDiscretizer(), CACCDiscretizer(), AmevaDiscretizer(), MDLPDiscretizer()], ids=repr
)
def test_class_labels_with_a_hole(method):
    assert fit(method, D4).cuts_[0].tolist() == fit(method, D1).cuts_[0].tolist()


STEPS = {
    CAIMDiscretizer(): [(3.5, 2.888889), (8.5, 2.816667), (5.5, 2.1875)],
    CACCDiscretizer(): [(5.5, 0.715176), (8.5, 0.728168), (3.5, 0.705659)],
    AmevaDiscretizer(): [(5.5, 2.177143), (8.5, 2.48), (3.5, 2.0625)],
}


@pytest.mark.parametrize(("method", "steps"), STEPS.items(), ids=lambda x: repr(x)[:20])
def test_steps(method, steps):
    attribute = fit(method, D1).scheme_["x0"]
    tried = [(trial.cut, trial.score) for trial in (*attribute.steps, attribute.refused)]
    assert [cut for cut, _ in tried] == [cut for cut, _ in steps]
    assert [score for _, score in tried] == pytest.approx([score for _, score in steps], abs=5e-7)


@pytest.mark.parametrize(
    ("table", "places", "gain", "price"),
    [
        (D1, (0, 5, 12), 0.679065, 0.571154),
        (D1, (0, 3, 5), 0.321928, 1.0727),
        (D1, (5, 8, 12), 0.521641, 0.720631),
        (D2, (0, 4, 12), 0.918296, 0.4457),
        (D2, (4, 8, 12), 1.0, 0.451839),
    ],
)
def test_prices_of_mdlp(table, places, gain, price):
    y, (start, gap, stop) = np.array(table[1]), places
    counts = [np.bincount(part, minlength=3).astype(float) for part in (y[start:stop], y[start:gap], y[gap:stop])]
    assert mdl_test(*counts) == pytest.approx((gain, price), abs=5e-7)


@pytest.mark.parametrize(
    ("criterion", "value"),
    [(CAIM(), 2.377778), (Ameva(), 1.768889), (CACC(), 0.667833), (CACC(1), 0.624096), (MDL(), 0.753782)],
)
def test_values_of_a_fixed_table(criterion, value):
    table = ColumnCounts.from_dense([1, 2, 3], [[4, 0, 0], [1, 3, 1], [0, 1, 2]])
    assert criterion.score(table, np.array([0, 1])).value == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize(("n_rows", "n_bins"), [(1, 1), (100, 3), (900, 18), (10_000, 86)])
def test_sizes_of_wpkid(n_rows, n_bins):
    assert PKIDDiscretizer(30).fit(np.arange(float(n_rows))[:, None]).n_bins_.tolist() == [n_bins]


def test_unsupervised_methods_ignore_a_measurement_as_target():
    X, y = np.arange(20.0)[:, None], np.linspace(0.5, 3.1, 20)
    for method in (PKIDDiscretizer(), EqualWidthDiscretizer(3), EqualFrequencyDiscretizer(3)):
        with_target, without = method.fit(X, y).scheme_, method.fit(X).scheme_
        assert with_target == without
        assert without.classes == ("all rows",)


def test_unsupervised_methods_count_the_classes():
    scheme = EqualFrequencyDiscretizer(2).fit(np.arange(4.0)[:, None], ["a", "a", "a", "b"]).scheme_
    assert scheme.classes == ("a", "b")
    assert scheme["x0"].class_counts == ((2, 0), (1, 1))


def test_widths_of_a_huge_range():
    cuts = EqualWidthDiscretizer(4).fit([[-1.7e308], [1.7e308]]).cuts_[0]
    assert cuts.tolist() == pytest.approx([-8.5e307, 0.0, 8.5e307])


def test_widths_of_a_tiny_range():
    low = 1.0
    high = np.nextafter(np.nextafter(low, 2), 2)
    fitted = EqualWidthDiscretizer(10).fit([[low], [high]])
    assert (np.diff(fitted.cuts_[0]) > 0).all()
    assert fitted.transform([[low], [high]])[:, 0].tolist() == [0, fitted.n_bins_[0] - 1]


def test_sizes_are_weights():
    X = np.arange(20.0)[:, None]
    for method in (FixedFrequencyDiscretizer(5), EqualFrequencyDiscretizer(2)):
        assert method.fit(X, sample_weight=np.full(20, 0.5)).cuts_[0].tolist() == [9.5]
