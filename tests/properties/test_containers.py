"""Input is never changed, and every container of the same table gives the same bytes (promises 10 and 14)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given

from cutwise import MRmDDiscretizer, TableError
from tests.strategies import tables

rng = np.random.default_rng(5)
NUMBERS = rng.normal(size=(60, 3)).round(1)
CLASSES = (NUMBERS[:, 0] + rng.normal(size=60) > 0).astype(int)
WORDS = np.where(NUMBERS[:, 1] > 0, "up", "down")
EXPECTED = MRmDDiscretizer().fit(NUMBERS, CLASSES)
NAMES = ["x0", "x1", "x2"]


def memory_map(tmp_path):
    np.save(tmp_path / "x.npy", NUMBERS)
    return np.load(tmp_path / "x.npy", mmap_mode="r")


def read_only(tmp_path):
    array = np.asfortranarray(NUMBERS)
    array.flags.writeable = False
    return array


def unusual_index(tmp_path):
    return pd.DataFrame(NUMBERS, columns=NAMES, index=pd.MultiIndex.from_arrays([np.zeros(60), np.zeros(60)]))


CONTAINERS = {
    "list": lambda _: NUMBERS.tolist(),
    "c order": lambda _: np.ascontiguousarray(NUMBERS),
    "fortran order": lambda _: np.asfortranarray(NUMBERS),
    "negative step": lambda _: NUMBERS[::-1].copy()[::-1],
    "object": lambda _: NUMBERS.astype(object),
    "memory map": memory_map,
    "read only": read_only,
    "pandas": lambda _: pd.DataFrame(NUMBERS, columns=NAMES),
    "pandas, no names": lambda _: pd.DataFrame(NUMBERS),
    "pandas, index": unusual_index,
    "pandas, nullable": lambda _: pd.DataFrame(NUMBERS, columns=NAMES).astype("Float64"),
    "pandas, arrow": lambda _: pd.DataFrame(NUMBERS, columns=NAMES).astype("float64[pyarrow]"),
    "pandas, object": lambda _: pd.DataFrame(NUMBERS, columns=NAMES).astype(object),
    "polars": lambda _: pl.DataFrame(dict(zip(NAMES, NUMBERS.T, strict=True))),
    "polars, chunks": lambda _: pl.concat(
        [pl.DataFrame(dict(zip(NAMES, part.T, strict=True))) for part in (NUMBERS[:20], NUMBERS[20:])], rechunk=False
    ),
    "pyarrow": lambda _: pa.table(dict(zip(NAMES, map(np.ascontiguousarray, NUMBERS.T), strict=True))),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_of_numbers(name, tmp_path):
    X = CONTAINERS[name](tmp_path)
    fitted = MRmDDiscretizer().fit(X, CLASSES)
    assert fitted.scheme_.to_json() == EXPECTED.scheme_.to_json()
    assert np.array_equal(fitted.transform(X), EXPECTED.transform(NUMBERS))


MIXED = {
    "object": lambda: np.column_stack([NUMBERS.astype(object), WORDS.astype(object)]),
    "list": lambda: [[*row, word] for row, word in zip(NUMBERS.tolist(), WORDS.tolist(), strict=True)],
    "pandas": lambda: pd.DataFrame(NUMBERS, columns=NAMES).assign(x3=WORDS),
    "pandas, category": lambda: pd.DataFrame(NUMBERS, columns=NAMES).assign(x3=pd.Categorical(WORDS, ["up", "down"])),
    "polars": lambda: pl.DataFrame(dict(zip(NAMES, NUMBERS.T, strict=True))).with_columns(x3=pl.Series(WORDS.tolist())),
    "polars, category": lambda: pl.DataFrame(dict(zip(NAMES, NUMBERS.T, strict=True))).with_columns(
        x3=pl.Series(WORDS.tolist(), dtype=pl.Categorical)
    ),
    "pyarrow": lambda: pa.table(
        {**dict(zip(NAMES, map(np.ascontiguousarray, NUMBERS.T), strict=True)), "x3": WORDS.tolist()}
    ),
}


@pytest.mark.parametrize("name", MIXED)
def test_containers_of_mixed_columns(name):
    fitted = MRmDDiscretizer().fit(MIXED[name](), CLASSES)
    assert fitted.scheme_.to_json() == MRmDDiscretizer().fit(MIXED["object"](), CLASSES).scheme_.to_json()
    assert fitted.scheme_["x3"].categories == ("down", "up")
    assert np.array_equal(fitted.transform(MIXED["object"]() if name == "list" else MIXED[name]())[:, 3], WORDS == "up")


@pytest.mark.parametrize("make", [list, pd.Series, pl.Series, pa.array, np.array], ids=lambda make: make.__module__)
def test_containers_of_the_target(make):
    labels = make(["yes" if label else "no" for label in CLASSES.tolist()])
    fitted = MRmDDiscretizer().fit(NUMBERS, labels)
    assert fitted.classes_.tolist() == ["no", "yes"]
    assert [cuts.tolist() for cuts in fitted.cuts_] == [cuts.tolist() for cuts in EXPECTED.cuts_]


@pytest.mark.parametrize("dtype", [float, int, object])
def test_masked_values_are_missing(dtype):
    mask = np.zeros((60, 1), dtype=bool)
    mask[::7] = True
    X = np.ma.masked_array(np.arange(60).reshape(-1, 1).astype(dtype), mask=mask)
    fitted = MRmDDiscretizer().fit(X, np.arange(60) > 30)
    assert sum(fitted.scheme_["x0"].missing_by_class) == mask.sum()
    assert np.array_equal(fitted.transform(X) == -1, mask)


def test_boolean_targets_and_columns():
    fitted = MRmDDiscretizer().fit(pd.DataFrame({"flag": CLASSES == 1}), pd.Series(CLASSES == 1))
    assert fitted.scheme_.classes == (False, True)
    assert fitted.scheme_["flag"].categories == (False, True)
    assert fitted.transform(pd.DataFrame({"flag": [True, False]}))[:, 0].tolist() == [1, 0]


def test_numbers_as_categories():
    frame = pd.DataFrame({"grade": pd.Categorical([3, 1, 2, 1, 3, 2])})
    fitted = MRmDDiscretizer().fit(frame, [0, 1, 0, 1, 0, 1])
    assert fitted.scheme_["grade"].categories == (1, 2, 3)
    assert fitted.transform(frame)[:, 0].tolist() == [2, 0, 1, 0, 2, 1]


@given(tables(missing=True))
def test_input_is_never_changed(table):
    X, y = table
    before = X.tobytes(), y.tobytes()
    frame = pd.DataFrame(X)
    for data in (X, np.asfortranarray(X), frame):
        MRmDDiscretizer().fit(data, y).transform(data)
    assert (X.tobytes(), y.tobytes()) == before
    assert frame.equals(pd.DataFrame(X))


def test_a_fitted_object_is_only_read():
    """Transform works on an object that refuses to be written to (promise 8)."""

    class Frozen(MRmDDiscretizer):
        def __setattr__(self, name, value):
            if "scheme_" in self.__dict__:
                raise AttributeError(name)
            super().__setattr__(name, value)

    fitted = Frozen()
    fitted.__dict__.update(MRmDDiscretizer().fit(NUMBERS, CLASSES).__dict__)
    before = dict(fitted.__dict__)
    codes = fitted.transform(NUMBERS)
    fitted.inverse_transform(codes)
    fitted.scheme_.to_json()
    assert fitted.__dict__ == before


def test_non_string_names_are_ignored_as_in_scikit_learn():
    frame = pd.DataFrame(NUMBERS, columns=[10, 20, 30])
    assert MRmDDiscretizer().fit(frame, CLASSES).scheme_.names == ("x0", "x1", "x2")


def test_wrong_columns_are_refused():
    fitted = MRmDDiscretizer().fit(pd.DataFrame(NUMBERS, columns=NAMES), CLASSES)
    with pytest.raises(ValueError, match="feature names"):
        fitted.transform(pd.DataFrame(NUMBERS, columns=["x0", "x2", "x1"]))
    with pytest.raises(ValueError, match="2 features"):
        MRmDDiscretizer().fit(NUMBERS, CLASSES).transform(NUMBERS[:, :2])
    with pytest.raises(TableError, match="mixes"):
        MRmDDiscretizer().fit(np.array([[1, "a"], ["b", 2]], dtype=object), [0, 1])
