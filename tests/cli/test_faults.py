"""Checks speak to people in one sentence; faults of the program say that they are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from joblib import Parallel, delayed
from sklearn.utils import check_array

from cutwise import MRmDDiscretizer
from cutwise.cli.output import is_meant_for_people
from cutwise.errors import TableError, WeightsWarning
from cutwise.validation import check_weights


def raised(action):
    """Return what an action raises."""
    try:
        action()
    except Exception as error:  # noqa: BLE001
        return error
    return None


def in_threads(function, *arguments, **options):
    return Parallel(n_jobs=2, prefer="threads")(delayed(function)(*arguments, **options) for _ in range(4))


@pytest.mark.parametrize("action", [
    lambda: check_weights([1.0, -1.0], 2),
    lambda: check_array([["a"]], dtype=float),
    lambda: MRmDDiscretizer(n_d="x").fit([[1.0], [2.0]], [0, 1]),
    lambda: MRmDDiscretizer().fit([[1.0], [2.0]], [0, 1, 2]),
    lambda: in_threads(check_weights, [-1.0], 1),
])  # fmt: skip
def test_checks_are_meant_for_people(action):
    assert is_meant_for_people(raised(action))


@pytest.mark.parametrize("action", [
    lambda: np.zeros(3) + np.zeros(4),
    lambda: int("x"),
    lambda: np.broadcast_shapes((2,), (3,)),
    lambda: len(5),
    lambda: in_threads(check_weights),
    lambda: in_threads(np.broadcast_shapes, (2,), (3,)),
])  # fmt: skip
def test_operations_are_not(action):
    assert not is_meant_for_people(raised(action))
    assert not is_meant_for_people(ValueError("never raised"))


def broken(*_, **__):
    return np.zeros(3) + np.zeros(4)


@pytest.mark.parametrize("command", [
    ("fit", "loans.csv", "-t", "paid"),
    ("check", "s.json", "loans.csv"),
    ("apply", "s.json", "loans.csv"),
])  # fmt: skip
def test_a_fault_says_so(run, folder, monkeypatch, command):
    assert run("fit", "loans.csv", "-t", "paid", "-o", "s.json")[0] == 0
    monkeypatch.setattr("cutwise.MRmDDiscretizer.fit", broken)
    monkeypatch.setattr("cutwise.scheme.new_rows.evaluate", broken)
    monkeypatch.setattr("cutwise.scheme.codes.encode_columns", broken)
    code, output, errors = run(*command)
    assert (code, output) == (70, "")
    first, second = errors.splitlines()
    assert first.startswith("cutwise: This is a fault of cutwise and not yours: ValueError: operands could not be")
    assert "(test_faults.py:" in first
    assert second == "Please report it: what you typed, and what it prints with CUTWISE_DEBUG=1 in front."
    monkeypatch.setenv("CUTWISE_DEBUG", "1")
    code, _, errors = run(*command)
    assert code == 70
    assert errors.startswith("Traceback (most recent call last):")
    assert errors.endswith(f"{first}\n{second}\n")


def test_errors_of_the_user_have_a_traceback_if_asked_for(run, folder, monkeypatch):
    sentence = "cutwise: There is no file 'none.csv'. Check its name and its folder.\n"
    assert run("fit", "none.csv", "-t", "paid") == (2, "", sentence)
    monkeypatch.setenv("CUTWISE_DEBUG", "1")
    code, _, errors = run("fit", "none.csv", "-t", "paid")
    assert code == 2
    assert errors.startswith("Traceback")
    assert errors.endswith(sentence)


@pytest.mark.parametrize(("error", "expected"), [
    (MemoryError(), (2, "cutwise: There is not enough memory. Take part of the rows or columns of the table.\n")),
    (TableError("Column 'a': mend it."), (2, "cutwise: Column 'a': mend it.\n")),
    (AssertionError(), (70, "cutwise: This is a fault of cutwise and not yours: AssertionError (")),
    (KeyError("a\nb"), (70, "cutwise: This is a fault of cutwise and not yours: KeyError: 'a\\nb' (")),
])  # fmt: skip
def test_every_kind_of_error(run, folder, monkeypatch, error, expected):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("cutwise.cli.fit.learn", fail)
    code, _, errors = run("fit", "loans.csv", "-t", "paid")
    assert (code, errors[: len(expected[1])]) == expected


KINDS = {
    "days": pd.date_range("2020", periods=40),
    "lists": [[1]] * 40,
    "dicts": [{"a": 1}] * 40,
    "bytes": [b"x"] * 40,
    "many": [2**62] * 40,
    "nothing": [None] * 40,
}


@pytest.mark.parametrize("kind", KINDS)
def test_odd_columns_are_no_faults(run, tmp_path, monkeypatch, kind):
    """As attribute, target and weight: exit code 0, with a word on the column or not, or 2 and one sentence."""
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"x": range(40), kind: KINDS[kind], "y": ["a", "b"] * 20}).to_parquet("odd.parquet")
    for options in (["-t", "y"], ["-t", kind], ["-t", "y", "--weight", kind]):
        code, _, errors = run("fit", "odd.parquet", *options)
        assert code in {0, 2}, errors
        is_told = (kind == "days" and "y" in options) or (kind == "many" and options == ["-t", "y"])
        expected = [*([f"{kind}: "] if is_told else []), *(["cutwise: "] if code else [])]
        found = errors.splitlines()
        assert len(found) == len(expected), errors
        assert all(line.startswith(start) for line, start in zip(found, expected, strict=True)), errors
    monkeypatch.undo()


def test_dates_are_no_weights(run, tmp_path):
    file = tmp_path / "dates.csv"
    lines = [f"{k},2024-01-{k % 28 + 1:02},{'ab'[k % 2]}" for k in range(40)]
    file.write_text("\n".join(["x,day,y", *lines]))
    code, _, errors = run("fit", str(file), "-t", "y", "--weight", "day")
    assert code == 2
    assert errors.endswith("cutwise: Column 'day' holds dates, which cannot be weights. Name a column of numbers.\n")


@pytest.mark.parametrize("weight", [2.0**62, 1e300, 1.7e308])
def test_weights_beyond_counting_are_refused(weight):
    with pytest.raises(
        ValueError, match=r"more rows than can be counted: .* Set weights='relative' if only their ratios matter"
    ):
        MRmDDiscretizer().fit(np.arange(40.0)[:, None], [0, 1] * 20, sample_weight=np.full(40, weight))
    with pytest.warns(WeightsWarning, match="weights='relative'"):
        MRmDDiscretizer().fit(np.arange(40.0)[:, None], [0, 1] * 20, sample_weight=np.full(40, 2.0**56))
