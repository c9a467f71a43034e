"""What an analyst does with the page, in a real browser: sort, search, print, drag with a finger."""

from __future__ import annotations

import base64

import numpy as np
import pandas as pd
import pytest

from cutwise import MRmDDiscretizer
from cutwise.report import count_rows, html_report
from tests.report.browser import Report, needs_browser, open_browser, wait_for

needs_browser()

N_ROWS, N_BRANCHES = 4000, 300


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    with open_browser(tmp_path_factory.mktemp("downloads")) as opened:
        yield opened


def loans(n_rows, seed):
    random = np.random.default_rng(seed)
    income, age = np.exp(random.normal(10, 1.0, n_rows)), random.integers(18, 80, n_rows).astype(float)
    branch = random.integers(0, N_BRANCHES, n_rows)
    odds = -1.5 - (np.log(income) - 10) - 0.02 * (age - 45)
    y = np.where(random.random(n_rows) < 1 / (1 + np.exp(-odds)), "late", "paid")
    names = np.char.add("branch ", branch.astype(str))
    noise = {f"noise {k}": random.normal(size=n_rows) for k in range(4)}
    return pd.DataFrame({"income": income, "age": age, "branch": names, **noise}), y


@pytest.fixture(scope="module")
def page_path(tmp_path_factory):
    X, y = loans(N_ROWS, 0)
    fitted = MRmDDiscretizer(place="readable").fit(X, y)
    text = html_report(fitted.scheme_, "Loans", count_rows(fitted, X, y), fitted.scheme_.evaluate(*loans(2000, 1)))
    path = tmp_path_factory.mktemp("page") / "loans.html"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def page(driver, page_path):
    opened = Report(driver, page_path)
    yield opened
    assert opened.messages() == []
    assert opened.requests() == [page_path.as_uri()]


def column(page, head):
    script = (
        "const table = document.querySelector('table.overview');"
        "const place = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === arguments[0]);"
        "return [...table.tBodies[0].rows].map((row) => row.cells[place].textContent)"
    )
    return page.run(script, head)


def sorted_way(page, head):
    script = (
        "return [...document.querySelectorAll('table.overview thead th')]"
        ".find((cell) => cell.textContent === arguments[0]).getAttribute('aria-sort')"
    )
    return page.run(script, head)


def test_the_overview_is_sorted_by_mouse_and_keys(page):
    buttons = {button.text.split()[0]: button for button in page.found("table.overview .sort")}
    buttons["IV"].click()
    values = list(map(float, column(page, "IV")))
    assert values == sorted(values, reverse=True)
    assert sorted_way(page, "IV") == "descending"
    buttons["IV"].send_keys("\ue007")
    assert list(map(float, column(page, "IV"))) == values[::-1]
    assert sorted_way(page, "IV") == "ascending"
    buttons["Attribute"].send_keys(" ")
    assert column(page, "Attribute") == sorted(column(page, "Attribute"))
    assert sorted_way(page, "IV") is None
    # What has no trend comes last either way.
    for _ in range(2):
        buttons["Trend"].click()
        assert column(page, "Trend")[-1] == "-"


def test_the_overview_is_searched(page):
    page.found("#filter")[0].send_keys("noise")
    shown = "return [...document.querySelectorAll('table.overview tbody tr')].filter((row) => !row.hidden).length"
    assert page.run(shown) == 4


def test_three_hundred_categories_are_searched_in_a_frame(page):
    rank = column(page, "Attribute").index("branch") + 1
    [frame, _] = page.found(f"#attribute-{rank} .scroll:has(> table.many)")
    assert frame.size["height"] < 700
    rows = f"#attribute-{rank} table.bins tbody tr"
    assert len(page.found(rows)) == N_BRANCHES
    page.found(f"#attribute-{rank} .filter input")[0].send_keys("branch 29")
    assert len([row for row in page.found(rows) if row.is_displayed()]) == 11


def test_a_skewed_column_is_drawn_on_a_logarithmic_axis(page):
    rank = column(page, "Attribute").index("income") + 1
    section = page.section(rank)
    pressed = "return document.querySelector(`#attribute-${arguments[0]} .views [aria-pressed=true]`).textContent"
    assert page.run(pressed, rank) == "Log scale"
    assert "10,000" in section.find_element("css selector", ".chart").text
    before = page.cuts(rank)
    section.find_elements("css selector", ".cut")[0].send_keys("\ue014")
    assert page.cuts(rank)[0] > before[0]
    section.find_element("css selector", "[data-view=values]").click()
    assert page.run(pressed, rank) == "Values"


def test_the_line_of_rates_follows_an_edit(page):
    rank = column(page, "Attribute").index("age") + 1
    section = page.section(rank)
    dots = f"#attribute-{rank} .rates .rate-dot"
    n_bins = len(page.cuts(rank)) + 1
    assert len(page.found(dots)) == n_bins
    gini = column(page, "Gini")[rank - 1]
    page.add(rank, "30.5")
    assert len(page.found(dots)) == n_bins + 1
    assert column(page, "Gini")[rank - 1] != gini
    assert "Gini" in section.find_element("css selector", ".facts").text


def test_every_cut_has_a_label_that_is_seen(page):
    rank = column(page, "Attribute").index("age") + 1
    page.section(rank)
    for cut in ("30.5", "31.5", "32.5", "33.5"):
        page.add(rank, cut)
    shown = (
        "return [...document.querySelectorAll(`#attribute-${arguments[0]} .cut-label`)]"
        ".map((label) => [label.getBoundingClientRect().toJSON(), getComputedStyle(label).opacity])"
    )
    boxes = page.run(shown, rank)
    assert {opacity for _, opacity in boxes} == {"1"}
    for i, (one, _) in enumerate(boxes):
        for other, _ in boxes[i + 1 :]:
            apart = one["right"] <= other["left"] + 1 or other["right"] <= one["left"] + 1
            assert apart or abs(one["top"] - other["top"]) > 8


def test_a_cut_is_dragged_with_a_finger(driver, page_path):
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        page = Report(driver, page_path)
        assert page.run("return document.documentElement.scrollWidth") == 390
        rank = column(page, "Attribute").index("age") + 1
        page.section(rank)
        before = page.cuts(rank)
        grip = f"#attribute-{rank} .cut .grip"
        page.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", grip)
        place = "const r = document.querySelector(arguments[0]).getBoundingClientRect(); return [r.x + 6, r.y + 8]"
        x, y = page.run(place, grip)
        scrolled = page.run("return scrollY")
        touch(driver, "touchStart", x, y)
        for step in range(1, 5):
            touch(driver, "touchMove", x + 10 * step, y)
        assert page.run("return scrollY") == scrolled
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        wait_for(lambda: page.cuts(rank) != before)
        assert page.cuts(rank)[0] > before[0]
        assert "moved to" in page.spoken
    finally:
        driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def touch(driver, kind, x, y):
    driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})


def test_the_page_prints_to_less_than_two_megabytes(page):
    printed = page.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert len(base64.b64decode(printed["data"])) < 2_000_000
