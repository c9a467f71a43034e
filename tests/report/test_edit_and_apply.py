"""From a table to an edited scheme and back: `cutwise fit`, a browser, `cutwise apply`."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pandas as pd
import pytest

from cutwise import Scheme
from cutwise.scheme import encode_columns
from tests.cli.loans import loans
from tests.report.browser import Report, needs_browser, open_browser, wait_for

needs_browser()


def cutwise(*arguments, folder):
    """Run the command in a process of its own; return what it prints."""
    command = [sys.executable, "-m", "cutwise", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def drag(report, rank, pixels):
    """Drag the first cut of an attribute to the right."""
    from selenium.webdriver import ActionChains

    grip = report.section(rank).find_elements("css selector", ".cut .grip")[0]
    ActionChains(report.driver).click_and_hold(grip).move_by_offset(pixels, 0).release().perform()


@pytest.fixture
def folder(tmp_path):
    loans().to_csv(tmp_path / "loans.csv", index=False)
    cutwise("fit", "loans.csv", "-t", "paid", "-o", "found.json", "--report", "report.html", folder=tmp_path)
    return tmp_path


def test_an_edited_scheme_is_applied_as_the_same_cuts_set_by_hand(folder):
    found = Scheme.from_json((folder / "found.json").read_bytes())
    ranked = sorted(found.attributes, key=lambda attribute: -attribute.relevance)
    ranks = {attribute.name: rank for rank, attribute in enumerate(ranked, 1)}
    with open_browser(folder) as driver:
        report = Report(driver, folder / "report.html")
        drag(report, ranks["income"], 45)
        report.add(ranks["age"], "64.25")
        report.add(ranks["age"], "70.75")
        report.press("undo")
        cuts = {name: report.cuts(ranks[name]) for name in ("income", "age")}
        report.press("download")
        wait_for((folder / "scheme.json").is_file)
        assert report.messages() == []
        assert report.requests() == [report.path.as_uri()]
    assert cuts["income"] != list(found["income"].cuts)
    assert cuts["age"] == sorted([*found["age"].cuts, 64.25])

    by_hand = found.with_cuts("income", cuts["income"]).with_cuts("age", cuts["age"])
    expected = encode_columns(by_hand, loans()[list(found.names)])
    assert (expected != encode_columns(found, loans()[list(found.names)])).any()
    table = cutwise("apply", "scheme.json", "loans.csv", "--only", folder=folder)
    applied = pd.read_csv(io.BytesIO(table))
    assert list(applied.columns) == list(found.names)
    assert (applied.to_numpy() == expected).all()
    edited = {
        item["name"]: item.get("edited", False)
        for item in json.loads((folder / "scheme.json").read_text())["attributes"]
    }
    assert edited == {"income": True, "age": True, "home": False}
