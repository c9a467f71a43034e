"""Groups of categories: what is found, what chance is not, and that every way to learn finds the same."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CAIMDiscretizer,
    ChiMergeDiscretizer,
    EqualWidthDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
    MDmDDiscretizer,
    MODLDiscretizer,
    MRmDDiscretizer,
    Scheme,
)
from cutwise.counts import ColumnCounts
from cutwise.criteria import Psi
from cutwise.discretize.attributes import Plan
from cutwise.discretize.groups import find_groups
from cutwise.errors import ColumnWarning, CountsError, TableError
from cutwise.search import NO_LIMITS, BinLimits, ExactSearch

GROUPING = [
    MRmDDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
    CAIMDiscretizer,
    CACCDiscretizer,
    AmevaDiscretizer,
]


def sample(rates, n_rows=3000, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, len(rates), n_rows)
    names = np.array([f"k{code:02}" for code in range(len(rates))])
    return pd.DataFrame({"k": names[codes]}), (rng.random(n_rows) < np.array(rates)[codes]).astype(int)


RATES = [0.1, 0.6, 0.3, 0.1, 0.6, 0.3, 0.1, 0.6, 0.3]
TRUE_GROUPS = [{"k00", "k03", "k06"}, {"k02", "k05", "k08"}, {"k01", "k04", "k07"}]


@pytest.mark.parametrize(
    "method",
    [
        MRmDDiscretizer(nominal="group", confirm=0.05),
        MRmDDiscretizer(nominal="group", search="exact"),
        MDLPDiscretizer(nominal="group"),
    ],
)
def test_like_rates_share_a_bin(method):
    X, y = sample(RATES)
    scheme = method.fit(X, y).scheme_
    found = scheme["k"]
    assert [set(group) for group in found.groups] == TRUE_GROUPS
    assert scheme.parameters["nominal"] == "group"
    rates = [counts[1] / sum(counts) for counts in found.class_counts]
    assert rates == sorted(rates)
    rows = X["k"].value_counts()
    assert all(rows[a] >= rows[b] for group in found.groups for a, b in itertools.pairwise(group))
    codes = method.transform(pd.DataFrame({"k": ["k00", "k07", None, "new"]}))
    assert codes[:, 0].tolist() == [0, 2, -1, -1]
    assert Scheme.from_json(scheme.to_json()) == scheme


@pytest.mark.parametrize("cls", GROUPING)
def test_random_categories_are_one_group(cls):
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"k": rng.integers(0, 500, 5000).astype(str)})
    found = cls(nominal="group", confirm=0.05).fit(X, rng.integers(0, 2, 5000)).scheme_["k"]
    assert found.n_bins == 1
    assert found.stop == "not_confirmed"


def partitions(n):
    """All ways to put n things into groups, as codes."""
    codes = [[0]]
    for _ in range(n - 1):
        codes = [[*one, code] for one in codes for code in range(max(one) + 2)]
    return codes


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(any), min_size=2, max_size=6),
    st.sampled_from([3.0, 8.0, 50.0]),
)
def test_the_exact_search_finds_the_best_of_all_groupings(counts, n_d):
    """With two classes no grouping has a higher relevance, discounted, than the best run of the rate order."""
    table = ColumnCounts.from_dense(np.arange(len(counts)), counts)
    criterion = Psi(n_d)
    found = find_groups(table, Plan(criterion, ExactSearch()), (NO_LIMITS,), is_ordered=False, max_categories=None)

    def score(codes):
        places, size = np.array(codes), max(codes) + 1
        joined = ColumnCounts.from_dense(np.arange(size), table.by_class.regroup(places, size).to_dense())
        return criterion.score(joined, np.arange(size - 1)).value

    best = max(map(score, partitions(len(counts))))
    assert found.score.value == pytest.approx(max(best, 0.0), abs=1e-9)
    assert score(found.codes.tolist()) == pytest.approx(found.score.value, abs=1e-9)


def test_limits_hold_for_groups():
    X, y = sample(np.linspace(0.05, 0.95, 30))
    few = MaxRelevanceDiscretizer(nominal="group", max_bins=3).fit(X, y).scheme_["k"]
    assert few.n_bins == 3
    large = MaxRelevanceDiscretizer(nominal="group", min_bin_size=0.2).fit(X, y).scheme_["k"]
    assert min(large.rows) >= 600


def test_rare_categories_go_to_a_group_together():
    X, y = sample(RATES)
    rare = pd.DataFrame({"k": [f"rare {i}" for i in range(40)]})
    X, y = pd.concat([X, rare], ignore_index=True), np.append(y, [0, 1] * 20)
    found = MDLPDiscretizer(nominal="group", max_categories=9).fit(X, y).scheme_["k"]
    (group,) = [group for group in found.groups if "rare 0" in group]
    assert set(rare["k"]) <= set(group)
    assert sum(map(len, found.groups)) == 49


@pytest.mark.parametrize(
    "as_ordered",
    [
        lambda values, order: pd.DataFrame({"k": pd.Categorical(values, categories=order, ordered=True)}),
        lambda values, order: pl.DataFrame({"k": pl.Series(values, dtype=pl.Enum(order))}),
    ],
)
def test_ordered_categories_keep_their_order(as_ordered):
    X, y = sample([0.1, 0.1, 0.6, 0.6, 0.1, 0.1])
    order = ["k05", "k00", "k03", "k02", "k04", "k01"]
    found = MDLPDiscretizer(nominal="group").fit(as_ordered(X["k"].tolist(), order), y).scheme_["k"]
    assert found.groups == (("k05", "k00"), ("k03", "k02"), ("k04", "k01"))


def test_an_order_is_tested_as_that_of_numbers():
    X, y = sample([0.1, 0.1, 0.6, 0.6, 0.1, 0.1])
    numbers = X.assign(k=X["k"].str[1:].astype(float))
    ordered = X.assign(k=pd.Categorical(X["k"], ordered=True))
    of_numbers = MRmDDiscretizer(confirm=0.05).fit(numbers, y).scheme_["k"]
    of_order = MRmDDiscretizer(confirm=0.05, nominal="group").fit(ordered, y).scheme_["k"]
    assert (of_order.class_counts, of_order.p_values) == (of_numbers.class_counts, of_numbers.p_values)
    assert (of_order.score, of_order.stop) == (of_numbers.score, of_numbers.stop)


def test_several_classes_need_no_line():
    """Four groups whose rates lie on no line are told apart; noise is one group."""
    rng = np.random.default_rng(1)
    profiles = np.array([[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6], [0.34, 0.33, 0.33]])
    codes = rng.integers(0, 16, 8000)
    y = (rng.random(8000)[:, np.newaxis] > profiles[codes % 4].cumsum(axis=1)).sum(axis=1)
    X = pd.DataFrame({"k": codes.astype(str), "noise": rng.integers(0, 100, 8000).astype(str)})
    scheme = MDLPDiscretizer(nominal="group", confirm=0.05).fit(X, y).scheme_
    assert {frozenset(int(one) % 4 for one in group) for group in scheme["k"].groups} == {
        frozenset({i}) for i in range(4)
    }
    assert scheme["noise"].n_bins == 1


@pytest.mark.parametrize(
    "method", [EqualWidthDiscretizer(), ChiMergeDiscretizer(), MODLDiscretizer(), MDmDDiscretizer()]
)
def test_other_methods_refuse(method):
    X, y = sample(RATES, 100)
    with pytest.raises(ValueError, match=f"{type(method).__name__} does not group categories"):
        method.set_params(nominal="group").fit(X, y)


def test_every_way_to_learn_finds_the_same():
    X, y = sample(RATES)
    X.loc[::50, "k"] = None
    method = MRmDDiscretizer(nominal="group", confirm=0.05)
    scheme = method.fit(X, y).scheme_
    order = np.random.default_rng(0).permutation(len(y))
    assert method.fit(X.iloc[order], y[order]).scheme_ == scheme
    table = pl.DataFrame({"k": X["k"].astype(object).where(X["k"].notna(), None).to_list(), "y": y})
    assert method.fit_table(table, "y").scheme_ == scheme
    parts = MRmDDiscretizer(nominal="group", confirm=0.05)
    for rows in np.array_split(np.arange(len(y)), 3):
        parts.partial_fit(X.iloc[rows], y[rows])
    assert parts.scheme_ == scheme
    weights = np.random.default_rng(1).integers(1, 4, len(y))
    twice = np.repeat(np.arange(len(y)), weights)
    assert method.fit(X, y, sample_weight=weights).scheme_ == method.fit(X.iloc[twice], y[twice]).scheme_


def test_fractional_weights_are_fewer_rows():
    """Noise stays one group where weights are uneven; a scale of weights is a number of rows."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"k": rng.integers(0, 60, 3000).astype(str)})
    y, weights = rng.integers(0, 2, 3000), rng.exponential(size=3000)
    method = MRmDDiscretizer(nominal="group", confirm=0.01)
    assert method.fit(X, y, sample_weight=weights).scheme_["k"].n_bins == 1
    X, y = sample(RATES)
    found = method.fit(X, y, sample_weight=rng.exponential(size=len(y))).scheme_["k"]
    assert [set(group) for group in found.groups] == TRUE_GROUPS


