"""The Excel workbook of a scheme, read back."""

from __future__ import annotations

import zipfile

import numpy as np
import pandas as pd
import pytest

from cutwise import EqualFrequencyDiscretizer, MDLPDiscretizer
from cutwise.cli import main
from cutwise.errors import SchemeError

openpyxl = pytest.importorskip("openpyxl", reason="Excel files need the extra excel")


def loans(n=400):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"income": random.normal(size=n), "city": random.choice(["Bonn", "=1+1", "Rome"], n)})
    y = np.where(random.random(n) < 1 / (1 + np.exp(1 + 2 * X["income"])), "late", "paid")
    X.loc[::9, "income"] = np.nan
    return X, y


def read(path):
    return openpyxl.load_workbook(path)


def table(sheet, top):
    head, *rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=top)]
    return pd.DataFrame(rows, columns=head).dropna(how="all").reset_index(drop=True)


def test_the_workbook_holds_the_tables_and_a_chart_for_each_attribute(tmp_path):
    scheme = MDLPDiscretizer(confirm=0.05).fit(*loans()).scheme_
    path = scheme.to_excel(tmp_path / "bins.xlsx")
    book = read(path)
    assert book.sheetnames == ["Summary", "Bins", "income", "city"]
    assert "event late" in book["Summary"]["A1"].value
    summary, expected = table(book["Summary"], 3), scheme.summary("pandas").sort_values("iv", ascending=False)
    assert summary["attribute"].tolist() == expected["attribute"].tolist()
    for name in ("bins", "missing", "iv", "gini", "ks"):
        assert summary[name].astype(float).tolist() == pytest.approx(expected[name].astype(float).tolist())
    bins, expected = table(book["Bins"], 1), scheme.to_frame("pandas")
    assert bins.columns.tolist() == expected.columns.tolist()
    for name in ("rows", "share", "events", "rate", "woe", "iv", "cumulative_events"):
        assert bins[name].astype(float).tolist() == pytest.approx(expected[name].tolist())
    assert bins["bin"].tolist() == expected["bin"].tolist()
    for name in ("income", "city"):
        [chart] = book[name]._charts
        assert type(chart).__name__ == "BarChart"
        own = table(book[name], 4)
        assert own["bin"].tolist() == expected[expected["attribute"] == name]["bin"].tolist()
    with zipfile.ZipFile(path) as archive:
        charts = [archive.read(name).decode() for name in archive.namelist() if "charts/chart" in name]
    assert len(charts) == 2
    assert all("lineChart" in chart and "barChart" in chart for chart in charts)


def test_no_text_is_a_formula_and_odd_names_are_sheets(tmp_path):
    X, y = loans()
    X.columns = ["=SUM(A1:A9)", "a/b[c]:*?\\" + "x" * 40 + "\x00"]
    X["A/B(C)"] = X["=SUM(A1:A9)"]
    X["summary"] = X["=SUM(A1:A9)"]
    book = read(MDLPDiscretizer().fit(X, y).scheme_.to_excel(tmp_path / "odd.xlsx"))
    assert len(book.sheetnames) == 6
    assert all(len(name) <= 31 for name in book.sheetnames)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert {cell.data_type for cell in cells} == {"s"}
    assert any(cell.value == "=1+1" for cell in cells)


def test_without_classes_and_with_unknown_rows(tmp_path):
    X, y = loans()
    book = read(EqualFrequencyDiscretizer(3).fit(X).scheme_.to_excel(tmp_path / "a.xlsx"))
    assert len(book["income"]._charts) == 1
    edited = MDLPDiscretizer().fit(X, y).scheme_.with_cuts("income", [0.1234])
    book = read(edited.to_excel(tmp_path / "b.xlsx"))
    assert book["income"]._charts == []
    with pytest.raises(SchemeError, match=r"ends in .xlsx, not 'bins.csv'"):
        edited.to_excel(tmp_path / "bins.csv")


def test_the_command_line_writes_a_workbook(tmp_path, capsys):
    X, y = loans()
    X.assign(y=y).to_csv(tmp_path / "loans.csv", index=False)
    out = tmp_path / "report.xlsx"
    main(["report", str(tmp_path / "loans.csv"), "-t", "y", "--event", "paid", "-o", str(out), "-m", "mdlp"])
    assert read(out)["Summary"]["C4"].value == "paid"
    assert "report.xlsx" in capsys.readouterr().out
