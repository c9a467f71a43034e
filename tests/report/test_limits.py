"""The limits of the fit in the page: what the page says of edited cuts is what the search would say of them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cutwise import CAIMDiscretizer, MDLPDiscretizer, MRmDDiscretizer, Scheme
from cutwise.discretize.seen import see_rows
from cutwise.kernels.reference import fits
from cutwise.report import count_rows
from cutwise.report.summary import summarize
from cutwise.search.limited import Rules
from tests.report.node import MAKE, needs_node, run_modules

pytestmark = needs_node

LIMITS = [
    {"min_bin_size": 12},
    {"min_bin_size": 0.1},
    {"max_bins": 3},
    {"monotonic": "increasing"},
    {"monotonic": "decreasing"},
    {"monotonic": "auto"},
    {"monotonic": "increasing", "event": "no"},
    {"monotonic": "decreasing", "event": "yes"},
    {"min_bin_size": 0.03, "max_bins": 4, "monotonic": "auto"},
    {"min_bin_size": {"x0": 12}, "max_bins": {"x1": 3}, "monotonic": {"x0": "increasing"}},
]


MORE_LIMITS = [
    {"min_bins": 4},
    {"max_bin_size": 0.4},
    {"max_bin_size": 60},
    {"min_events": 6},
    {"max_pvalue": 0.05},
    {"monotonic": "peak"},
    {"monotonic": "valley"},
    {"monotonic": "concave"},
    {"monotonic": "convex", "event": "no"},
    {"min_events": 3, "max_pvalue": 0.2, "max_bin_size": 0.7, "monotonic": "peak"},
]


def table(seed, n_rows=150):
    """Two columns, the first with gaps and the code -1, and two classes."""
    random = np.random.default_rng(seed)
    X = np.column_stack([random.integers(0, 25, n_rows), random.normal(size=n_rows).round(1)])
    y = np.where(X[:, 0] / 8 + X[:, 1] + random.normal(size=n_rows) > 2, "yes", "no")
    X[::11, 0], X[::13, 0] = np.nan, -1
    return X, y, random


def breaches(page, cases):
    """Return for each set of cuts of each attribute the texts by interval."""
    body = MAKE + "return attributes.map((one, i) => data.cases[i].map((cuts) => breachesOf(one, cuts)));"
    modules = {"attribute": ["EditableAttribute"], "limits": ["breachesOf"]}
    return run_modules(modules, body, {"page": page, "cases": cases})


def drawn_cuts(page, random):
    """Return random sets of the cuts that each attribute may have."""
    gaps = [item["gaps"]["cuts"] for item in page["attributes"]]
    sizes = [0, *random.integers(1, 6, 40)]
    return [[sorted(random.choice(cuts, size, replace=False).tolist()) for size in sizes] for cuts in gaps]


def fitted_page(limits, *, weighted):
    """Return a fit under limits, its counts, the page, random cuts for it, and the limits as the search has them."""
    X, y, random = table(0)
    weight = random.random(len(y)) + 0.5 if weighted else None
    fitted = MDLPDiscretizer(special_values=[-1], **limits).fit(X, y, weight)
    tables = count_rows(fitted, X, y, weight)
    page = summarize(fitted.scheme_, tables)
    return fitted, tables, page, drawn_cuts(page, random), fitted._limits(see_rows(fitted, X, y, weight, None))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_the_page_says_what_the_search_would_say(limits, weighted):
    fitted, tables, page, cases, allowed = fitted_page(limits, weighted=weighted)
    found = breaches(page, cases)
    told = set()
    for attribute, trials, counts, sets, texts in zip(
        fitted.scheme_.attributes, allowed, tables, cases, found, strict=True
    ):
        limit = next(one for one in trials if one.trend == attribute.trend)
        for cuts, by_bin in zip(sets, texts, strict=True):
            gaps = (np.searchsorted(counts.values, cuts, side="right") - 1).tolist()
            rows = [list(map(int, row)) for row in counts.class_counts]
            is_fine = len(gaps) <= limit.max_cuts(counts) and fits(rows, gaps, limit.min_count(counts), limit.riser)
            assert (not any(by_bin)) == is_fine, (cuts, by_bin)
            assert len(by_bin) == len(cuts) + 1
            told.add(is_fine)
    assert told == {False, True}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("limits", MORE_LIMITS, ids=str)
def test_the_page_says_what_the_rules_say(limits, weighted):
    _, tables, page, cases, allowed = fitted_page(limits, weighted=weighted)
    told = set()
    for (limit,), counts, sets, texts in zip(allowed, tables, cases, breaches(page, cases), strict=True):
        rules = Rules(counts, limit)
        for cuts, by_bin in zip(sets, texts, strict=True):
            ends = np.searchsorted(counts.values, cuts, side="right").tolist()
            broken = set(rules.broken_by([0, *ends, counts.n_values]))
            if len(cuts) + 1 < limit.min_bins:
                broken.add("min_bins")
            assert {re.search(r"\((\w+)", text)[1] for bin_texts in by_bin for text in bin_texts} == broken
            told.add(not broken)
    assert told == {False, True}


@pytest.mark.parametrize("method", [MRmDDiscretizer, MDLPDiscretizer, CAIMDiscretizer])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_found_cuts_break_nothing(limits, weighted, method):
    for seed in range(3):
        X, y, random = table(seed)
        weight = random.integers(1, 5, len(y)) / 7 if weighted else None
        fitted = method(special_values=[-1], **limits).fit(X, y, weight)
        read = Scheme.from_json(fitted.scheme_.to_json())
        for page in (summarize(read, count_rows(fitted, X, y, weight)), summarize(read)):
            cases = [[list(attribute.cuts)] for attribute in read.attributes]
            assert not any(any(map(any, sets)) for sets in breaches(page, cases))


def test_each_bin_says_what_it_breaks():
    x = np.repeat(np.arange(6.0), 10)
    y = np.repeat([0, 0, 1, 0, 1, 1], 10)
    y[::10] = 1
    fitted = MRmDDiscretizer(min_bin_size=15, max_bins=3, monotonic="increasing", event=1).fit(x[:, None], y)
    page = summarize(fitted.scheme_, count_rows(fitted, x[:, None], y))
    [[found, none]] = breaches(page, [[[1.5, 2.5, 3.5], []]])
    assert none == [[]]
    assert found == [
        [],
        ["10 rows, at least 15 asked for (min_bin_size)"],
        [
            "10 rows, at least 15 asked for (min_bin_size)",
            "“1” falls from 100.0% to 10.0% (monotonic: increasing)",
        ],
        ["4 bins, at most 3 asked for (max_bins)"],
    ]


@pytest.mark.parametrize(
    "parameters",
    [
        {"min_bin_size": "many", "max_bins": True, "monotonic": "sideways"},
        {"min_bin_size": 1e308, "max_bins": -3, "monotonic": 1},
        {"min_bin_size": 10**300, "max_bins": 2.5, "monotonic": None},
        {"min_bins": "few", "max_bin_size": -1.0, "min_events": True, "max_pvalue": "small"},
        {"min_bins": 0, "max_bin_size": 1e308, "min_events": 1e300, "max_pvalue": 2.0},
    ],
)
def test_parameters_of_a_foreign_scheme_that_are_no_limits_are_left_out(parameters):
    X, y, _ = table(0)
    fitted = MDLPDiscretizer().fit(X, y)
    data = fitted.scheme_.to_dict()
    data["parameters"].update(parameters)
    page = summarize(Scheme.from_dict(data), count_rows(fitted, X, y))
    for item in page["attributes"]:
        assert set(item["limits"].values()) == {None}
        assert item["min_count"] == 0
