"""Small files in every format, with the same table in each."""

from __future__ import annotations

import gzip
import importlib
import io

import pandas as pd
import pytest

NAMES = ["age", "city", "note"]
ROWS = [[37.5, "Bonn", "a, b"], [None, "Rome", None], [-1e-3, None, "@1"]]

CSV = 'age,city,note\n37.5,Bonn,"a, b"\nNA,Rome,\n-1e-3,?,@1\n'
ARFF = "@relation r\n@attribute age real\n@attribute city {Bonn,Rome}\n@attribute note string\n@data\n"
ARFF += "37.5,Bonn,'a, b'\n?,Rome,?\n-0.001,?,@1\n"
KEEL_NAMES = ["age", "city"]
KEEL = (
    "@relation r\n@attribute age real [-1.0, 40.0]\n@attribute city {Bonn, Rome}\n@inputs age\n@outputs city\n@data\n"
)
KEEL += "37.5, Bonn\n<null>, Rome\n-1e-3, ?\n"


def excel(rows):
    """Return the bytes of a workbook."""
    openpyxl = pytest.importorskip("openpyxl", reason="Excel files need the extra excel")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def parquet(names=NAMES, rows=ROWS):
    out = io.BytesIO()
    importlib.import_module("pyarrow.parquet").write_table(
        importlib.import_module("pyarrow").Table.from_pandas(pd.DataFrame(rows, columns=names)), out
    )
    return out.getvalue()


def all_formats():
    """Yield (name of the file, what makes its bytes, names, rows)."""
    short = [row[:2] for row in ROWS]
    return [
        ("t.csv", CSV.encode, NAMES, ROWS),
        ("t.tsv", lambda: CSV.replace(",", "\t").replace("a\t b", "a, b").encode(), NAMES, ROWS),
        ("t.csv.gz", lambda: gzip.compress(CSV.encode()), NAMES, ROWS),
        ("t.parquet", parquet, NAMES, ROWS),
        ("t.xlsx", lambda: excel([NAMES, *ROWS]), NAMES, ROWS),
        ("t.arff", ARFF.encode, NAMES, ROWS),
        ("t.dat", KEEL.encode, KEEL_NAMES, short),
    ]