def test_degenerate_columns():
    X = pd.DataFrame({"one": ["a"] * 6, "none": [None] * 6, "two": [True, False] * 3}).astype({"none": "string"})
    scheme = MDLPDiscretizer(nominal="group", confirm=0.05).fit(X, [0, 1] * 3).scheme_
    assert scheme["one"].groups == (("a",),)
    assert scheme["none"].groups == ()
    assert sum(map(len, scheme["two"].groups)) == 2
    assert MDLPDiscretizer(nominal="group").fit(X, [0] * 6).scheme_["two"].n_bins == 1


def test_a_thinned_search_is_tested_by_its_categories():
    X, y = sample(np.random.default_rng(0).choice([0.2, 0.7], 200), 20000)
    table = X["k"].value_counts()
    method = MRmDDiscretizer(nominal="group", search="exact", max_candidates=20, confirm=0.05)
    found = method.fit(X, y).scheme_["k"]
    assert 2 <= found.n_bins <= 3
    assert sum(map(len, found.groups)) == len(table)
    assert all(p_value < 1e-6 for p_value in found.p_values[:1])
    assert BinLimits() == BinLimits(categories=np.eye(2, dtype=np.int64))


def test_counts_that_lose_an_order_are_refused():
    X, y = sample(RATES, 200)
    ordered = pl.DataFrame({"k": pl.Series(X["k"].tolist(), dtype=pl.Enum(sorted(set(X["k"])))), "y": y})
    method = MDLPDiscretizer(nominal="group")
    of_pandas = X.assign(k=pd.Categorical(X["k"], ordered=True), y=y)
    for table in (ordered, ordered.lazy(), of_pandas):
        with pytest.raises(CountsError, match="Column 'k' has ordered categories"):
            method.fit_table(table, "y")
    with pytest.raises(CountsError, match="Column 'k' has ordered categories"):
        method.partial_fit(ordered.select("k"), y)
    MDLPDiscretizer().fit_table(ordered, "y")


