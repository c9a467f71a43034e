"""The page by period: every figure, no script, and texts that are not markup."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cutwise import EqualFrequencyDiscretizer
from cutwise.report import monitoring_report, write_monitoring_report
from cutwise.report.markup import shortened
from cutwise.scheme.monitoring import figure_cells
from tests.report.payloads import PAYLOADS
from tests.report.test_html import Page, check_page_is_accessible


def rows(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = np.where(rng.random(n) < 1 / (1 + np.exp(x)), "late", "paid")
    return pd.DataFrame({"age": x, "noise": rng.normal(size=n)}), y


def monitored(by=None, classes=True):
    scheme = EqualFrequencyDiscretizer(4).fit(*rows(1000, 0)).scheme_
    X, y = rows(900, 1)
    X.iloc[600:, 0] += 1.5
    periods = np.repeat(["a", "b", "c"], 300) if by is None else by
    return scheme.evaluate(X, y if classes else None, by=periods)


def test_the_page_has_every_figure(tmp_path):
    found = monitored()
    write_monitoring_report(tmp_path / "page.html", found, "By month")
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    check_page_is_accessible(page)
    _, lines = figure_cells(found)
    assert all(line in page.rows for line in lines)
    # PSI and Gini of each attribute.
    assert len(page.all("svg")) == 4
    assert found.verdict in page.text
    [changed] = [row for row in page.rows if row[0] == "c" and len(row) == 5]
    assert changed[-1].startswith("age")
    assert not page.all("script")


def test_without_classes_there_is_no_gini():
    page = Page(monitoring_report(monitored(classes=False)))
    assert len(page.all("svg")) == 2
    assert "Gini" not in page.texts


def test_equal_figures_give_equal_pages():
    assert monitoring_report(monitored()) == monitoring_report(monitored())


def test_many_periods_stay_readable():
    page = monitoring_report(monitored(by=np.arange(900) // 30))
    labels = re.findall(r'class="soft" x="([\d.]+)" y="136"', page)
    assert 3 <= len(labels) / 4 <= 6


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_changes_no_structure(payload):
    def written(text):
        known = monitored()
        figures = tuple(replace(one, attribute=text + one.attribute, period=text + one.period) for one in known.figures)
        names, periods = (tuple(text + one for one in listed) for listed in (known.names, known.periods))
        found = replace(known, method=text, event=text, names=names, periods=periods, figures=figures)
        return Page(monitoring_report(found, text))

    page, twin = written(payload), written("h" * len(shortened(payload)))
    assert page.inventory == twin.inventory
    assert not page.comments
    assert not any(payload in (value or "") for _, attributes in page.elements for value in attributes.values())
