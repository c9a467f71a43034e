"""The evaluation in the report: its figures, its words, and texts that are not markup."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cutwise import MRmDDiscretizer, Scheme, SchemeError
from cutwise.report import html_report, write_report
from cutwise.report.markup import shortened
from cutwise.scheme import measures as words
from tests.report.payloads import PAYLOADS
from tests.report.test_html import AGE, CITY, SCHEME, Page


def customers(n, seed, older=0, cities=("Bonn", "Rome")):
    rng = np.random.default_rng(seed)
    age = rng.normal(45 + older, 12, n).round()
    age[::40] = np.nan
    paid = rng.random(n) < 1 / (1 + np.exp(-(np.nan_to_num(age, nan=45) - 45) / 10))
    return pd.DataFrame({"age": age, "city": rng.choice(cities, n)}), np.where(paid, "paid", "late")


@pytest.fixture(scope="module")
def fitted():
    X, y = customers(2000, 0)
    return MRmDDiscretizer(max_bins=4).fit(X, y), X, y


def test_the_page_shows_every_figure_of_the_evaluation(fitted, tmp_path):
    discretizer, X, y = fitted
    found = discretizer.scheme_.evaluate(*customers(900, 1, older=9, cities=("Bonn", "Rome", "Oslo")))
    write_report(tmp_path / "page.html", discretizer, X, y, evaluation=found)
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert page.text.count(found.verdict) == 2
    for one in found.attributes:
        measures = [f"{one.index:.3f}", f"{one.divergence:.4f}", f"{one.divergence_by_chance:.4f}"]
        [line] = [row for row in page.rows if row[0] == one.name and row[-1] == one.verdict]
        assert line[1:4] == measures
        assert line[5] == f"{one.class_change:.2f}"
        for each in one.bins:
            rows = [f"{each.training_rows:,.0f}", f"{each.new_rows:,.0f}"]
            shares = [f"{each.training_share:.1%}", f"{each.new_share:.1%}"]
            assert any(row[:5] == [each.label, *rows, *shares] for row in page.rows)
    assert "Categories that training did not have: " in page.text
    assert "Oslo" in page.text
    [head] = [row for row in page.rows if row[:2] == ["Rank", "Attribute"]]
    assert head[2] == "On new rows"


def test_without_classes_no_rates_are_shown(fitted):
    discretizer, *_ = fitted
    page = Page(html_report(discretizer.scheme_, evaluation=discretizer.scheme_.evaluate(customers(900, 1)[0])))
    assert ["Bin", "Rows", "New rows", "Share", "New share"] in page.rows
    assert "Class change" not in page.text


def test_many_classes_show_the_largest_change():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 2)), rng.integers(0, 4, 600)
    scheme = MRmDDiscretizer().fit(X, y).scheme_
    page = Page(html_report(scheme, evaluation=scheme.evaluate(X, y)))
    heads = ["Bin", "Rows", "New rows", "Share", "New share", "Largest change", "Change", "95 % interval"]
    assert heads in page.rows


def test_the_most_changed_attributes_come_first(fitted):
    discretizer, *_ = fitted
    found = discretizer.scheme_.evaluate(*customers(900, 1))
    known = [words.STABLE, words.TOO_FEW, words.A_LITTLE, f"{words.SHIFTED}, {words.CLASSES_CHANGED}", words.SHIFTED]
    age = found["age"]
    named = [replace(age, name=f"x{i}", verdict=verdict) for i, verdict in enumerate(known)]
    named.append(replace(age, name="x5", verdict=words.SHIFTED, index=9.0))
    scheme = Scheme(
        method="MRmD",
        classes=discretizer.scheme_.classes,
        attributes=tuple(replace(discretizer.scheme_["age"], name=one.name) for one in named),
    )
    page = Page(html_report(scheme, evaluation=replace(found, attributes=tuple(named))))
    start = next(i for i, row in enumerate(page.rows) if row[0] == "Attribute")
    assert [row[0] for row in page.rows[start + 1 : start + 7]] == ["x5", "x3", "x4", "x2", "x1", "x0"]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_changes_no_structure(payload):
    def written(text):
        attributes = (replace(AGE, name=text), replace(CITY, name=text + "2", groups=((text,), ("Köln",))))
        scheme = Scheme(method=text, classes=(text, "yes"), attributes=attributes)
        X = np.array([[20.0, text], [50.0, "Köln"], [60.0, text + "new"], [1.0, None]], dtype=object)
        found = scheme.evaluate(X, [text, "yes", "yes", text])
        assert found[text + "2"].unseen == (text + "new",)
        return Page(html_report(scheme, text, evaluation=found))

    page, twin = written(payload), written("h" * len(shortened(payload)))
    assert page.inventory == twin.inventory
    assert not page.comments
    assert all(attributes.get("href", "#").startswith("#") for _, attributes in page.elements)
    assert not any(payload in (value or "") for _, attributes in page.elements for value in attributes.values())


def test_very_many_bins_are_not_all_written():
    attribute = replace(AGE, class_counts=((1, 2),) * 501, cuts=tuple(map(float, range(500))))
    scheme = replace(SCHEME, attributes=(attribute,))
    page = Page(html_report(scheme, evaluation=scheme.evaluate([[1.0], [2.0]])))
    assert "The first 500 of 501 bins are shown." in page.text


@pytest.mark.parametrize("event", ["late", "paid"])
def test_bars_behind_rates_are_those_of_the_event(fitted, event):
    discretizer, *_ = fitted
    scheme = replace(discretizer.scheme_, event=event)
    text = html_report(scheme, evaluation=scheme.evaluate(*customers(900, 1)))
    [row] = re.findall(r"<tr><th[^>]*><bdi>Rome</bdi>.*?</tr>", text)
    rates = re.findall(r'part-(\d+) tint-\w+">([\d.]+)%', row)
    assert len(rates) == 4
    assert all(abs(float(part) - float(shown)) <= 0.51 for part, shown in rates)


def test_both_samples_are_drawn_side_by_side(fitted):
    discretizer, *_ = fitted
    found = discretizer.scheme_.evaluate(*customers(900, 1))
    page = Page(html_report(discretizer.scheme_, evaluation=found))
    assert page.text.count("share of the new rows") == 2
    each = found["age"].bins[0]
    assert f"{each.label}: {100 * each.training_share:.1f}% of the training rows" in page.text


def test_an_evaluation_of_other_bins_is_refused(fitted):
    discretizer, *_ = fitted
    scheme = discretizer.scheme_
    found = scheme.evaluate(*customers(900, 1))
    with pytest.raises(SchemeError, match=r"of other bins: attribute 'age' has .* Evaluate this scheme again"):
        html_report(scheme.with_cuts("age", scheme["age"].cuts[:1]), evaluation=found)
    with pytest.raises(SchemeError, match=r"of another scheme: its attributes are \('age',\), not \('age', 'city'\)"):
        html_report(scheme, evaluation=replace(found, attributes=found.attributes[:1]))


def test_cuts_set_by_hand_without_counts_have_a_page(fitted):
    discretizer, *_ = fitted
    scheme = discretizer.scheme_.with_cuts("age", [33.25])
    page = Page(html_report(scheme, evaluation=scheme.evaluate(*customers(900, 1))))
    assert any(row[0] == "age" and row[-1] == words.NOTHING_TO_COMPARE and row[1] == "-" for row in page.rows)
