"""The report: complete, readable by machines that read for people, and nothing in it can run."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from cutwise.criteria.score import weight_of_evidence
from cutwise.report import html_report
from cutwise.report.html import page_script
from cutwise.report.markup import shortened
from cutwise.scheme import STOP_REASONS, CutTrial, NominalAttribute, NumericAttribute, Scheme
from tests.report.payloads import PAYLOADS

VOID = {"meta"}


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, texts, and whether tags match."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self.comments, self.open = [], [], [], []
        self.rows = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.texts.append(data)
        if self.open and {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data

    def handle_comment(self, data):
        self.comments.append(data)

    @property
    def text(self):
        return "\n".join(self.texts)

    @property
    def inventory(self):
        return Counter((tag, tuple(sorted(attributes))) for tag, attributes in self.elements)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def check_page_is_accessible(page):
    """Headings of tables say what they head, links lead to one place each, pictures say that they are pictures."""
    assert all(th.get("scope") in ("row", "col") for th in page.all("th"))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    assert {link["href"].removeprefix("#") for link in page.all("a")} <= set(ids)
    assert all(svg["role"] == "img" for svg in page.all("svg"))


AGE = NumericAttribute(
    name="age",
    class_counts=((3, 1), (1, 3)),
    missing_by_class=(0, 0),
    score=0.1512,
    relevance=0.1887,
    divergence=0.0338,
    stop="no_gain",
    cuts=(37.5,),
    minimum=20.0,
    maximum=60.25,
    n_values=8,
    n_candidates=7,
    steps=(CutTrial(37.5, 0.1512, 0.1887, 0.0338),),
    refused=CutTrial(50.5, 0.1499, 0.1999, 0.0444),
)
CITY = NominalAttribute(
    name="city",
    class_counts=((2, 1), (1, 2)),
    missing_by_class=(1, 1),
    score=0.2,
    relevance=0.3,
    divergence=0.05,
    stop="nominal",
    groups=(("Bonn",), ("Köln",)),
)
SCHEME = Scheme(method="MRmD", classes=("no", "yes"), attributes=(AGE, CITY), parameters={"n_d": 50.0})
MANY_CLASSES = Scheme(
    method="MRmD",
    classes=(0, 1, 2),
    attributes=(replace(AGE, class_counts=((3, 1, 0), (1, 3, 2)), missing_by_class=(0, 0, 0)),),
)
FIGURES = ("IV", "Gini", "KS")


def test_overview_ranks_by_relevance():
    page = Page(html_report(SCHEME))
    assert page.rows[0] == ["Rank", "Attribute", *FIGURES, "Trend", "Bins", "Missing", "Kind", "Relevance", "J", "Psi"]
    city = ["1", "city", "0.186", "0.312", "0.250", "-", "2", "2", "nominal", "0.3000", "0.0500", "0.2000"]
    age = ["2", "age", "0.678", "0.500", "0.500", "increasing", "2", "0", "numeric", "0.1887", "0.0338", "0.1512"]
    assert page.rows[1:3] == [city, age]


def test_the_overview_has_the_figures_of_the_summary():
    page = Page(html_report(SCHEME))
    summary = SCHEME.summary("pandas").set_index("attribute")
    for row in page.rows[1:3]:
        assert row[2:5] == [f"{summary.loc[row[1], key]:.3f}" for key in ("iv", "gini", "ks")]
    facts = [f"{summary.loc['age', key]:.4f}" for key in ("iv", "gini", "ks")]
    assert all(fact in page.texts for fact in facts)


def test_several_classes_have_the_reason_to_stop():
    page = Page(html_report(MANY_CLASSES))
    heads = ["Rank", "Attribute", "Relevance", "Kind", "Bins", "Rows", "Missing", "J", "Psi", "Why it stopped"]
    assert page.rows[0] == heads
    assert page.rows[1][-1] == STOP_REASONS["no_gain"]
    assert not {"Gini", "Event", "WoE"} & set(page.texts)


def test_bins_have_rates_and_weights():
    page = Page(html_report(SCHEME))
    assert ["Code", "Bin", "Rows", "Share of rows", "no", "yes", "WoE", "IV"] in page.rows
    assert ["0", "(-inf, 37.5]", "4", "50.0%", "75.0%", "25.0%", "+0.847", "0.3389"] in page.rows
    assert ["1", "(37.5, inf)", "4", "50.0%", "25.0%", "75.0%", "-0.847", "0.3389"] in page.rows
    assert ["-1", "missing", "2", "25.0%", "50.0%", "50.0%", "+0.000", "0.0000"] in page.rows
    assert "0.6778" in page.texts


def test_missing_rows_in_a_bin_have_its_code():
    page = Page(html_report(replace(SCHEME, missing="bin")))
    assert ["2", "missing", "2", "25.0%", "50.0%", "50.0%", "+0.000", "0.0000"] in page.rows


def test_categories_come_by_the_rate_of_the_event():
    counts = ((8, 1), (2, 7), (5, 4), (0, 0))
    tiny = replace(CITY, class_counts=counts, groups=(("Bonn",), ("Köln",), ("Ulm",), ("Trier",)))
    page = Page(html_report(replace(SCHEME, attributes=(tiny,), event="yes")))
    assert [row[1] for row in page.rows if len(row) == 8][1:] == ["Köln", "Ulm", "Bonn", "Trier", "missing"]
    other = Page(html_report(replace(SCHEME, attributes=(tiny,), event="no")))
    assert [row[1] for row in other.rows if len(row) == 8][1:] == ["Bonn", "Ulm", "Köln", "Trier", "missing"]


def test_long_numbers_have_separators_of_thousands():
    rich = replace(AGE, name="income", cuts=(48250.5,), minimum=9000.0, maximum=1e6)
    page = Page(html_report(replace(SCHEME, attributes=(rich,))))
    assert [row[1] for row in page.rows if len(row) == 8][1:] == ["(-inf; 48,250.5]", "(48,250.5; inf)"]
    assert "9,000 to 1,000,000, 8 distinct" in page.texts
    assert "48,250.5" in page.texts


def test_evidence_by_hand():
    # (3.5, 1.5) and (1.5, 3.5) of (5, 5): ln(0.3 / 0.7) = -0.847298, and 2 * 0.4 * 0.847298 = 0.677838.
    found = weight_of_evidence([(3, 1), (1, 3)])
    assert found.weights == pytest.approx((-0.8472979, 0.8472979))
    assert found.information_value == pytest.approx(0.6778383)
    # A pure bin: (4.5, 0.5) of (5, 5.0) and (0.5, 4.5): ln(1 / 9) = -2.197225, 2 * 0.8 * 2.197225 = 3.515559.
    assert weight_of_evidence([(4, 0), (0, 4)]).information_value == pytest.approx(3.5155593)


def test_no_weights_unless_there_are_two_classes():
    page = Page(html_report(MANY_CLASSES))
    assert ["1", "(37.5, inf)", "6", "60.0%", "16.7%", "50.0%", "33.3%"] in page.rows
    assert "IV" not in page.texts


def test_steps_and_the_refused_cut():
    page = Page(html_report(SCHEME))
    assert ["1", "37.5", "0.1512", "0.1887", "0.0338"] in page.rows
    assert ["refused", "50.5", "0.1499", "0.1999", "0.0444"] in page.rows
    assert "Steps of the search: 1 accepted cut" in page.text
    for attribute, words in (
        (replace(AGE, steps=(), refused=None, stop="optimum"), "kept no record"),
        (replace(AGE, steps=(), refused=None, cuts=(), class_counts=((4, 4),), stop="one_value"), "tried no cut"),
    ):
        assert words in Page(html_report(replace(SCHEME, attributes=(attribute,)))).text


def test_page_is_accessible():
    page = Page(html_report(SCHEME, title="Who stays?"))
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("h1")) == 1
    assert len(page.all("h2")) == 4
    assert "Who stays?" in page.texts
    assert len(page.all("caption")) == len(page.all("table")) == 4
    assert page.all("a")[0]["href"] == "#main"
    check_page_is_accessible(page)


def test_page_runs_nothing_but_its_own_script():
    text = html_report(SCHEME)
    page = Page(text)
    [policy] = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    [script] = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    allowed = [f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'" for part in (script, style)]
    assert policy == (
        f"default-src 'none'; script-src {allowed[0]}; style-src {allowed[1]}; base-uri 'none'; form-action 'none'"
    )
    kinds = [attributes["type"] for attributes in page.all("script")]
    assert kinds == ["application/json", "module"]


def test_page_loads_nothing():
    page = Page(html_report(SCHEME))
    forbidden = {"iframe", "object", "embed", "link", "base", "form", "img", "use", "foreignobject"}
    assert not forbidden & {tag for tag, _ in page.elements}
    for _, attributes in page.elements:
        refused = ("src", "srcdoc", "action", "style")
        assert not any(name.startswith("on") or name in refused for name in attributes)
        assert attributes.get("href", "#").startswith("#")
    text = html_report(SCHEME).replace("http://www.w3.org/2000/svg", "")
    assert "://" not in text
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.parametrize("word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch("])
def test_the_script_makes_no_markup_from_texts(word):
    assert word not in page_script()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_is_shown_and_changes_no_structure(payload):
    def written(text):
        attributes = (replace(AGE, name=text), replace(CITY, name=text + "2", groups=((text,), ("Köln",))))
        scheme = Scheme(
            method=text, classes=(text, "yes"), attributes=attributes, parameters={text: text, "many": (1, 2)}
        )
        page = html_report(scheme, title=text)
        page.encode("utf-8")
        return Page(page)

    page, twin = written(payload), written("h" * len(shortened(payload)))
    assert page.inventory == twin.inventory
    assert not page.comments
    assert page.text.count(shortened(payload)) >= 6
    assert all(attributes.get("href", "#").startswith("#") for _, attributes in page.elements)
    assert not any(payload in (value or "") for _, attributes in page.elements for value in attributes.values())


def test_very_many_bins_are_not_all_written():
    attribute = replace(AGE, class_counts=((1, 2),) * 501, cuts=tuple(map(float, range(500))))
    page = Page(html_report(replace(SCHEME, attributes=(attribute,))))
    assert "The first 500 of 501 bins are shown" in page.text
    assert ["499", "(498, 499]", "3", "0.2%", "33.3%", "66.7%"] in [row[:6] for row in page.rows]
    assert not any(row[0] == "500" for row in page.rows)


def test_three_hundred_categories_are_all_shown_and_of_more_the_largest():
    def shown(n):
        counts = tuple((k + 1, 1) for k in range(n))
        attribute = replace(CITY, class_counts=counts, groups=tuple((f"c{k}",) for k in range(n)))
        page = Page(html_report(replace(SCHEME, attributes=(attribute,))))
        return [row[1] for row in page.rows if len(row) == 8][1:], page

    names, page = shown(300)
    assert names == [*(f"c{k}" for k in range(300)), "missing"]
    assert "bins many" in [table["class"] for table in page.all("table")]
    names, page = shown(900)
    assert names == [*(f"c{k}" for k in range(401, 900)), "missing"]
    assert "Those with the most rows, 500 of 901 bins are shown" in page.text


def test_empty_schemes_have_a_report():
    assert "0 attributes" in Page(html_report(Scheme(method="MRmD", classes=(), attributes=()))).text
    nothing = replace(CITY, class_counts=(), groups=(), missing_by_class=(0, 0), relevance=0.0)
    empty = replace(AGE, class_counts=((0, 0),), cuts=(), minimum=None, maximum=None, stop="no_values", relevance=0.0)
    page = Page(html_report(replace(SCHEME, attributes=(nothing, empty))))
    assert ["0", "(-inf, inf)", "0", "-", "-", "-", "-", "-"] in page.rows
    assert STOP_REASONS["no_values"] in page.text


def test_equal_schemes_give_equal_pages():
    assert html_report(SCHEME) == html_report(Scheme.from_json(SCHEME.to_json()))


CODED = replace(AGE, special_values=(-999.0, 99.0), class_counts=((3, 1), (1, 3), (2, 0), (0, 0)))


def test_special_values_have_rows_and_bars():
    page = Page(html_report(Scheme(method="MRmD", classes=("no", "yes"), attributes=(CODED,))))
    rows = [row for row in page.rows if row[0] in ("2", "3") and len(row) > 5]
    assert [row[1] for row in rows] == ["-999", "99"]
    assert rows[1][-1] == "-"


def test_a_criterion_other_than_psi():
    page = Page(html_report(Scheme(method="CAIM", criterion="CAIM", classes=("no", "yes"), attributes=(AGE,))))
    heads = ["Rank", "Attribute", *FIGURES, "Trend", "Bins", "Missing", "Kind", "Relevance"]
    assert page.rows[0] == [*heads, "CAIM"]
    assert ["Step", "Cut", "CAIM", "Relevance"] in page.rows
    plain = Page(html_report(Scheme(method="MDLP", criterion="relevance", classes=("no", "yes"), attributes=(AGE,))))
    assert plain.rows[0] == heads
    assert ["Step", "Cut", "Relevance"] in plain.rows


def test_fractional_weights_are_shown_short():
    weighted = replace(AGE, class_counts=((3.123456789, 1.0), (1.5, 3.0)))
    text = html_report(Scheme(method="MRmD", classes=("no", "yes"), attributes=(weighted,)))
    assert "4.12346" in text
    assert "4.123456789" not in text
