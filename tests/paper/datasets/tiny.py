"""A catalogue of one small set, and the table that belongs to it."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from cutwise.paper.datasets.catalogue import Catalogue, DatasetDescription, DerivationRules
from cutwise.paper.datasets.files import DatasetRows, write_table

COLUMNS = ("size", "colour", "Price")
ROWS = [
    [1.5, "red", 10.0, "yes"],
    [2.0, None, 20.0, "no"],
    [None, "a, 'b'", -0.25, "yes"],
    [1e-7, "red", 40.0, "yes"],
]
TABLE = DatasetRows(COLUMNS, ROWS)
CONTENT = write_table(TABLE)


def describe_table(table=TABLE, content=CONTENT, **changes):
    """What the catalogue would say of a table."""
    classes = table.classes()
    about = DatasetDescription(
        name="tiny",
        description="A test.",
        n_rows=len(table.rows),
        n_missing=sum(cell is None for row in table.rows for cell in row),
        columns=table.columns,
        nominal=("colour",),
        class_counts={label: classes.count(label) for label in dict.fromkeys(classes)},
        n_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        values_sha256=table.values_sha256(),
        rows_sha256=table.rows_sha256(),
        origin="UCI",
        licence="none",
        aliases=("teeny",),
        uci=7,
        openml=8,
        rules=DerivationRules(),
    )
    return replace(about, **changes)


TINY = describe_table()
CATALOGUE = Catalogue((TINY,))


def arff_of(table, *, names=None, classes=("yes", "no")):
    """The table as OpenML would give it."""
    names = names or (*table.columns, "class")
    kinds = ["NUMERIC", "STRING", "NUMERIC", "{" + ",".join(classes) + "}"]
    head = [f"@ATTRIBUTE '{name}' {kind}" for name, kind in zip(names, kinds, strict=True)]
    body = [",".join(map(_arff_value, row)) for row in table.rows]
    return "\n".join(["% a comment", "@RELATION tiny", *head, "@DATA", *body, ""]).encode()


def _arff_value(cell):
    if cell is None:
        return "?"
    return repr(cell) if isinstance(cell, float) else "'" + cell.replace("'", "\\'") + "'"
