"""A scheme by itself: codes of a table, and files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cutwise import MDLPDiscretizer, Scheme, SchemeError, TableError

RANDOM = np.random.default_rng(0)
X = pd.DataFrame({"x": RANDOM.normal(size=60), "town": RANDOM.choice(["Rome", "Bern"], 60)})
X.loc[3, "x"] = np.nan
FITTED = MDLPDiscretizer(missing="bin").fit(X, X["x"] > 0.3)


def test_codes_are_those_of_the_discretizer():
    codes = FITTED.scheme_.transform(X)
    assert codes.dtype == np.int32
    assert codes.tolist() == FITTED.transform(X).tolist()
    assert FITTED.scheme_.transform(X.assign(other=1)[["other", "town", "x"]]).tolist() == codes.tolist()
    assert FITTED.scheme_.transform(X.to_numpy()).tolist() == codes.tolist()
    assert FITTED.scheme_.transform(X[:0]).shape == (0, 2)
    with pytest.raises(TableError, match="lacks the column 'x'"):
        FITTED.scheme_.transform(X[["town"]])


def test_files(tmp_path):
    path = FITTED.scheme_.write(tmp_path / "scheme.json")
    assert path.read_text("utf-8") == FITTED.scheme_.to_json()
    assert Scheme.read(path) == Scheme.read(str(path)) == FITTED.scheme_


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "scheme.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(SchemeError, match=r"scheme\.json"):
        Scheme.read(path)
    with pytest.raises(FileNotFoundError, match=r"lacking\.json"):
        Scheme.read(tmp_path / "lacking.json")
