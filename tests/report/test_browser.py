"""The report in a real browser: cuts are dragged, typed, undone and downloaded, and nothing else runs."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

from cutwise import AdditiveClassifier, FixedCutsDiscretizer, MRmDDiscretizer, Scheme
from cutwise.criteria import ExpectedDivergence, Psi
from cutwise.report import count_rows, html_report, write_report, write_shapes_report
from cutwise.scheme import encode_columns
from tests.report.browser import Report, needs_browser, open_browser, wait_for
from tests.report.payloads import PAYLOADS

needs_browser()

ARROW_RIGHT, DELETE, CONTROL = "\ue014", "\ue017", "\ue009"


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def driver(downloads):
    with open_browser(downloads) as opened:
        yield opened


def example(n_rows=300):
    random = np.random.default_rng(0)
    age, income = random.integers(18, 80, n_rows).astype(float), random.exponential(1000, n_rows)
    y = np.where(age + income / 50 + random.normal(0, 12, n_rows) > 65, "yes", "no")
    income[:9] = np.nan
    age[9:20] = -1
    city = random.choice(["Bonn", "Köln"], n_rows)
    return np.column_stack([age.astype(object), income.astype(object), city.astype(object)]), y


@pytest.fixture(scope="module")
def fitted():
    X, y = example()
    return MRmDDiscretizer(special_values=[-1]).fit(X, y), X, y


@pytest.fixture
def report(driver, fitted, tmp_path):
    write_report(tmp_path / "report.html", *fitted, title="Who stays?")
    page = Report(driver, tmp_path / "report.html")
    yield page
    assert page.messages() == []
    assert page.requests() == [page.path.as_uri()]


def rank_of(discretizer, name):
    ranked = sorted(discretizer.scheme_.attributes, key=lambda attribute: -attribute.relevance)
    return 1 + [attribute.name for attribute in ranked].index(name)


@pytest.fixture
def age(fitted):
    return rank_of(fitted[0], "x0")


def test_the_page_shows_what_was_found(report, fitted, age):
    scheme = fitted[0].scheme_
    report.section(age)
    assert report.cuts(age) == list(scheme["x0"].cuts)
    rows = report.rows(age)
    assert [row[1] for row in rows] == list(scheme["x0"].labels)
    assert [row[3] for row in rows] == [str(count) for count in scheme["x0"].rows]
    income = rank_of(fitted[0], "x1")
    report.section(income)
    assert report.rows(income)[-1][:2] == ["-1", "missing"]
    assert report.found("#download")
    nominal = report.found(f"#attribute-{rank_of(fitted[0], 'x2')}")[0]
    assert "Köln" in nominal.text


def test_dragging_a_cut_updates_counts_and_scores(report, fitted, age):
    from selenium.webdriver import ActionChains

    discretizer, X, y = fitted
    section = report.section(age)
    before = report.cuts(age)
    grip = section.find_elements("css selector", ".cut .grip")[0]
    ActionChains(report.driver).click_and_hold(grip).move_by_offset(30, 0).move_by_offset(10, 0).perform()
    during = report.cuts(age)
    ActionChains(report.driver).release().perform()
    after = report.cuts(age)
    assert during == after
    assert after[0] > before[0]
    assert after[1:] == before[1:]
    [counts, *_] = count_rows(discretizer, X, y)
    gaps = np.searchsorted(counts.values, after, side="right") - 1
    score = Psi(50.0, ExpectedDivergence(9)).score(counts, gaps)
    facts = section.find_element("css selector", ".facts").text
    assert all(f"{number:.4f}" in facts for number in score)
    assert f"moved to {after[0]:g}" in report.spoken
    assert "cuts" in report.found("table.overview .edits")[age - 1].text
    report.press("undo")
    assert report.cuts(age) == before
    report.press("redo")
    assert report.cuts(age) == after


def test_keys_move_and_remove_cuts(report, age):
    section = report.section(age)
    before = report.cuts(age)
    section.find_elements("css selector", ".cut")[0].send_keys(ARROW_RIGHT)
    moved = report.cuts(age)
    assert moved[0] > before[0]
    focused = "return document.activeElement.getAttribute('aria-valuenow')"
    assert float(report.run(focused)) == moved[0]
    section.find_elements("css selector", ".cut")[0].send_keys(DELETE)
    assert report.cuts(age) == before[1:]
    report.run("document.activeElement.blur()")
    report.found("body")[0].send_keys(CONTROL, "z")
    assert report.cuts(age) == moved
    section.find_element("css selector", ".reset").click()
    assert report.cuts(age) == before


def test_cuts_can_be_typed(report, age):
    section = report.section(age)
    before = report.cuts(age)
    report.add(age, "70.25")
    assert report.cuts(age) == sorted([*before, 70.25])
    field = section.find_elements("css selector", "td.edit input")[-1]
    field.send_keys(CONTROL, "a", CONTROL, "71.5\t")
    wait_for(lambda: report.cuts(age) == sorted([*before, 71.5]))
    report.add(age, "<b>seventy</b>")
    assert section.find_element("css selector", ".problem").text.startswith("“<b>seventy</b>” is not a number")
    section.find_elements("css selector", ".remove")[-1].click()
    assert report.cuts(age) == before


def test_a_double_click_adds_a_cut(report, age):
    from selenium.webdriver import ActionChains

    section = report.section(age)
    before = report.cuts(age)
    chart = section.find_element("css selector", "svg.chart")
    ActionChains(report.driver).move_to_element_with_offset(chart, 330, 20).double_click().perform()
    assert len(report.cuts(age)) == len(before) + 1


def test_the_downloaded_scheme_is_read_and_applied(report, fitted, age, downloads):
    discretizer, X, _ = fitted
    file = downloads / "scheme.json"
    file.unlink(missing_ok=True)
    report.press("download")
    wait_for(file.is_file)
    assert file.read_text() == discretizer.scheme_.to_json()
    file.unlink()
    report.add(age, "70.25")
    cuts = report.cuts(age)
    report.press("download")
    wait_for(file.is_file)
    scheme = Scheme.from_json(file.read_bytes())
    assert scheme.to_json() == file.read_text()
    assert scheme["x0"].edited
    assert not scheme["x1"].edited
    assert list(scheme["x0"].cuts) == cuts
    codes = encode_columns(scheme, X)[:, 0]
    assert scheme["x0"].rows == tuple(np.bincount(codes).tolist())
    assert "downloaded" in report.found(".toolbar .state")[0].text


def test_an_edited_scheme_is_shown_as_edited(driver, fitted, age, tmp_path):
    scheme = fitted[0].scheme_
    data = scheme.to_dict()
    data["attributes"][0]["edited"] = True
    path = tmp_path / "edited.html"
    path.write_text(html_report(Scheme.from_dict(data)), encoding="utf-8")
    page = Report(driver, path)
    page.section(age)
    assert page.found("table.overview .edits")[age - 1].text == "edited by hand"
    page.found(f"#attribute-{age} .remove")[0].click()
    assert page.cuts(age) == list(scheme["x0"].cuts[1:])
    page.add(age, str(scheme["x0"].cuts[0]))
    assert page.cuts(age) == list(scheme["x0"].cuts)
    assert page.messages() == []


def test_hostile_names_are_shown_and_never_run(driver, tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(60, len(PAYLOADS)))
    y = np.where(X[:, 0] > 0, *PAYLOADS[:2])
    fitted = MRmDDiscretizer().fit(X, y)
    data = fitted.scheme_.to_dict()
    for item, name in zip(data["attributes"], PAYLOADS, strict=True):
        item["name"] = name
    path = tmp_path / "hostile.html"
    page_text = html_report(Scheme.from_dict(data), PAYLOADS[0], count_rows(fitted, X, y))
    path.write_text(page_text, encoding="utf-8")
    page = Report(driver, path)
    page.run("window.alert = () => { window.ran = true; }")
    for rank in range(1, len(PAYLOADS) + 1):
        page.section(rank)
        page.add(rank, "0.123")
    headings = page.run("return [...document.querySelectorAll('h2 bdi')].map((node) => node.textContent)")
    assert set(PAYLOADS[:4]) <= set(headings)
    assert page.run("return window.ran ?? null") is None
    assert (
        page.run("return document.querySelectorAll('main img, main a[href^=javascript], main svg[onload]').length") == 0
    )
    assert page.run("return document.querySelectorAll('script').length") == 2
    assert page.messages() == []
    assert page.requests() == [path.as_uri()]


def test_wide_tables_stay_small_and_quick(driver, tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 300))
    y = (X[:, :3].sum(axis=1) + random.normal(size=2000) > 0).astype(int)
    path = tmp_path / "wide.html"
    write_report(path, MRmDDiscretizer().fit(X, y), X, y)
    assert path.stat().st_size < 5_000_000
    page = Report(driver, path)
    assert len(page.found(".chart-frame")) < 10
    assert "gaps between values" in page.section(150).text
    page.found("#filter")[0].send_keys("x29")
    shown = "return [...document.querySelectorAll('table.overview tbody tr')].filter((row) => !row.hidden).length"
    assert page.run(shown) == 11
    assert page.messages() == []


@pytest.mark.parametrize("width", [360, 1200])
def test_the_page_fits_the_window(report, age, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    report.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        report.section(age)
        time.sleep(0.2)
        assert report.run("return document.documentElement.scrollWidth") <= width
    finally:
        report.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_controls_have_names(report, age):
    report.add(age, "70.01")
    unnamed = (
        "return [...document.querySelectorAll('button, input, [role=slider], [role=region], svg')].filter((node) =>"
        " !(node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length"
        " || node.getAttribute('aria-labelledby'))).length"
    )
    assert report.run(unnamed) == 0
    sliders = report.found(f"#attribute-{age} [role=slider]")
    assert sliders
    for slider in sliders:
        low, now, high = (float(slider.get_attribute(f"aria-value{end}")) for end in ("min", "now", "max"))
        assert low <= now <= high
        assert "rows in the bin below" in slider.get_attribute("aria-valuetext")


def test_the_page_is_complete_without_scripts(driver, fitted, tmp_path):
    write_report(tmp_path / "report.html", *fitted)
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        driver.get((tmp_path / "report.html").as_uri())
        assert not driver.find_elements("css selector", ".toolbar")
        assert len(driver.find_elements("css selector", "table.bins")) == 3
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_the_check_of_new_rows_stays_when_cuts_are_edited(driver, fitted, age, tmp_path):
    discretizer, X, y = fitted
    found = discretizer.scheme_.evaluate(*example(200))
    write_report(tmp_path / "checked.html", discretizer, X, y, evaluation=found)
    page = Report(driver, tmp_path / "checked.html")
    note = page.section(age).find_element("css selector", ".only-edited")
    before = page.rows(age, "check")
    assert [row[0] for row in before] == list(discretizer.scheme_["x0"].labels)
    assert not note.is_displayed()
    page.add(age, "70.25")
    assert note.is_displayed()
    assert page.rows(age, "check") == before
    page.press("undo")
    assert not note.is_displayed()
    assert page.messages() == []
    assert page.requests() == [page.path.as_uri()]


def test_long_cuts_are_short_in_the_names_of_bins(driver, tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 1))
    y = X[:, 0] + random.normal(size=400) > 0
    fitted = MRmDDiscretizer().fit(X, y)
    write_report(tmp_path / "long.html", fitted, X, y)
    page = Report(driver, tmp_path / "long.html")
    page.section(1)
    attribute = fitted.scheme_["x0"]
    names = page.run(
        "return [...document.querySelectorAll('#attribute-1 td.interval')].map((c) => [c.textContent, c.title])"
    )
    assert [title for _, title in names] == list(attribute.labels)
    assert all(len(name) < len(title) for name, title in names)
    assert page.cuts(1) == list(attribute.cuts)
    wide = (
        "return [...document.querySelectorAll('#attribute-1 td.interval')].every((c) => c.scrollWidth <= c.clientWidth)"
    )
    assert page.run(wide)


@pytest.fixture(scope="module")
def loans():
    """Incomes of 20,000 people and whether they paid, binned under every limit."""
    random = np.random.default_rng(0)
    X = np.exp(random.normal(10.9, 0.6, (20_000, 1)))
    y = np.where(np.log(X[:, 0]) + random.logistic(size=len(X)) > 10.9, "paid", "late")
    return MRmDDiscretizer(min_bin_size=0.05, max_bins=4, monotonic="increasing", event="paid").fit(X, y), X, y


@pytest.fixture
def loan_page(driver, loans, tmp_path):
    write_report(tmp_path / "loans.html", *loans, title="Loans")
    page = Report(driver, tmp_path / "loans.html")
    page.section(1)
    yield page
    assert page.messages() == []
    assert page.requests() == [page.path.as_uri()]


def shown_texts(page, selector):
    return [node.text for node in page.found(selector) if node.is_displayed()]


def test_a_round_number_is_used_as_it_is(loan_page, loans):
    before = loan_page.cuts(1)
    loan_page.add(1, "150000")
    assert loan_page.cuts(1) == sorted([*before, 150_000])
    assert shown_texts(loan_page, ".notice, .typed, .problem") == []
    codes = np.searchsorted(loan_page.cuts(1), loans[1][:, 0], side="left")
    rows = [int(row[3].replace(",", "")) for row in loan_page.rows(1)]
    assert rows == np.bincount(codes).tolist()


def test_a_cut_that_moves_says_so_for_all_to_see(loan_page):
    before = loan_page.cuts(1)
    loan_page.add(1, "61234.567")
    [used] = set(loan_page.cuts(1)) - set(before)
    assert used != 61_234.567
    [notice] = shown_texts(loan_page, ".notice")
    assert notice.startswith(f"You typed 61234.567; {used:.17g} is used: this page holds the counts at")
    assert notice.removesuffix(".") in loan_page.spoken
    assert shown_texts(loan_page, ".typed") == ["typed 61234.567, where this page has no counts"]
    row = next(row for row in loan_page.rows(1) if "typed" in row[2])
    assert f"; {used:,.17g}]" in row[1]
    loan_page.press("undo")
    assert shown_texts(loan_page, ".typed") == []
    loan_page.add(1, "150000")
    assert shown_texts(loan_page, ".notice, .typed") == []


BREAKS = {
    "min_bin_size": (["250000"], r"\d+ rows, at least 1,000 asked for \(min_bin_size\)"),
    "max_bins": (["30000", "50000", "80000", "120000"], r"\d bins, at most 4 asked for \(max_bins\)"),
    "monotonic": (["40000", "40050"], r"“paid” falls from .* to .* \(monotonic: increasing\)"),
}


@pytest.mark.parametrize("limit", BREAKS)
def test_a_broken_limit_is_shown_beside_the_bin_until_it_is_mended(loan_page, limit, downloads):
    typed, words = BREAKS[limit]
    warnings = "table.bins .warning-line, .limits .warning, .toolbar .warning, table.overview .warning"
    assert shown_texts(loan_page, warnings) == []
    for text in typed:
        loan_page.add(1, text)
    found = [
        text for text in shown_texts(loan_page, "#attribute-1 table.bins .warning-line") if re.fullmatch(words, text)
    ]
    assert found
    assert all(node.is_displayed() for node in loan_page.found(".warning .sign"))
    assert "break" in loan_page.spoken
    assert "limit" in loan_page.spoken
    assert "break" in shown_texts(loan_page, "#attribute-1 .limits")[0]
    described = (
        "return [...document.querySelectorAll('td.edit [aria-describedby]')]"
        ".map((field) => document.getElementById(field.getAttribute('aria-describedby')).textContent)"
    )
    if limit != "min_bin_size":
        assert any(loan_page.run(described))
    file = downloads / "scheme.json"
    file.unlink(missing_ok=True)
    loan_page.press("download")
    wait_for(file.is_file)
    assert list(Scheme.from_json(file.read_bytes())["x0"].cuts) == loan_page.cuts(1)
    file.unlink()
    assert shown_texts(loan_page, ".toolbar .warning") == ["1 attribute beyond a limit of the fit"]
    assert "beyond a limit" in shown_texts(loan_page, "table.overview .edits")[0]
    loan_page.section(1).find_element("css selector", ".reset").click()
    assert shown_texts(loan_page, warnings) == []
    assert "limit" not in loan_page.spoken


def test_a_scheme_that_was_edited_beyond_its_limits_says_so_when_it_is_opened(driver, loans, tmp_path):
    fitted, X, y = loans
    data = fitted.scheme_.to_dict()
    data["parameters"]["max_bins"] = 2
    path = tmp_path / "again.html"
    path.write_text(html_report(Scheme.from_dict(data), tables=count_rows(fitted, X, y)), encoding="utf-8")
    page = Report(driver, path)
    assert shown_texts(page, ".toolbar .warning") == ["1 attribute beyond a limit of the fit"]
    assert "beyond a limit" in shown_texts(page, "table.overview .edits")[0]


def test_no_name_of_a_bin_rounds_a_cut_away(driver, tmp_path):
    values = [0.1, 0.3, 0.30000000000000004, 0.7]
    X, y = np.array(values * 10)[:, None], [0, 0, 0, 1] * 10
    fitted = MRmDDiscretizer(place="value").fit(X, y)
    assert fitted.cuts_[0].tolist() == [0.30000000000000004]
    write_report(tmp_path / "near.html", fitted, X, y)
    page = Report(driver, tmp_path / "near.html")
    page.section(1)
    assert [row[1] for row in page.rows(1)] == list(fitted.scheme_["x0"].labels)
    assert shown_texts(page, "#attribute-1 .cut-label") == ["0.30000000000000004"]
    page.add(1, "0.3")
    assert page.cuts(1) == [0.3, 0.30000000000000004]
    assert shown_texts(page, "#attribute-1 td.interval") == list(
        FixedCutsDiscretizer({"x0": page.cuts(1)}).fit(X, y).scheme_["x0"].labels
    )


def test_the_page_of_an_additive_model_requests_nothing_and_fits_a_phone(driver, tmp_path):
    X, y = example()
    text = PAYLOADS[0]
    X[:, 2] = np.where(X[:, 2] == "Bonn", text, "Köln")
    model = AdditiveClassifier(special_values=[-1], alpha=1.0, pairs=[("x0", "x1"), ("x0", "x2")]).fit(X, y)
    path = tmp_path / "shapes.html"
    write_shapes_report(path, model, title=text)
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page = Report(driver, path, ready="footer")
        assert page.run("return document.documentElement.scrollWidth") == 390
        assert text in page.found("h1")[0].text
        assert page.messages() == []
        assert page.requests() == [path.as_uri()]
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
