"""Groups of categories are edited in the page: what it says of them is what the library says."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from cutwise import MDLPDiscretizer, MRmDDiscretizer, Scheme
from cutwise.counts import ColumnCounts
from cutwise.criteria import ExpectedDivergence, Psi
from cutwise.errors import TableError
from cutwise.report import count_rows, html_report
from cutwise.report.summary import summarize
from cutwise.scheme.figures import gini, kolmogorov_smirnov
from tests.report.node import needs_node, run_modules
from tests.report.payloads import PAYLOADS


def towns(n_rows=900, n_towns=12, seed=0, classes=("bad", "good")):
    """Return a table whose column of towns has a few rates, and the classes."""
    random = np.random.default_rng(seed)
    places = np.minimum(random.exponential(n_towns / 5, n_rows).astype(int), n_towns - 1)
    rates = 0.1 + 0.7 * (places % 4) / 4
    X = pd.DataFrame({"town": [f"Town {place}" for place in places], "age": random.integers(18, 80, n_rows)})
    X.loc[:9, "town"] = None
    return X, np.where(random.random(n_rows) < rates, *classes)


IMPORTS = {"groups": ["GroupedAttribute", "moveCategories"], "scheme": ["schemeText"], "limits": ["breachesOf"]}
MAKE = "const { page } = data; const town = new GroupedAttribute(page.attributes[0], 0, page);"


def edited_in_page(page, moves):
    """Return counts, scores and the file after moves of categories, each [texts of categories, group or None]."""
    body = (
        MAKE + "for (const [names, target] of data.moves)"
        " town.chosen = moveCategories(town, names.map((one) => town.texts.indexOf(one)), target).chosen;"
        "const others = page.attributes.slice(1).map((item) => ({ data: item, isChanged: false }));"
        "return { ...town.judge(), bins: town.bins(), before: town.before, isChanged: town.isChanged,"
        " broken: breachesOf(town), file: schemeText(page, [town, ...others]) };"
    )
    return run_modules(IMPORTS, body, {"page": page, "moves": moves})


@pytest.fixture(scope="module")
def fitted():
    X, y = towns()
    return MRmDDiscretizer(nominal="group").fit(X, y), X, y


@needs_node
@pytest.mark.parametrize(
    "moves",
    [
        [[["Town 0"], None]],
        [[["Town 0"], 1], [["Town 3", "Town 2"], None]],
        [[["Town 5"], 0], [["Town 6"], 0], [["Town 7"], 1]],
    ],
)
def test_edited_groups_are_those_of_the_library(fitted, moves):
    discretizer, X, y = fitted
    scheme = discretizer.scheme_
    found = edited_in_page(summarize(scheme, count_rows(discretizer, X, y)), moves)
    back = Scheme.from_json(found["file"])
    by_hand = scheme.with_groups("town", back["town"].groups).recount(X, y)
    assert back["town"].edited
    assert back["town"].groups != scheme["town"].groups
    assert back["town"].class_counts == by_hand["town"].class_counts
    assert back["town"].missing_by_class == scheme["town"].missing_by_class
    assert found["relevance"] == pytest.approx(by_hand["town"].relevance, rel=1e-12)
    pairs = [(row[0], row[1]) for row in (*by_hand["town"].class_counts, by_hand["town"].missing_by_class)]
    place = scheme.event_place
    events = [(pair[place], pair[1 - place]) for pair in pairs]
    assert found["gini"] == pytest.approx(gini(events))
    assert found["ks"] == pytest.approx(kolmogorov_smirnov(events))
    assert found["value"] == pytest.approx(by_hand.summary().set_index("attribute").loc["town", "iv"])
    table = ColumnCounts.from_dense(np.arange(back["town"].n_bins), back["town"].class_counts)
    score = Psi(50.0, ExpectedDivergence(9)).score(table, np.arange(back["town"].n_bins - 1))
    assert [back["town"].score, found["divergence"]] == pytest.approx([score.value, score.divergence])
    assert back.to_json() == found["file"]


@needs_node
def test_a_category_that_comes_back_leaves_no_edit(fitted):
    discretizer, X, y = fitted
    page = summarize(discretizer.scheme_, count_rows(discretizer, X, y))
    code = next(code for code, group in enumerate(discretizer.scheme_["town"].groups) if len(group) > 1)
    name = discretizer.scheme_["town"].groups[code][0]
    found = edited_in_page(page, [[[name], (code + 1) % 2], [[name], code]])
    assert not found["isChanged"]
    assert found["file"] == discretizer.scheme_.to_json()


@needs_node
def test_divergence_between_parts_is_known_where_the_parts_are():
    X, y = towns()
    discretizer = MRmDDiscretizer(nominal="group", validation="holdout", random_state=0).fit(X, y)
    tables = count_rows(discretizer, X, y)
    found = edited_in_page(summarize(discretizer.scheme_, tables), [])
    assert found["divergence"] == discretizer.scheme_["town"].divergence
    body = MAKE + "return town.judge([...town.groups]).divergence;"
    again = run_modules(IMPORTS, body, {"page": summarize(discretizer.scheme_, tables)})
    assert again == pytest.approx(discretizer.scheme_["town"].divergence)


@needs_node
def test_weights_are_added_up():
    X, y = towns()
    weights = np.random.default_rng(1).uniform(0.5, 2.0, len(y))
    discretizer = MDLPDiscretizer(nominal="group").fit(X, y, sample_weight=weights)
    page = summarize(discretizer.scheme_, count_rows(discretizer, X, y, weights))
    back = Scheme.from_json(edited_in_page(page, [[["Town 0", "Town 1"], None]])["file"])
    by_hand = discretizer.scheme_.with_groups("town", back["town"].groups).recount(X, y, weights)
    assert np.array(back["town"].class_counts) == pytest.approx(np.array(by_hand["town"].class_counts), rel=1e-6)


@needs_node
def test_groups_that_break_a_limit_say_so():
    X, y = towns()
    discretizer = MDLPDiscretizer(nominal="group", min_bin_size=100, max_bins=4).fit(X, y)
    page = summarize(discretizer.scheme_, count_rows(discretizer, X, y))
    assert not any(edited_in_page(page, [])["broken"])
    broken = edited_in_page(page, [[["Town 11"], None]])["broken"]
    assert "at least 100 asked for (min_bin_size)" in broken[-1][0]


@needs_node
@pytest.mark.parametrize("kind", [[*PAYLOADS, 'a "quote"'], [True, False], [7, 3, -1], [2.5, 1.0, 1e20]])
def test_categories_of_every_kind_are_written_as_they_came(kind):
    dtype = "category" if isinstance(kind[0], float | int) and not isinstance(kind[0], bool) else object
    X, y = pd.DataFrame({"town": pd.Series(kind * 4, dtype=dtype)}), np.tile(["no", "yes"], 2 * len(kind))
    discretizer = MDLPDiscretizer(nominal="group").fit(X, y)
    page = summarize(discretizer.scheme_, count_rows(discretizer, X, y))
    body = MAKE + "town.chosen = town.groups.flat().map((one) => [one]).reverse(); return schemeText(page, [town]);"
    text = run_modules(IMPORTS, body, {"page": page})
    single = [[one] for group in discretizer.scheme_["town"].groups for one in group][::-1]
    by_hand = discretizer.scheme_.with_groups("town", single).recount(X, y)
    lists = [text[text.index('"categories":') : text.index('"edited":')] for text in (text, by_hand.to_json())]
    assert lists[0] == lists[1]


@needs_node
def test_labels_of_groups_are_those_of_the_library(fitted):
    discretizer, X, y = fitted
    body = MAKE + "return town.groups.map((_, code) => town.groupName(code));"
    found = run_modules(IMPORTS, body, {"page": summarize(discretizer.scheme_, count_rows(discretizer, X, y))})
    assert found == list(discretizer.scheme_["town"].labels)


def test_counts_of_categories_are_sent_in_short():
    n_towns = 20_000
    X = pd.DataFrame({"town": [f"Town {i % n_towns}" for i in range(3 * n_towns)]})
    y = np.tile(["no", "yes", "no"], n_towns)
    discretizer = MDLPDiscretizer(nominal="group").fit(X, y)
    [item] = summarize(discretizer.scheme_, count_rows(discretizer, X, y))["attributes"]
    sent = len(json.dumps(item["categories"], separators=(",", ":")))
    assert sent < 3 * n_towns
    assert len(item["categories"]["row_of"]) == n_towns


def test_other_rows_are_an_error(fitted):
    discretizer, X, y = fitted
    with pytest.raises(TableError, match=r"town.*other rows"):
        count_rows(discretizer, X.assign(town=X["town"].sample(frac=1.0, random_state=0).to_numpy()), y)


def test_equal_rows_give_equal_pages(fitted):
    discretizer, X, y = fitted
    pages = [html_report(discretizer.scheme_, "Towns", count_rows(discretizer, X, y)) for _ in range(2)]
    assert all(one == other for one, other in pairwise(pages))


def test_many_categories_that_are_a_bin_each_are_not_edited():
    X, y = towns(n_towns=60, n_rows=3000)
    discretizer = MDLPDiscretizer().fit(X, y)
    assert count_rows(discretizer, X, y)[0] is None
    assert "categories" not in summarize(discretizer.scheme_, count_rows(discretizer, X, y))["attributes"][0]
