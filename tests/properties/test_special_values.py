"""Missing, infinite and unseen values have a documented code (promise 11).

The table in docs/special-values.md is what these tests find.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cutwise import MRmDDiscretizer, TableError

NUMERIC = {
    "None": None,
    "NaN": math.nan,
    "NaT": pd.NaT,
    "pandas.NA": pd.NA,
    "inf": math.inf,
    "-inf": -math.inf,
    "text": "abc",
    "number as text": " 4.0 ",
    "blank text": " ",
}
NOMINAL = {
    "None": None,
    "NaN": math.nan,
    "NaT": pd.NaT,
    "pandas.NA": pd.NA,
    "blank text": " ",
    "inf": math.inf,
    "-inf": -math.inf,
    "unseen category": "z",
    "number": 7,
}
GUIDE = Path(__file__).parents[2] / "docs" / "special-values.md"


def column(values):
    array = np.empty((len(values), 1), dtype=object)
    array[:, 0] = values
    return array


def numeric(value, **options):
    return column([1.0, 2.0, 3.0, 4.0, value] * 4), [0, 0, 1, 1, 0] * 4


def nominal(value, **options):
    return column(["a", "b", "a", "b", value] * 4), [0, 1, 0, 1, 0] * 4


def in_fit(make, value):
    X, y = make(value)
    try:
        scheme = MRmDDiscretizer().fit(X, y).scheme_
    except TableError:
        return "error"
    attribute = scheme.attributes[0]
    if any(attribute.missing_by_class):
        return "missing"
    return "end bin" if attribute.kind == "numeric" else "category"


def in_transform(make, value, missing):
    X, y = make(make(None)[0][0, 0])
    fitted = MRmDDiscretizer(missing=missing).fit(X, y)
    last = int(fitted.n_bins_[0])
    try:
        code = int(fitted.transform(column([value]))[0, 0])
    except TableError:
        return "error"
    return {-1: "-1", last: "own bin", last - 1: "last bin", 0: "first bin"}[code]


def outcomes():
    """Return the rows of the guide's table."""
    for kind, make, values in (("numeric", numeric, NUMERIC), ("nominal", nominal, NOMINAL)):
        for name, value in values.items():
            found = [in_fit(make, value), *(in_transform(make, value, missing) for missing in ("code", "bin"))]
            yield f"| {kind} | {name} | {' | '.join(found)} |"


def test_the_guide_shows_what_happens():
    rows = [line for line in GUIDE.read_text().splitlines() if line.startswith(("| numeric", "| nominal"))]
    assert rows == list(outcomes())


@pytest.mark.parametrize("container", ["pandas", "polars", "pyarrow"])
def test_missing_values_of_tables(container):
    import polars as pl
    import pyarrow as pa

    data = {"number": [1.0, None, 3.0, 4.0] * 5, "whole": [1, None, 3, 4] * 5, "word": ["a", None, "b", "b"] * 5}
    frame = {
        "pandas": lambda: pd.DataFrame(data).convert_dtypes(),
        "polars": lambda: pl.DataFrame(data),
        "pyarrow": lambda: pa.table(data),
    }[container]()
    fitted = MRmDDiscretizer(missing="bin").fit(frame, [0, 1, 1, 1] * 5)
    assert [sum(attribute.missing_by_class) for attribute in fitted.scheme_.attributes] == [5, 5, 5]
    assert (fitted.transform(frame)[1] == fitted.n_bins_).all()


def test_an_error_names_the_column_and_shows_the_value():
    fitted = MRmDDiscretizer().fit(pd.DataFrame({"age": [1.0, 2.0]}), [0, 1])
    with pytest.raises(TableError, match=r"Column 'age': expected a number, found 'old' in row 1"):
        fitted.transform(pd.DataFrame({"age": [1.0, "old"]}, dtype=object))
