"""Hostile text gives one kind of error, in bounded time (promise 18)."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import MRmDDiscretizer, Scheme, SchemeError
from cutwise.persist import strict

GOOD = MRmDDiscretizer().fit([[1.0], [2.0], [3.0], [4.0]] * 3, [0, 0, 1, 1] * 3).scheme_.to_json()
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "nested"),
        ('{"a":' * 100_000, "nested"),
        ("NaN", "NaN is not allowed"),
        ('{"a": Infinity}', "Infinity is not allowed"),
        ('{"a": -Infinity}', "-Infinity is not allowed"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "digits"),
        ('{"a": 1.' + "9" * 5000 + "}", "digits"),
        ('{"a": 1, "a": 2}', "'a' appears twice"),
        (GOOD.replace('"version":1', '"version":1,"version":1'), "'version' appears twice"),
        (b"\xff\xfe", "not UTF-8"),
        (GOOD.encode("utf-16"), "not UTF-8"),
        ("\ufeff" + GOOD, "not JSON"),
        (GOOD + "x", "not JSON"),
    ],
)
def test_hostile_texts(text, message):
    with pytest.raises(SchemeError, match=message):
        Scheme.from_json(text)


def test_too_large(monkeypatch):
    monkeypatch.setattr(strict, "MAX_CHARACTERS", 100)
    with pytest.raises(SchemeError, match="too large"):
        Scheme.from_json(GOOD)


@pytest.mark.parametrize("unit", ['"\\"', '"\\\\"', '"', "\\", '"[', '""'])
def test_quotes_and_escapes_take_linear_time(unit):
    # With quadratic time this would take hours.
    with pytest.raises(SchemeError):
        Scheme.from_json(unit * 1_000_000)


def test_brackets_in_texts_do_not_nest():
    data = json.loads(GOOD)
    data["method"] = "[" * 50 + '"{'
    assert Scheme.from_json(json.dumps(data)).method == "[" * 50 + '"{'


@given(st.integers(0, len(GOOD) - 1), st.binary(min_size=1, max_size=3), st.booleans())
def test_damaged_bytes(at, junk, insert):
    data = GOOD.encode()
    damaged = data[:at] + junk + data[at + (0 if insert else len(junk)) :]
    check(damaged)


@given(st.integers(0, len(GOOD) - 1))
def test_cut_off_texts(at):
    check(GOOD[:at].encode())


@given(st.data(), VALUES)
def test_damaged_structure(data, value):
    tree = json.loads(GOOD)
    node = tree
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if isinstance(node[key], dict | list) and data.draw(st.booleans()):
            node = node[key]
            continue
        node[key] = value
        break
    try:
        text = json.dumps(tree)
    except ValueError:
        return
    check(text)


def check(text):
    """A text is read as a scheme or refused with SchemeError, nothing else."""
    try:
        scheme = Scheme.from_json(text)
    except SchemeError:
        return
    assert Scheme.from_json(scheme.to_json()) == scheme


LARGE = 1 << 26


@pytest.mark.parametrize(
    "text",
    [
        "[" * LARGE,
        "]" * LARGE,
        "[" + "[]," * (LARGE // 3 - 2) + "[]]",
        "[" + "0," * (LARGE // 2 - 2) + "0]",
        '["' + '","' * (LARGE // 3 - 2) + '"]',
        '"' * LARGE,
        "9" * LARGE,
    ],
    ids=lambda text: text[:6],
)
def test_the_largest_hostile_texts_are_refused_in_bounded_time(text):
    begin = time.process_time()
    with pytest.raises(SchemeError, match=r"holds more than|digits"):
        Scheme.from_json(text)
    assert time.process_time() - begin < 10.0


@pytest.mark.parametrize(("depth", "is_allowed"), [(12, True), (13, False), (14, False)])
def test_the_depth_is_that_of_brackets_outside_of_texts(depth, is_allowed):
    nested = '["]["],' + "[" * (depth - 1) + '"[[[\\"["' + "]" * (depth - 1)
    message = "must be an object" if is_allowed else "nested more than 12 deep"
    with pytest.raises(SchemeError, match=message):
        Scheme.from_json(f"[{nested}]")
