"""Groups of categories in the report."""

from __future__ import annotations

from dataclasses import replace

from cutwise import Scheme
from cutwise.report import html_report
from cutwise.scheme import NominalAttribute

MANY = NominalAttribute(
    name="town",
    groups=(("Bonn", "<b>Ulm</b>"), tuple(f"place {i}" for i in range(1200))),
    class_counts=((3, 1), (100, 4000)),
    missing_by_class=(0, 0),
    score=0.5,
    relevance=0.5,
    divergence=0.0,
    stop="no_gain",
    p_values=(0.0123,),
)


def page_of(attribute):
    return html_report(Scheme(method="MDLP", classes=("no", "yes"), attributes=(attribute,), criterion="MDL"))


def test_groups_are_shown_and_unfold():
    page = page_of(MANY)
    assert "{Bonn, &lt;b&gt;Ulm&lt;/b&gt;}" in page
    assert "<b>Ulm" not in page
    assert "<summary>" in page
    assert "place 999" in page.split("<script")[0]
    assert "and 200 more" in page
    assert "0.012" in page
    assert "p of the parting" in page


def test_groups_set_by_hand_are_told():
    assert "by hand" in page_of(replace(MANY, edited=True, p_values=()))
