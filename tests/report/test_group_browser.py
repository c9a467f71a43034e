"""Groups of categories in a real browser: dragged, sent by a list, searched, split, undone and saved."""

from __future__ import annotations

import time

import pandas as pd
import pytest

from cutwise import MDLPDiscretizer, MRmDDiscretizer, Scheme
from cutwise.report import write_report
from cutwise.scheme import encode_columns
from tests.report.browser import Report, needs_browser, open_browser, wait_for
from tests.report.payloads import PAYLOADS
from tests.report.test_group_editing import towns

needs_browser()

ARROW_DOWN, CONTROL = "\ue015", "\ue009"


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def driver(downloads):
    with open_browser(downloads) as opened:
        yield opened


@pytest.fixture(scope="module")
def fitted():
    X, y = towns()
    return MRmDDiscretizer(nominal="group").fit(X[["town"]], y), X[["town"]], y


@pytest.fixture
def report(driver, fitted, tmp_path):
    write_report(tmp_path / "report.html", *fitted, title="Towns")
    page = Report(driver, tmp_path / "report.html")
    page.section(1)
    wait_for(lambda: page.found(".category"))
    yield page
    assert page.messages() == []
    assert page.requests() == [page.path.as_uri()]


def shown_groups(report):
    """Return the texts of the categories that each group shows, by the code of the group."""
    script = (
        "return Object.fromEntries([...document.querySelectorAll('.group:not(.fresh)')].map((group) =>"
        " [group.dataset.group, [...group.querySelectorAll('.category bdi')].map((one) => one.textContent)]))"
    )
    return {int(code): set(names) for code, names in report.run(script).items()}


def found_groups(fitted):
    return {code: set(group) for code, group in enumerate(fitted[0].scheme_["town"].groups)}


def category(report, name):
    items = report.found(".category")
    return next(item for item in items if item.find_element("css selector", "bdi").text == name)


def group(report, code):
    return report.found(f".group[data-group='{code}']")[0]


def lone(fitted):
    """Return a category that shares its group, the code of that group and another code."""
    groups = fitted[0].scheme_["town"].groups
    code = next(code for code, members in enumerate(groups) if len(members) > 1)
    return groups[code][0], code, (code + 1) % len(groups)


def test_a_category_is_dragged_to_another_group_and_back_by_undo(report, fitted):
    from selenium.webdriver import ActionChains

    discretizer, X, y = fitted
    name, code, other = lone(fitted)
    before = shown_groups(report)
    assert before == found_groups(fitted)
    line = report.run("return document.querySelector('.rate-line').getAttribute('d')")
    item = category(report, name).find_element("css selector", "bdi")
    report.run("arguments[0].scrollIntoView({ block: 'center' })", item)
    ActionChains(report.driver).click_and_hold(item).move_to_element(group(report, other)).perform()
    assert report.found(".ghost")[0].text == name
    assert "target" in group(report, other).get_attribute("class")
    ActionChains(report.driver).release().perform()
    after = shown_groups(report)
    assert name in after[other]
    assert name not in after[code]
    assert not report.found(".ghost")
    assert f"“{name}” of town moved to group {other}" in report.spoken
    assert report.run("return document.querySelector('.rate-line').getAttribute('d')") != line
    moved = [[one for one in members if one != name] for members in discretizer.scheme_["town"].groups]
    moved[other].append(name)
    by_hand = discretizer.scheme_.with_groups("town", moved).recount(X, y)
    rows = {row[0]: row[2] for row in report.rows(1)}
    assert [rows[str(b)] for b in range(len(moved))] == [f"{size:,}" for size in by_hand["town"].rows]
    facts = report.found(".facts")[0].text
    assert f"{by_hand['town'].relevance:.4f} bits" in facts
    figures = by_hand.summary().iloc[0]
    assert all(f"{figures[key]:.4f}" in facts for key in ("iv", "gini", "ks"))
    assert "groups" in report.found("table.overview .edits")[0].text
    report.press("undo")
    assert shown_groups(report) == before
    report.press("redo")
    assert shown_groups(report) == after


def test_a_drag_to_the_field_for_new_groups_makes_one_and_escape_leaves_all_as_it_was(report, fitted):
    from selenium.webdriver import ActionChains

    name, code, _ = lone(fitted)
    before = shown_groups(report)
    report.run("document.querySelector('.fresh').scrollIntoView({ block: 'center' })")
    item = category(report, name).find_element("css selector", ".handle")
    ActionChains(report.driver).click_and_hold(item).move_to_element(group(report, "new")).perform()
    ActionChains(report.driver).send_keys("\ue00c").release().perform()
    assert shown_groups(report) == before
    ActionChains(report.driver).drag_and_drop(item, group(report, "new")).perform()
    after = shown_groups(report)
    assert after[len(before)] == {name}
    assert after[code] == before[code] - {name}


def test_a_finger_drags_by_the_handle(report, fitted):
    name, _, other = lone(fitted)
    middle = (
        "arguments[0].scrollIntoView({ block: 'center' }); const box = arguments[0].getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]"
    )

    def touch(kind, *points):
        event = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        report.driver.execute_cdp_cmd("Input.dispatchTouchEvent", event)

    handle = category(report, name).find_element("css selector", ".handle")
    start = report.run(middle, handle)
    end = report.run(
        "const box = arguments[0].getBoundingClientRect(); return [box.x + 40, box.y + 12]", group(report, other)
    )
    touch("touchStart", start)
    for part in (0.1, 0.5, 1.0):
        touch("touchMove", [a + part * (b - a) for a, b in zip(start, end, strict=True)])
    touch("touchEnd")
    wait_for(lambda: name in shown_groups(report)[other])


