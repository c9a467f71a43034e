"""The four formats: what they show, and hostile names in each."""

from __future__ import annotations

import csv
import io
import math
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.paper import MeanAndDeviation, ResultColumn, ResultTable
from cutwise.paper.formats import csv_text, html_page, latex, markdown
from cutwise.paper.table import MISSING, cell_text
from cutwise.scheme.text import shown
from tests.report.payloads import PAYLOADS

COLUMNS = (
    ResultColumn("data set", style="text"),
    ResultColumn("ours", "MRmD", has_std=True),
    ResultColumn("difference", "MRmD", style="signed"),
    ResultColumn("p", "MDLP", digits=4, style="chance"),
)
TABLE = ResultTable(
    "small",
    "A small table",
    COLUMNS,
    (("iris", MeanAndDeviation(94.0, 4.92), -1.5, 0.00001), ("wine", None, None, 0.25)),
    (("wins", 1, "", ""),),
    ("Two of them.",),
    frozenset({(0, 1)}),
)
HOSTILE = (
    *PAYLOADS, "a|b", "a\nb", "**bold**", "`code`", "[x](javascript:alert(1))", "\\input{/etc/passwd}", "\\end{table}",
    "50% of $x_1^2$ & {y} #1 ~", "[2em] first", "*star", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", 'a"b', "a,b",
    "![x](http://a)", "<!--", "$$", "%", "\\",
)  # fmt: skip


def named(name):
    return ResultTable(
        "t", name, (ResultColumn(name, style="text"), ResultColumn(name, name)), ((name, 1.0),), notes=(name,)
    )


@pytest.mark.parametrize(
    ("value", "column", "text"),
    [
        (None, COLUMNS[1], MISSING),
        (math.nan, COLUMNS[1], MISSING),
        (MeanAndDeviation(math.nan, math.nan), COLUMNS[1], MISSING),
        (MeanAndDeviation(50.0, math.nan), COLUMNS[1], f"50.00±{MISSING}"),
        (MeanAndDeviation(93.4567, 0.0), COLUMNS[1], "93.46±0.00"),
        (1.005, COLUMNS[2], "+1.00"),
        (-0.004, COLUMNS[2], "0.00"),
        (-2.0, COLUMNS[2], "-2.00"),
        (math.inf, COLUMNS[2], "∞"),
        (-math.inf, COLUMNS[2], "-∞"),
        (0.0, COLUMNS[3], "<0.0001"),
        (0.00006, COLUMNS[3], "0.0001"),
        (7, COLUMNS[1], "7"),
        ("iris", COLUMNS[0], "iris"),
    ],
)
def test_cells(value, column, text):
    assert cell_text(value, column) == text


def test_markdown():
    assert markdown(TABLE) == (
        "## A small table\n\n"
        "| data set | MRmD ours | MRmD difference | MDLP p |\n"
        "|:---|---:|---:|---:|\n"
        "| iris | **94.00±4.92** | -1.50 | &lt;0.0001 |\n"
        f"| wine | {MISSING} | {MISSING} | 0.2500 |\n"
        "| wins | 1 |  |  |\n\n"
        "Two of them.\n"
    )


def test_csv():
    assert csv_text(TABLE) == (
        "data set,MRmD ours,MRmD ours std,MRmD difference,MDLP p\n"
        "iris,94.0,4.92,-1.5,1e-05\nwine,,,,0.25\nwins,1,,,\n"
    )  # fmt: skip


def test_latex():
    lines = latex(TABLE).splitlines()
    assert lines[4] == r"\resizebox{\linewidth}{!}{\begin{tabular}{lrrr}"
    assert lines[6:9] == [
        r"\multicolumn{1}{c}{} & \multicolumn{2}{c}{MRmD} & \multicolumn{1}{c}{MDLP} \\",
        r"data set & ours & difference & p \\",
        r"\midrule",
    ]
    assert lines[9] == r"iris & \textbf{94.00$\pm$4.92} & -1.50 & \textless{}0.0001 \\"
    assert lines[10] == r"wine & -- & -- & 0.2500 \\"
    assert lines[11:13] == [r"\midrule", r"wins & 1 &  &  \\"]


class Inventory(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, [name for name, _ in attrs]))


def inventory(page):
    parser = Inventory()
    parser.feed(page)
    return parser.found


def test_html():
    page = html_page("Ours", [TABLE, TABLE])
    assert page.count("<b>94.00±4.92</b>") == 2
    assert '<th scope="colgroup" colspan="2" class="group first">MRmD</th>' in page
    assert "default-src 'none'" in page
    assert page.count("A small table</h2>") == page.count('aria-labelledby="small-title"') == 2
    assert html_page("Ours", [TABLE]).count('id="small-title"') == 1
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_in_html_are_text(name):
    assert inventory(html_page(name, [named(name)])) == inventory(html_page("plain", [named("plain")]))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_in_markdown_are_text(name):
    text = markdown(named(name))
    plain = markdown(named("plain"))
    assert text.count("\n") == plain.count("\n")
    row = text.splitlines()[4]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 3
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`\[\]$~]", row)
    assert "<" not in text
    assert not text.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "").count("&")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_in_latex_are_text(name):
    text = latex(named(name))
    plain = latex(named("plain"))
    assert text.count("\n") == plain.count("\n")
    commands = set(re.findall(r"\\[a-zA-Z]+|\\.", text)) - set(re.findall(r"\\[a-zA-Z]+|\\.", plain))
    harmless = {f"\\{char}" for char in "{}$&#%_"} | {"\\langle", "\\rangle"}
    assert commands <= harmless | {c for c in commands if c.startswith("\\text")}
    row = text.splitlines()[9]
    bare = re.sub(r"\\[{}$&#%_]", "", row)
    assert bare.count("{") == bare.count("}")
    assert bare.count("&") == 1
    assert not re.search(r"[%#~^_\"`]", bare)
    assert not row.startswith(("[", "*"))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_in_csv_are_text(name):
    rows = list(csv.reader(io.StringIO(csv_text(named(name)), newline="")))
    assert [len(row) for row in rows] == [2, 2]
    assert not rows[1][0].startswith(("=", "+", "-", "@", "\t", "\r"))
    assert rows[1][0].lstrip("'") == shown(name).lstrip("'")
    assert rows[1][1] == "1.0"


@given(st.text(min_size=1, max_size=30))
def test_any_name_is_one_cell(name):
    table = named(name)
    assert len(list(csv.reader(io.StringIO(csv_text(table), newline="")))) == 2
    assert markdown(table).count("\n") == markdown(named("x")).count("\n")
    assert latex(table).count("\n") == latex(named("x")).count("\n")
    assert inventory(html_page(name, [table])) == inventory(html_page("x", [named("x")]))


def test_rows_must_have_all_columns():
    with pytest.raises(ValueError, match="has 2 columns, but the row"):
        ResultTable("t", "T", (ResultColumn("a"), ResultColumn("b")), (("x",),))