def test_more_categories_are_counted_where_they_are_grouped():
    X, y = sample(np.linspace(0.1, 0.9, 1_500), n_rows=40_000)
    table = X.assign(y=y)
    method = MDLPDiscretizer(nominal="group")
    assert method.fit_table(table, "y").scheme_ == method.fit(X, y).scheme_
    for options, most in (({}, 1), ({"nominal": "bin"}, None)):
        with pytest.raises(TableError, match="'k' has more than 1"):
            MDLPDiscretizer(**{"nominal": "group"} | options).fit_table(table, "y", max_categories=most)


def test_groups_have_a_say_in_the_choice_of_n_d():
    """Ten groups that differ are worth many partings; categories without a difference are worth none."""
    auto = MRmDDiscretizer("auto", nominal="group")
    X, y = sample(np.repeat(np.linspace(0.02, 0.98, 10), 3), n_rows=20_000)
    many = auto.fit(X, y)
    few = MRmDDiscretizer(2.0, nominal="group").fit(X, y)
    assert many.n_d_ > 2
    assert many.n_bins_[0] > few.n_bins_[0]
    assert auto.fit_table(X.assign(y=y), "y").scheme_ == many.scheme_
    X, y = sample([0.5] * 90, n_rows=2_000)
    assert auto.fit(X, y).n_d_ == 2


def test_confirmed_groups_of_rare_categories_hold():
    """Most categories have too few rows to tell how they differ: what groups promise is there in new rows."""
    rng = np.random.default_rng(0)
    weights = 1 / np.arange(1, 1_501) ** 0.8
    of_row = rng.choice(1_500, 10_000, p=weights / weights.sum())
    rates = 1 / (1 + np.exp(1.7 - rng.normal(size=1_500)))
    X, y = pd.DataFrame({"k": [f"c{k}" for k in of_row]}), (rng.random(10_000) < rates[of_row]).astype(int)
    scheme = MRmDDiscretizer(nominal="group", confirm=0.01).fit(X[:5_000], y[:5_000]).scheme_
    new = scheme.recount(X[5_000:], y[5_000:])
    assert scheme["k"].n_bins > 1
    assert new["k"].relevance > 0.7 * scheme["k"].relevance
    rare = X["k"][:5_000].value_counts()[lambda rows: rows < 10].index
    (group,) = [group for group in scheme["k"].groups if rare[0] in group]
    assert set(rare) <= set(group)


def test_groups_of_rare_categories_are_told():
    X, y = sample(np.linspace(0.1, 0.5, 400), n_rows=2_000)
    with pytest.warns(ColumnWarning, match=r"Column 'k': its 39. categories have 5\.0 rows each .*'max_categories'"):
        MRmDDiscretizer(nominal="group").fit(X, y)
    MRmDDiscretizer(nominal="group", max_categories=50).fit(X, y)


def test_what_counts_cannot_do_is_refused_for_columns_that_are_named_too():
    """Counts do not keep an order: a column that is grouped by name must not lose it in silence."""
    levels = pd.Categorical(["low", "mid", "high"] * 40, ["low", "mid", "high"], ordered=True)
    table = pd.DataFrame({"level": levels, "k": ["a", "b"] * 60, "y": [0, 1, 1, 0] * 30})
    for nominal in ("group", {"level": "group"}):
        with pytest.raises(CountsError, match="Column 'level' has ordered categories"):
            MDLPDiscretizer(nominal=nominal).fit_table(table, "y")
    MDLPDiscretizer(nominal={"k": "group"}).fit_table(table, "y")
    X, y = sample(np.linspace(0.1, 0.9, 1_500), n_rows=40_000)
    named = MDLPDiscretizer(nominal={"k": "group"})
    assert named.fit_table(X.assign(y=y), "y").scheme_ == named.fit(X, y).scheme_
