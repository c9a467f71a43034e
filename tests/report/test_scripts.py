"""The page's own formulas: they say what the library says, and the file they write is the library's."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import replace

import numpy as np
import pytest

from cutwise import (
    CAIMDiscretizer,
    EqualWidthDiscretizer,
    FixedCutsDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
    MRmDDiscretizer,
    Scheme,
)
from cutwise.criteria import ExpectedDivergence, Psi, SplitDivergence, expected_share
from cutwise.criteria.score import weight_of_evidence
from cutwise.report import count_rows
from cutwise.report.markup import grouped
from cutwise.report.summary import summarize
from cutwise.scheme import encode_columns
from cutwise.scheme.attribute import interval_label, number_text
from cutwise.scheme.figures import gini, kolmogorov_smirnov, trend_of
from tests.report.node import MAKE, needs_node, run_modules
from tests.report.payloads import PAYLOADS
from tests.report.test_html import AGE

pytestmark = needs_node


def doubles():
    random = np.random.default_rng(0)
    bits = random.integers(0, 2**64, 3000, dtype=np.uint64)
    wild = [struct.unpack("<d", struct.pack("<Q", int(word)))[0] for word in bits]
    tame = np.concatenate(
        [random.normal(size=500), random.integers(-(10**6), 10**6, 300) / 100, 10.0 ** np.arange(-9, 23)]
    )
    edges = [0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1e16, 9999999999999998.0, 1e-4, 1e-5, 123456.0]
    return [number for number in [*wild, *tame.tolist(), *edges] if np.isfinite(number)]


def test_numbers_are_written_as_the_scheme_writes_them():
    # JSON.parse keeps the sign of a zero that is written with a point.
    numbers = doubles()
    found = run_modules(
        {"numbers": ["exactNumber", "numberText"]}, "return data.map((x) => [exactNumber(x), numberText(x)]);", numbers
    )
    assert found == [[repr(number), number_text(number)] for number in numbers]


def test_texts_are_written_as_the_scheme_writes_them():
    texts = [*PAYLOADS, '\x7f\x80ÿĀ😀\u2028\\"/\b\f\n\r\t']
    assert run_modules({"numbers": ["quoted"]}, "return data.map(quoted);", texts) == list(map(json.dumps, texts))


def test_labels():
    pairs = [(None, 2.5), (2.5, 1e-7), (0.30000000000000004, None)]
    found = run_modules({"numbers": ["intervalLabel"]}, "return data.map(([a, b]) => intervalLabel(a, b));", pairs)
    ends = [(-np.inf if low is None else low, np.inf if high is None else high) for low, high in pairs]
    assert found == [interval_label(*pair) for pair in ends]


def test_separators_of_thousands_are_those_of_the_library():
    texts = ["(-inf, 48250.5]", "(9000, 21250]", "(2, 2019]", "1e+16", "0.123456789", "-123456", "(1e-07, 99999.12345]"]
    found = run_modules({"numbers": ["grouped"]}, "return data.map((text) => grouped(text));", texts)
    assert found == list(map(grouped, texts))


def test_typed_numbers_may_have_separators():
    texts = ["48,250.5", "1,234,567", "12,34", "1e3", " 7 ", "", "-1,000"]
    found = run_modules({"numbers": ["typedNumber"]}, "return data.map(typedNumber);", texts)
    assert found == [48250.5, 1234567, None, 1000, 7, None, -1000]


COUNTS = [[(3, 1), (1, 3), (0, 4)], [(9, 1), (0, 0), (2, 0)], [(3, 0), (2, 0)], [(5, 5), (1, 9), (4, 4), (7, 3)]]


@pytest.mark.parametrize("counts", COUNTS)
def test_gini_ks_and_trend(counts):
    body = "return { ...ranking(data, 0), trend: trendOf(data, 0) };"
    found = run_modules({"measures": ["ranking", "trendOf"]}, body, counts)
    assert found["gini"] == pytest.approx(gini(counts))
    assert found["ks"] == pytest.approx(kolmogorov_smirnov(counts))
    cuts = {"cuts": tuple(map(float, range(len(counts) - 1))), "minimum": 0.0, "maximum": 9.0}
    attribute = replace(AGE, class_counts=tuple(counts), **cuts)
    assert found["trend"] == trend_of(attribute, 0)


def test_expected_share():
    random = np.random.default_rng(1)
    cases = [(5, 12, 4), (0, 9, 1), (9, 9, 1), (1, 2, 1), (900, 1000, 111), (40_000, 100_000, 11_111)]
    for n_rows in (3, 20, 500, 5000, 100_000, 3_000_000):
        n_valid = max(1, round(n_rows / random.integers(2, 12)))
        cases += [(int(rows), n_rows, n_valid) for rows in random.integers(0, n_rows + 1, 30)]
    found = run_modules({"measures": ["expectedShare"]}, "return data.map((c) => expectedShare(...c));", cases)
    assert found == pytest.approx([expected_share(*case) for case in cases], rel=1e-9, abs=1e-18)


@pytest.mark.parametrize(
    "counts", [[(3, 1), (1, 3), (0, 4)], [(9, 1), (0, 0), (2, 0)], [(0, 0), (0, 0)], [(3, 0), (2, 0)]]
)
def test_evidence(counts):
    found = run_modules({"measures": ["evidence"]}, "return evidence(data, 0);", counts)
    expected = weight_of_evidence(counts)
    assert [item["weight"] for item in found["bins"]] == pytest.approx(expected.weights)
    assert found["value"] == pytest.approx(expected.information_value)


def test_evidence_of_one_class_against_the_rest():
    counts = [(3, 1, 5), (1, 3, 0), (0, 0, 0)]
    found = run_modules({"measures": ["evidence"]}, "return evidence(data, 2);", counts)
    assert [item["weight"] for item in found["bins"]] == pytest.approx(
        weight_of_evidence([(5, 4), (0, 4), (0, 0)]).weights
    )


def table(n_rows=400, seed=0):
    random = np.random.default_rng(seed)
    X = np.column_stack([random.normal(size=n_rows), random.integers(0, 9, n_rows), random.exponential(size=n_rows)])
    y = (X[:, 0] + X[:, 2] + random.normal(size=n_rows) > 1).astype(int) + (X[:, 1] > 6)
    X[::17, 2] = np.nan
    return X, np.array(["no", "perhaps", "yes"])[y]


def judged(discretizer, X, y, sample_weight=None, parts=None):
    """Return what the page and the library say of random sets of cuts."""
    tables = count_rows(discretizer, X, y, sample_weight, parts)
    page = summarize(discretizer.scheme_, tables)
    random = np.random.default_rng(2)
    cases = []
    for item in page["attributes"]:
        cuts = item["gaps"]["cuts"]
        sizes = random.integers(0, min(6, len(cuts)), 4)
        cases.append([sorted(random.choice(cuts, size, replace=False).tolist()) for size in sizes])
    body = (
        MAKE
        + "const judge = (one) => (cuts) => ({ ...one.judge(cuts), bins: one.bins(cuts) });"
        + "return attributes.map((one, i) => data.cases[i].map(judge(one)));"
    )
    found = run_modules({"attribute": ["EditableAttribute"]}, body, {"page": page, "cases": cases})
    return tables, cases, found


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("validation", ["expected", "crossfit", "holdout"])
def test_scores_of_edited_cuts(validation, weighted):
    X, y = table()
    weight = np.random.default_rng(3).random(len(y)) if weighted else None
    fitted = MRmDDiscretizer(validation=validation, random_state=0).fit(X, y, weight)
    divergence = {
        "expected": ExpectedDivergence(9),
        "crossfit": SplitDivergence(range(9)),
        "holdout": SplitDivergence([1]),
    }
    tables, cases, found = judged(fitted, X, y, weight)
    criterion = Psi(50.0, divergence[validation])
    for counts, sets, scores in zip(tables, cases, found, strict=True):
        for cuts, score in zip(sets, scores, strict=True):
            gaps = np.searchsorted(counts.values, cuts, side="right") - 1
            expected = criterion.score(counts, gaps)
            said = (score["score"], score["relevance"], score["divergence"])
            assert said == pytest.approx(expected, abs=1e-12)
            assert np.sum(score["bins"]) == pytest.approx(counts.n_rows * counts.unit)


def test_parts_that_are_not_known_leave_the_divergence_open():
    X, y = table()
    drawn = np.random.RandomState(0)
    _, _, found = judged(MRmDDiscretizer(validation="crossfit", random_state=drawn).fit(X, y), X, y)
    assert all(score["divergence"] is None and score["score"] is None for scores in found for score in scores)
    parts = np.arange(len(y)) % 4
    _, _, found = judged(MRmDDiscretizer(validation="crossfit").fit(X, y, parts=parts), X, y, parts=parts)
    assert all(score["divergence"] >= 0 for scores in found for score in scores)


@pytest.mark.parametrize(
    "discretizer",
    [
        MRmDDiscretizer(),
        MRmDDiscretizer(search="exact", special_values=[3], missing="bin", n_d=20),
        MDLPDiscretizer(place="readable"),
        MaxRelevanceDiscretizer(max_cuts=4),
        CAIMDiscretizer(),
        EqualWidthDiscretizer(),
    ],
)
def test_the_scheme_file_is_what_the_library_writes(discretizer):
    X, y = table()
    weight = np.random.default_rng(3).integers(1, 5, len(y)) / 7
    fitted = discretizer.fit(X, y, weight)
    page = summarize(fitted.scheme_, count_rows(fitted, X, y, weight))
    edits = [[item["gaps"]["cuts"][2], item["gaps"]["cuts"][5]] for item in page["attributes"][:2]]
    program = (
        "const { page } = data;"
        "const make = () => page.attributes.map((item, i) => new EditableAttribute(item, i, page));"
        "const edited = make(); data.edits.forEach((cuts, i) => { edited[i].cuts = cuts; });"
        "return [schemeText(page, make()), schemeText(page, edited)];"
    )
    found = run_modules(
        {"attribute": ["EditableAttribute"], "scheme": ["schemeText"]}, program, {"page": page, "edits": edits}
    )
    assert found[0] == fitted.scheme_.to_json()
    again = Scheme.from_json(found[1])
    assert again.to_json() == found[1]
    assert [attribute.edited for attribute in again.attributes] == [True, True, False]
    assert again.attributes[2] == fitted.scheme_.attributes[2]
    for attribute, cuts in zip(again.attributes, edits, strict=False):
        assert list(attribute.cuts) == cuts
    weights = np.array(again.attributes[0].rows)
    codes = encode_columns(again, X)
    assert weights[:3] == pytest.approx([weight[codes[:, 0] == code].sum() for code in range(3)])


def typed(page, texts):
    """Return what happens when texts are typed into the field for a new cut, or for the cut of that place."""
    body = MAKE + "return data.texts.map(([text, place]) => typeCut(attributes[0], text, place ?? null));"
    modules = {"attribute": ["EditableAttribute"], "edits": ["typeCut"]}
    return run_modules(modules, body, {"page": page, "texts": texts})


@pytest.fixture(scope="module")
def small_page():
    X, y = np.arange(1.0, 9.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 1]
    fitted = MRmDDiscretizer().fit(X, y)
    assert fitted.cuts_[0].tolist() == [4.5]
    return summarize(fitted.scheme_, count_rows(fitted, X, y))


def test_a_typed_cut_stays_as_it_was_typed(small_page):
    found = typed(small_page, [["6.25"], [" 2 "], ["1e0"], ["4.75", 0], ["7.5", 0]])
    assert [edit["cuts"] for edit in found] == [[4.5, 6.25], [2, 4.5], [1, 4.5], [4.75], [7.5]]


def test_a_typed_cut_that_does_not_do_is_refused(small_page):
    found = typed(small_page, [["abc"], [""], ["Infinity"], ["0.5"], ["8"], ["4.25"]])
    messages = ["not a number", "not a number", "not a number", "without rows", "without rows", "the same rows already"]
    assert all(message in edit["error"] for edit, message in zip(found, messages, strict=True))


def incomes(n_rows):
    random = np.random.default_rng(0)
    X = np.exp(random.normal(11, 0.6, (n_rows, 1)))
    return X, (np.log(X[:, 0]) + random.normal(size=n_rows) > 11).astype(int)


@pytest.fixture(scope="module")
def income_page():
    X, y = incomes(50_000)
    fitted = MDLPDiscretizer(max_bins=3).fit(X, y)
    [counts] = count_rows(fitted, X, y)
    return summarize(fitted.scheme_, [counts]), counts


def test_round_numbers_stay_as_they_were_typed(income_page):
    page, _ = income_page
    [item] = page["attributes"]
    assert len(item["gaps"]["cuts"]) < item["n_gaps"] / 10
    numbers = [*range(20_000, 400_000, 2000), 37_500, 62_500, 150_000, 14_900, 15_100, 9500]
    found = typed(page, [[str(number)] for number in numbers])
    assert [number for number, edit in zip(numbers, found, strict=True) if number not in edit.get("cuts", ())] == []


def test_a_typed_cut_between_gaps_goes_to_the_nearest(income_page):
    page, counts = income_page
    gaps = page["attributes"][0]["gaps"]
    cuts, lows, highs = (np.array(gaps[key]) for key in ("cuts", "lows", "highs"))
    place = np.argmax(lows[1:] - highs[:-1])
    inside = float(np.round(highs[place] * 0.4 + lows[place + 1] * 0.6, 3))
    [edit] = typed(page, [[str(inside)]])
    nearest = cuts[np.argmin(np.abs(cuts - inside))]
    assert nearest in edit["cuts"]
    assert edit["moved"]["cut"] == nearest
    assert edit["moved"]["typed"] == f"{inside}"
    note = edit["moved"]["note"]
    assert note.startswith(f"You typed {inside}; {number_text(nearest)} is used: this page holds the counts at")
    between = np.searchsorted(counts.values, sorted([inside, nearest]), side="right")
    most = int(re.search(r"At most (\d+) rows? lies? between", note)[1])
    assert np.diff(counts.rows_up_to[between - 1])[0] <= most <= 200
    assert note in edit["words"]


@pytest.mark.parametrize(("n_rows", "digits"), [(300, 17), (5000, 17), (5000, 1)])
def test_short_texts_of_cuts_part_the_same_rows(n_rows, digits):
    X, y = incomes(n_rows)
    X = np.array([[float(f"{x:.{digits}g}")] for x in X[:, 0] / 1e5])
    X[:2, 0] = [0.3, 0.30000000000000004]
    fitted = MDLPDiscretizer(place="value").fit(X, y)
    [counts] = count_rows(fitted, X, y)
    page = summarize(fitted.scheme_, [counts])
    gaps = [0.3, *np.random.default_rng(1).choice(page["attributes"][0]["gaps"]["cuts"], 60)]
    sets = [sorted(set(gaps)), sorted({0.3, 0.30000000000000004} & set(page["attributes"][0]["gaps"]["cuts"]))]
    body = MAKE + "return data.sets.map((cuts) => attributes[0].cutTexts(cuts));"
    found = run_modules({"attribute": ["EditableAttribute"]}, body, {"page": page, "sets": sets})
    for cuts, texts in zip(sets, found, strict=True):
        assert len(set(texts)) == len(cuts)
        parted = [
            np.searchsorted(counts.values, numbers, side="right").tolist() for numbers in (cuts, [*map(float, texts)])
        ]
        assert parted[0] == parted[1]


def test_cuts_of_a_page_without_rows_have_exact_texts():
    scheme = FixedCutsDiscretizer({"x0": [0.3, 0.30000000000000004]}).fit([[0.1], [0.5]], [0, 1]).scheme_
    body = MAKE + "return attributes[0].cutTexts();"
    found = run_modules({"attribute": ["EditableAttribute"]}, body, {"page": summarize(scheme)})
    assert found == ["0.3", "0.30000000000000004"]


def test_without_rows_only_found_cuts_can_come_back(small_page):
    X, y = np.arange(1.0, 9.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 1]
    page = summarize(MRmDDiscretizer().fit(X, y).scheme_)
    [edit] = typed(page, [["6"]])
    assert "must be one of 4.5" in edit["error"]
    body = MAKE + "return attributes[0].judge([]);"
    found = run_modules({"attribute": ["EditableAttribute"]}, body, {"page": page})
    assert (found["relevance"], found["divergence"], found["score"]) == (0, 0, 0)


def test_cuts_of_a_search_without_steps_are_put_in_order():
    X, y = table()
    fitted = MRmDDiscretizer(search="exact").fit(X, y)
    page = summarize(fitted.scheme_, count_rows(fitted, X, y))
    found = run_modules(
        {"attribute": ["EditableAttribute"]}, MAKE + "return attributes.map((one) => one.trials());", {"page": page}
    )
    for trials, attribute in zip(found, fitted.scheme_.attributes, strict=True):
        assert not trials["isRecorded"]
        assert sorted(trial[0] for trial in trials["accepted"]) == list(attribute.cuts)
        assert trials["accepted"][-1][1] == pytest.approx(attribute.score)