def test_keys_move_a_category_by_its_list_which_keeps_the_focus(report, fitted):
    name, code, _ = lone(fitted)
    before = shown_groups(report)
    places = category(report, name).find_element("css selector", "select")
    assert places.accessible_name == f"Group of {name}"
    places.send_keys(f"Group {(code + 1) % len(before)}")
    wait_for(lambda: name in shown_groups(report)[(code + 1) % len(before)])
    assert report.run("return document.activeElement.getAttribute('aria-label')") == f"Group of {name}"
    from selenium.webdriver import ActionChains

    ActionChains(report.driver).key_down(CONTROL).send_keys("z").key_up(CONTROL).perform()
    assert shown_groups(report) == before
    category(report, name).find_element("css selector", "select").send_keys("A new group")
    wait_for(lambda: shown_groups(report).get(len(before)) == {name})


def test_found_categories_are_split_off_and_groups_are_joined(report, fitted):
    discretizer = fitted[0]
    groups = discretizer.scheme_["town"].groups
    _, code, other = lone(fitted)
    field = report.found(".find input")[0]
    field.send_keys(groups[code][0])
    expected = {one for one in groups[code] if groups[code][0] in one}
    assert shown_groups(report)[code] == expected
    assert "found" in report.found(".find .found")[0].text
    group(report, code).find_element("css selector", ".split").click()
    field.clear()
    field.send_keys(" ")
    assert shown_groups(report)[len(groups)] == expected
    report.press("undo")
    group(report, code).find_element("css selector", ".group-acts select").send_keys(f"Group {other}")
    wait_for(lambda: len(shown_groups(report)) == len(groups) - 1)
    report.found(".reset")[0].click()
    assert shown_groups(report) == found_groups(fitted)
    assert report.run("return document.querySelector('.toolbar .state').textContent") == "No edits"


def test_the_downloaded_groups_are_read_and_applied(report, fitted, downloads):
    discretizer, X, y = fitted
    name, _, _ = lone(fitted)
    category(report, name).find_element("css selector", "select").send_keys("A new group")
    n_groups = discretizer.scheme_["town"].n_bins + 1
    wait_for(lambda: len(shown_groups(report)) == n_groups)
    report.press("download")
    wait_for((downloads / "scheme.json").is_file)
    back = Scheme.from_json((downloads / "scheme.json").read_bytes())
    assert back["town"].edited
    assert back["town"].groups[-1] == (name,)
    by_hand = discretizer.scheme_.with_groups("town", back["town"].groups).recount(X, y)
    assert back["town"].class_counts == by_hand["town"].class_counts
    codes = encode_columns(back, pd.DataFrame({"town": [name, "Town 1"]}))
    assert codes[0, 0] == n_groups - 1


@pytest.mark.parametrize("width", [390, 1200])
def test_thousands_of_categories_stay_small_and_quick(driver, tmp_path, width):
    X, y = towns(n_rows=30_000, n_towns=6000)
    with pytest.warns(UserWarning, match="categories"):
        fitted = MRmDDiscretizer(nominal="group").fit(X, y)
    path = tmp_path / "many.html"
    write_report(path, fitted, X, y)
    assert path.stat().st_size < 600_000
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page = Report(driver, path)
        rank = 1 + sorted(fitted.scheme_.attributes, key=lambda one: -one.relevance).index(fitted.scheme_["town"])
        page.section(rank)
        wait_for(lambda: page.found(".category"))
        assert len(page.found(".category")) <= 300
        assert page.run("return document.documentElement.scrollWidth") <= width
        start = time.monotonic()
        page.found(".find input")[0].send_keys("Town 1234")
        assert set.union(*shown_groups(page).values()) == {"Town 1234"}
        category(page, "Town 1234").find_element("css selector", "select").send_keys("A new group")
        wait_for(lambda: page.found(".group[data-group]:not(.fresh)"))
        assert time.monotonic() - start < 10
        assert page.messages() == []
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_hostile_categories_are_shown_and_never_run(driver, tmp_path):
    X = pd.DataFrame({PAYLOADS[0]: pd.Series(PAYLOADS * 20, dtype=object)})
    y = ["no", "yes", "yes"] * 80
    write_report(tmp_path / "hostile.html", MDLPDiscretizer(nominal="group").fit(X, y), X, y)
    page = Report(driver, tmp_path / "hostile.html")
    page.section(1)
    wait_for(lambda: page.found(".category"))
    page.found(".category select")[0].send_keys("A new group")
    assert page.run("return document.querySelectorAll('main img, main svg[onload], main style').length") == 0
    assert page.messages() == []
    assert page.requests() == [page.path.as_uri()]


def test_all_controls_have_names(report):
    nameless = (
        "return [...document.querySelectorAll('#attribute-1 :is(button, input, select)')]"
        ".filter((one) => !(one.ariaLabel || one.textContent.trim() && one.tagName === 'BUTTON' || one.labels?.length))"
        ".length"
    )
    assert report.run(nameless) == 0
