"""The picture of an attribute: it shows the scheme's numbers, and nothing in it can run."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.report import attribute_picture
from cutwise.report.markup import shortened
from cutwise.report.picture import spread
from cutwise.scheme import NominalAttribute, NumericAttribute
from cutwise.scheme.text import shown
from tests.report.payloads import PAYLOADS

SVG = "{http://www.w3.org/2000/svg}"
SCORE = {"score": 0.1, "relevance": 0.25, "divergence": 0.01}


def numeric(counts, cuts=None, missing=None, name="age", ends=(1.0, 99.0)):
    cuts = tuple(float(i) for i in range(len(counts) - 1)) if cuts is None else cuts
    return NumericAttribute(
        name=name,
        class_counts=tuple(counts),
        missing_by_class=missing or (0,) * len(counts[0]),
        stop="no_gain",
        cuts=cuts,
        minimum=ends[0],
        maximum=ends[1],
        n_values=9,
        n_candidates=8,
        **SCORE,
    )


def nominal(categories, counts, missing=(0, 0), name="city"):
    return NominalAttribute(
        name=name,
        class_counts=tuple(counts),
        missing_by_class=missing,
        stop="nominal",
        groups=tuple((category,) for category in categories),
        **SCORE,
    )


def parsed(attribute, classes=("no", "yes")):
    picture = attribute_picture(attribute, classes)
    picture.encode("utf-8")
    return ET.fromstring(picture)  # noqa: S314


def texts(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def bars(root):
    """The bars from left to right: (left, width, {fill: height})."""
    found = []
    for group in root.iter(f"{SVG}g"):
        rects = group.findall(f"{SVG}rect")
        heights = {rect.get("class"): float(rect.get("height")) for rect in rects}
        found.append((float(rects[0].get("x")), float(rects[0].get("width")), heights))
    return found


def inventory(root):
    return Counter((element.tag, tuple(sorted(element.attrib))) for element in root.iter())


def test_the_rate_of_the_event_is_a_line_over_the_bars():
    counts = [(30, 10), (5, 15), (20, 20)]
    attribute = numeric(counts, cuts=(37.5, 42.0), missing=(9, 1))
    root = ET.fromstring(attribute_picture(attribute, ("no", "yes"), event=1))  # noqa: S314
    dots = [float(dot.get("cy")) for dot in root.iter(f"{SVG}circle")]
    [line] = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("class") == "rate-line"]
    # The line joins the intervals; missing values have a point beside it.
    assert len(dots) == 4
    assert line.count("L") == 2
    rates = [0.25, 0.75, 0.5, 0.1]
    heights = [(dots[0] - y) / (rates[0] - rate) for y, rate in zip(dots[1:], rates[1:], strict=True)]
    assert heights == pytest.approx([heights[0]] * 3, rel=1e-3)
    assert {"25%", "75%", "50%", "10%", "80%", "40%", "0%"} <= set(texts(root))
    assert "line: rate of yes, right scale" in texts(root)
    assert not list(parsed(attribute).iter(f"{SVG}circle"))


def test_categories_are_drawn_by_the_rate_of_the_event():
    attribute = nominal(["a", "b", "c"], [(8, 2), (2, 8), (5, 5)])
    root = ET.fromstring(attribute_picture(attribute, ("no", "yes"), event=1))  # noqa: S314
    assert [text for text in texts(root) if text in ("a", "b", "c")] == ["b", "c", "a"]


def test_bars_show_rows_and_class_shares():
    root = parsed(numeric([(30, 10), (5, 15), (20, 20)], cuts=(37.5, 42.0)))
    found = bars(root)
    assert len(found) == 3
    widths = [width for _, width, _ in found]
    assert widths == pytest.approx([sum(widths) * share for share in (0.4, 0.2, 0.4)], abs=0.05)
    # The parts of a bar are 176 high together, each less a line of 1 between the colours.
    for (_, _, heights), share in zip(found, (0.75, 0.25, 0.5), strict=True):
        assert heights["fill-1"] == pytest.approx(176 * share - 1, abs=0.05)
        assert heights["fill-2"] == pytest.approx(176 * (1 - share) - 1, abs=0.05)


def test_texts_are_the_numbers_of_the_scheme():
    root = parsed(numeric([(30, 10), (5, 15), (20, 20)], cuts=(37.5, 42.0)))
    for text in ("age", "no", "yes", "37.5", "42", "min 1", "max 99", "40 (40%)", "20 (20%)", "75%", "25%", "50%"):
        assert text in texts(root)
    assert root.find(f"{SVG}title").text == "age: relevance 0.2500 bits"
    assert "(37.5, 42]: 20 rows (20.0%); no 25.0%, yes 75.0%." in root.find(f"{SVG}desc").text
    assert any("relevance 0.2500 bits" in text for text in texts(root))


def test_cuts_stand_under_the_gaps():
    root = parsed(numeric([(30, 10), (5, 15), (20, 20)], cuts=(37.5, 42.0)))
    places = {text.text: float(text.get("x")) for text in root.iter(f"{SVG}text")}
    for cut, (left, _, _) in zip(("37.5", "42"), bars(root)[1:], strict=True):
        assert places[cut] == pytest.approx(left - 1, abs=0.02)


def test_missing_rows_are_a_bar_of_their_own_at_the_right():
    root = parsed(numeric([(30, 10), (5, 15)], missing=(8, 2)))
    (_, _, _), (left, width, _), (missing_left, _, _) = bars(root)
    assert missing_left - (left + width) > 20
    assert "missing" in texts(root)
    assert "10 (14%)" in texts(root)
    assert "missing" not in texts(parsed(numeric([(30, 10), (5, 15)])))


def test_nominal_has_a_bar_for_each_category():
    root = parsed(nominal(["Köln", "東京", True, 3], [(3, 4), (5, 6), (7, 8), (1, 1)]))
    assert len(bars(root)) == 4
    for category in ("Köln", "東京", "True", "3"):
        assert category in texts(root)


def test_of_many_classes_the_smallest_become_other():
    counts = tuple(range(1, 12))
    root = parsed(numeric([counts, counts]), [f"class {k}" for k in range(11)])
    shown_classes = [text for text in texts(root) if text.startswith(("class", "other"))]
    assert shown_classes == [*(f"class {k}" for k in range(3, 11)), "other (3 classes)"]
    (_, _, heights), _ = bars(root)
    assert heights["fill-other"] == pytest.approx(176 * 6 / 66 - 1, abs=0.05)


def test_many_bins_are_drawn_without_text():
    few, many = parsed(numeric([(3, 1)] * 30)), parsed(numeric([(3, 1)] * 31))
    assert "28" in texts(few)
    assert texts(many) == ["age", texts(many)[1], "no", "yes", "100%", "50%", "0%"]
    shapes = [path.get("d") for path in many.iter(f"{SVG}path") if path.get("class", "").startswith("fill")]
    assert [shape.count("M") for shape in shapes] == [31, 31]
    assert len(attribute_picture(numeric([(3, 1)] * 5000), ("no", "yes"))) < 1_000_000


@pytest.mark.parametrize(
    "attribute",
    [
        numeric([(0, 0)], missing=(4, 4), ends=(None, None)),
        numeric([(0, 0)], ends=(None, None)),
        numeric([(5, 0), (0, 0), (0, 1)]),
        nominal([], [], missing=(2, 3)),
        nominal([], []),
        numeric([(10**15, 1), (1, 10**12)], cuts=(1.7e308,), ends=(-1.7e308, 1.79e308)),
    ],
)
def test_empty_and_extreme_attributes_can_be_drawn(attribute):
    root = parsed(attribute)
    numbers = [value for element in root.iter() for value in element.attrib.values()]
    assert not any("nan" in value or "inf" in value for value in numbers)


def test_thin_bars_can_still_be_seen():
    widths = [width for _, width, _ in bars(parsed(numeric([(10**6, 0), (0, 1), (10**6, 5)])))]
    assert min(widths) == pytest.approx(2)


def test_almost_all_is_not_called_all():
    found = texts(parsed(numeric([(999, 1)])))
    assert ">99%" in found
    assert found.count("100%") == 1  # on the scale


@pytest.mark.parametrize(
    "cuts", [(1.00000001, 1.00000002), (0.30000000000000004,), tuple(0.1 + i / 7 for i in range(20))]
)
def test_cuts_are_never_rounded(cuts):
    root = parsed(numeric([(5, 5)] * (len(cuts) + 1), cuts=cuts))
    assert set(map(repr, cuts)) <= set(texts(root))


@pytest.mark.parametrize("payload", [*PAYLOADS, ""])
def test_hostile_text_changes_no_structure(payload):
    def drawn(text):
        numbers = numeric([(3, 4), (5, 6)], missing=(1, 1), name=text)
        names = nominal([text, "b"], [(3, 4), (5, 6)], missing=(1, 1), name=text)
        return parsed(numbers, [text, "other class"]), parsed(names, [text, "other class"])

    twins = drawn("h" * len(shortened(payload)))
    for root, twin in zip(drawn(payload), twins, strict=True):
        assert inventory(root) == inventory(twin)
        assert root.find(f"{SVG}title").text.startswith(shortened(payload))
        assert shortened(payload, 40) in [text or "" for text in texts(root)]


def test_nothing_runs_and_nothing_is_loaded():
    attribute = nominal(PAYLOADS, [(k, 3) for k in range(len(PAYLOADS))], name=PAYLOADS[0])
    root = parsed(attribute, PAYLOADS[1:3])
    allowed = {"svg", "title", "desc", "style", "rect", "text", "path", "g"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == allowed
    names = {name for element in root.iter() for name in element.attrib}
    assert not any(name.startswith("on") or "href" in name or name == "src" for name in names)
    style = root.find(f"{SVG}style").text
    assert not re.search(r"@import|url\(|@font-face|expression", style)
    assert "prefers-color-scheme:dark" in style


def test_a_page_may_bring_the_style_once():
    picture = attribute_picture(numeric([(3, 4)]), ("no", "yes"), style=False)
    assert "<style" not in picture
    assert 'role="img"' in picture


def test_hidden_characters_are_shown():
    assert shown("a\x00b\u202ec") == "a⟨U+0000⟩b⟨U+202E⟩c"
    assert shown("Zoë 東京 👩‍🔬 עברית") == "Zoë 東京 👩‍🔬 עברית"


@given(
    points=st.lists(st.floats(0, 600), min_size=1, max_size=30).map(sorted),
    width=st.floats(1, 20),
)
def test_labels_never_overlap(points, width):
    places = spread(points, [width] * len(points), -50.0, 650.0)
    assert places[0] >= -50 + width / 2 - 1e-6
    assert places[-1] <= 650 - width / 2 + 1e-6
    assert all(right - left >= width - 1e-6 for left, right in pairwise(places))


@pytest.mark.parametrize("name", ["picture", "methods_picture"])
def test_the_pictures_of_the_guide_are_current(name):
    folder = Path(__file__).parents[2] / "docs"
    made = runpy.run_path(str(folder / f"make_{name}.py"))["picture"]()
    image = "picture" if name == "picture" else name.removesuffix("_picture")
    assert (folder / f"{image}.svg").read_text(encoding="utf-8") == made + "\n"
