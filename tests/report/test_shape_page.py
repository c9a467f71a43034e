"""The report of an additive model: all of its numbers, readable by machines that read for people, nothing can run."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from cutwise import AdditiveClassifier, FixedCutsDiscretizer, NaiveBayesClassifier
from cutwise.persist import model_from_json
from cutwise.report import shapes_report, write_shapes_report
from cutwise.report.markup import shortened
from cutwise.report.shape_picture import ERRORS, nice_ticks, short_numbers, signed
from tests.report.payloads import PAYLOADS
from tests.report.test_html import Page, check_page_is_accessible


def example(n_rows=400, n_classes=2):
    rng = np.random.default_rng(0)
    age, income = rng.integers(18, 80, n_rows).astype(float), rng.exponential(1000, n_rows)
    city = rng.choice(["Bonn", "Köln"], n_rows)
    lean = (age > 45) * (income > 700) * 2.0 + age / 40 + (city == "Köln") + rng.logistic(size=n_rows)
    places = np.searchsorted(np.quantile(lean, np.arange(1, n_classes) / n_classes), lean)
    income[:9] = np.nan
    age[9:20] = -1
    return pd.DataFrame({"age": age, "income": income, "city": city}), np.array(["no", "yes", *"cdefghijkl"])[places]


def fitted(n_classes=2, **settings):
    return AdditiveClassifier(special_values={"age": [-1]}, alpha=1.0, **settings).fit(*example(n_classes=n_classes))


TWO = fitted(pairs=[("age", "income"), ("age", "city")])
THREE = fitted(3, pairs=[("age", "city")])


def terms_of(model):
    alone, paired = model.classifier_.term_importances()
    terms = [*zip(model.scheme_.names, alone, strict=True)]
    terms += [(" with ".join(pair), moved) for pair, moved in zip(model.pairs_, paired, strict=True)]
    return sorted(terms, key=lambda term: -term[1])


@pytest.mark.parametrize("model", [TWO, THREE], ids=["two classes", "three"])
def test_overview_sorts_columns_and_pairs_by_importance(model):
    page = Page(shapes_report(model))
    assert page.rows[0] == ["Rank", "Column", "Importance", "Share", "Kind", "Bins", "Scores"]
    terms = terms_of(model)
    total = sum(moved for _, moved in terms)
    expected = [[str(k), name, f"{m:.4f}", f"{m / total:.1%}"] for k, (name, m) in enumerate(terms, 1)]
    assert [row[:4] for row in page.rows[1 : len(terms) + 1]] == expected


def test_bins_have_scores_and_bands():
    rows = Page(shapes_report(TWO)).rows
    for name in TWO.scheme_.names:
        shape = TWO.shape(name)
        for code, (label, count, score, error) in enumerate(
            zip(shape["bin"], shape["rows"], shape["score of yes"], shape["standard error"], strict=True)
        ):
            row = [str(code), label, f"{count:.0f}", f"{count / 400:.1%}", signed(score), f"± {ERRORS * error:.3f}"]
            assert (row in rows) == (count > 0)
    assert ["Code", "Bin", "Rows", "Share of rows", "yes", "Band"] in rows


def test_cells_of_pairs_have_scores_and_rows():
    rows = Page(shapes_report(TWO)).rows
    grids = TWO.classifier_.grids_
    place = TWO.pairs_.index(("age", "city"))
    grid = grids.grid(place)
    cells = [row for row in rows if len(row) == 6 and row[1] in ("Bonn", "Köln")]
    assert [row[4] for row in cells if row[0] not in "01"] == [signed(score) for score in grid[:, :, 1].ravel()]
    assert sum(float(row[2]) for row in cells if row[0] not in "01") == 400
    assert ["age", "city", "Rows", "Share of rows", "yes", "Band"] in rows


def test_a_column_has_one_step_for_each_bin_and_a_pair_one_cell():
    page = Page(shapes_report(TWO))
    areas = [attributes for attributes in page.all("rect") if attributes.get("class") == "hint-area"]
    assert len(areas) == sum(np.count_nonzero(TWO.shape(name)["rows"]) for name in TWO.scheme_.names)
    grids = TWO.classifier_.grids_
    cells = [attributes for attributes in page.all("rect") if attributes.get("class") == "cell"]
    assert len(cells) == sum(grids.grid(place)[:, :, 0].size + 9 for place in range(2))
    strongest = max(float(rect["fill-opacity"]) for rect in page.all("rect") if "fill-opacity" in rect)
    assert strongest == 0.65
    curves = [path["class"] for path in page.all("path") if "curve" in path.get("class", "")]
    assert curves == ["curve line-2"] * 3


def test_a_line_is_as_high_as_its_score():
    model = AdditiveClassifier(FixedCutsDiscretizer({"x0": [1.5, 2.5]}), alpha=0.1)
    model.fit([[1.0], [2.0], [3.0]] * 6, ["no", "no", "yes", "no", "yes", "yes"] * 3)
    shape = model.shape("x0")
    text = shapes_report(model)
    [line] = re.findall(r'class="curve line-2" d="([^"]*)"', text)
    heights = [float(y) for y in re.findall(r"[MV](?:[\d.]+ )?([\d.]+)", line)]
    [zero] = re.findall(r'class="zero" d="M66 ([\d.]+)', text)
    scores = np.array(shape["score of yes"][:3])
    drawn = float(zero) - np.array(heights)
    assert drawn / np.abs(drawn).max() == pytest.approx(scores / np.abs(scores).max(), abs=0.01)
    assert [label in Page(text).texts for label in ("1.5", "2.5")] == [True, True]


def test_several_classes_have_a_line_each_and_many_are_cut_short():
    page = Page(shapes_report(THREE))
    assert {path["class"] for path in page.all("path") if "curve" in path.get("class", "")} == {
        f"curve line-{colour}" for colour in (1, 2, 3)
    }
    assert "score of yes" in page.texts
    many = Page(shapes_report(fitted(12)))
    assert "The scores of the 8 largest of 12 classes are shown." in many.text


def test_header_says_what_was_learned():
    text = Page(shapes_report(TWO, title="Who stays?")).text
    assert "400 rows, 3 columns, 2 pairs, 2 classes" in text
    assert "alpha = 1, given" in text
    assert f" {signed(TWO.start_[1])}" in text
    assert "Who stays?" in text


def test_page_is_accessible():
    page = Page(shapes_report(TWO))
    assert len(page.all("h1")) == 1
    assert len(page.all("caption")) == len(page.all("table")) == 6
    check_page_is_accessible(page)


def test_page_runs_and_loads_nothing():
    text = shapes_report(TWO)
    page = Page(text)
    [policy] = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    allowed = f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"
    assert policy == f"default-src 'none'; style-src {allowed}; base-uri 'none'; form-action 'none'"
    forbidden = {"script", "iframe", "object", "embed", "link", "base", "form", "img", "use", "foreignobject"}
    assert not forbidden & {tag for tag, _ in page.elements}
    for _, attributes in page.elements:
        assert not any(name.startswith("on") or name in ("src", "srcdoc", "action", "style") for name in attributes)
        assert attributes.get("href", "#").startswith("#")
    assert "://" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_is_shown_and_changes_no_structure(payload):
    def written(text):
        X, y = example(60)
        cities = pd.Series([text if city == "Bonn" else "Köln" for city in X["city"]], dtype=object)
        frame = pd.DataFrame({"age": X["age"], "city": cities})
        frame.columns = pd.Index([f"{text}1", "city"], dtype=object)
        labels = np.array(["z" + text if label == "yes" else "a" for label in y], dtype=object)
        model = AdditiveClassifier(3, alpha=1.0, pairs=[tuple(frame.columns)]).fit(frame, labels)
        page = shapes_report(model, title=text)
        page.encode("utf-8")
        return Page(page)

    page, twin = written(payload), written("h" * len(shortened(payload)))
    assert page.inventory == twin.inventory
    assert not page.comments
    assert page.text.count(shortened(payload + "1")) >= 4
    assert not any(payload in (value or "") for _, attributes in page.elements for value in attributes.values())


def test_equal_models_give_equal_pages(tmp_path):
    again = model_from_json(TWO.to_json())
    write_shapes_report(tmp_path / "page.html", again)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == shapes_report(TWO)


def test_wide_tables_and_many_categories_stay_small():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 230))
    page = Page(shapes_report(AdditiveClassifier(2, alpha=1.0).fit(X, X[:, 0] > 0)))
    assert "The first 200 of 230 have sections of their own." in page.text
    assert len(page.all("svg")) == 200
    names = pd.DataFrame({"name": [f"category {k}" for k in range(300)]})
    page = Page(shapes_report(AdditiveClassifier(alpha=1.0).fit(names, rng.random(300) > 0.5)))
    assert "The first 200 of 300 are shown." in page.text


def test_shapes_without_anything_to_show():
    nothing = pd.DataFrame({"gone": [np.nan] * 8, "same": [1.0] * 8})
    for target in (["a", "b"] * 4, ["a"] * 8):
        page = Page(shapes_report(AdditiveClassifier(alpha=1.0).fit(nothing, target)))
        assert len(page.all("svg")) == 2


def test_only_fitted_additive_models():
    with pytest.raises(NotFittedError):
        shapes_report(AdditiveClassifier())
    with pytest.raises(TypeError, match="not for NaiveBayesClassifier"):
        shapes_report(NaiveBayesClassifier())


def test_ticks_and_short_numbers():
    assert nice_ticks(-3.2, 7.0) == [-2.0, 0.0, 2.0, 4.0, 6.0]
    assert nice_ticks(0.0, 0.001) == [0.0, 0.0002, 0.0004, 0.0006, 0.0008, 0.001]
    assert short_numbers([]) == []
    assert short_numbers([100000.1, 100000.2]) == ["100000.1", "100000.2"]
    assert (signed(-1e-9), signed(-0.25, 2)) == ("+0.000", "-0.25")
