"""The event: which class rates, weights and trends are about, from the fit to JSON, the page and the command line."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from cutwise import (
    EqualFrequencyDiscretizer,
    JointDiscretizer,
    MDLPDiscretizer,
    MODLDiscretizer,
    MRmDDiscretizer,
    Scheme,
    count_table,
)
from cutwise.errors import SchemeError
from cutwise.report import html_report
from cutwise.report.summary import summarize

METHODS = [MRmDDiscretizer, MDLPDiscretizer, MODLDiscretizer, JointDiscretizer]


def customers(n=600, seed=0):
    """Rows of which few are bad, and the fewer the larger x is."""
    random = np.random.default_rng(seed)
    x = random.normal(size=n).round(2)
    y = np.where(random.random(n) < 1 / (1 + np.exp(1.5 + 1.5 * x)), "bad", "good")
    return pd.DataFrame({"x": x, "city": random.choice(["Bonn", "Rome"], n)}), y


def rates(scheme, label):
    place = scheme.classes.index(label)
    return [row[place] / sum(row) for row in scheme["x"].class_counts]


def test_the_rarer_class_is_the_event_by_default():
    X, y = customers()
    assert (y == "bad").mean() < 0.5
    assert MDLPDiscretizer().fit(X, y).scheme_.event == "bad"
    assert MDLPDiscretizer().fit(X, np.where(y == "bad", "good", "bad")).scheme_.event == "good"
    assert EqualFrequencyDiscretizer(3).fit(X, y).scheme_.event == "bad"
    assert EqualFrequencyDiscretizer(3).fit(X).scheme_.event is None
    assert MDLPDiscretizer().fit(X, np.arange(len(y)) % 3).scheme_.event is None


def test_of_equal_classes_the_second_is_the_event():
    assert MDLPDiscretizer().fit([[1], [2], [3], [4]], ["a", "b", "a", "b"]).scheme_.event == "b"


def test_weights_decide_which_class_is_rarer():
    X, y = [[1], [2], [3], [4]], ["a", "a", "a", "b"]
    assert MDLPDiscretizer().fit(X, y).scheme_.event == "b"
    assert MDLPDiscretizer().fit(X, y, [1, 1, 1, 9]).scheme_.event == "a"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("event", ["bad", "good", None])
@pytest.mark.parametrize("trend", ["increasing", "decreasing", "auto"])
def test_trends_are_about_the_event(method, event, trend):
    X, y = customers()
    scheme = method(event=event, monotonic=trend).fit(X[["x"]], y).scheme_
    assert scheme.event == (event or "bad")
    steps = np.diff(rates(scheme, scheme.event))
    falls = scheme.event == "bad"
    assert (steps <= 0).all() if (trend == "decreasing" or (trend == "auto" and falls)) else (steps >= 0).all()
    if method is not JointDiscretizer:
        assert bool(steps.size) == (trend == "auto" or (trend == "decreasing") == falls)


def test_a_renamed_event_has_the_same_cuts():
    X, y = customers()
    for event in ("bad", "good"):
        cuts = MDLPDiscretizer(monotonic="decreasing", event=event).fit(X, y).scheme_["x"].cuts
        turned = np.where(y == "bad", "z", "a")
        again = MDLPDiscretizer(monotonic="decreasing", event="z" if event == "bad" else "a").fit(X, turned)
        assert again.scheme_["x"].cuts == cuts


def test_every_way_to_learn_has_the_event():
    X, y = customers()
    table = pl.from_pandas(X.assign(y=y))
    for event in (None, "good"):
        expected = MDLPDiscretizer(event=event).fit(X, y).scheme_
        assert MDLPDiscretizer(event=event).fit_table(table, "y").scheme_ == expected
        assert MDLPDiscretizer(event=event).fit_counts(count_table(table, "y")).scheme_ == expected
        stream = MDLPDiscretizer(event=event)
        for rows in (slice(0, 250), slice(250, None)):
            stream.partial_fit(X[rows], y[rows])
        assert stream.scheme_ == expected


def test_an_event_that_is_no_class_is_told():
    X, y = customers()
    with pytest.raises(
        ValueError, match=r"The event 'Bad' is none of the classes, which are 'bad', 'good'. Did you mean"
    ):
        MDLPDiscretizer(event="Bad").fit(X, y)
    with pytest.raises(ValueError, match="event='bad' names a class, but there are none"):
        EqualFrequencyDiscretizer(3, event="bad").fit(X)


def test_the_event_is_kept_in_json_by_edits_and_by_new_counts():
    X, y = customers()
    for event in (None, "bad", "good"):
        scheme = MDLPDiscretizer(event=event).fit(X, y).scheme_
        assert Scheme.from_json(scheme.to_json()) == scheme
        assert ("event" in scheme.to_dict()) == (event == "good")
        assert scheme.with_cuts("x", [0.1234]).event == scheme.event
        # Among these rows the other class is the rarer one.
        again = scheme.recount(X[y == "bad"], y[y == "bad"])
        assert again.event == scheme.event
        assert Scheme.from_json(again.to_json()) == again


def test_a_written_event_must_be_a_class():
    X, y = customers()
    data = MDLPDiscretizer(event="good").fit(X, y).scheme_.to_dict()
    for wrong in ("Good", 1, True, 0.5):
        with pytest.raises(SchemeError, match="is none of the classes"):
            Scheme.from_dict({**data, "event": wrong})
    for wrong in (None, [], {}):
        with pytest.raises(SchemeError):
            Scheme.from_dict({**data, "event": wrong})
    numbers = MDLPDiscretizer(event=1).fit(X, y == "good").scheme_
    assert numbers.event is True
    with pytest.raises(SchemeError, match="is none of the classes"):
        Scheme.from_json(json.dumps({**numbers.to_dict(), "event": 1}))


def test_what_is_shown_says_the_event():
    X, y = customers()
    for event in ("bad", "good"):
        scheme = MDLPDiscretizer(event=event).fit(X, y).scheme_
        assert f"event {event}" in str(scheme).splitlines()[0]
        assert f"event {event}" in scheme._repr_html_()
        assert f"The event is <strong><bdi>{event}</bdi></strong>" in html_report(scheme)
        assert summarize(scheme)["event"] == scheme.classes.index(event)
        found = scheme.evaluate(X, y)["x"]
        assert found.event == event
        assert f"new {event}" in str(found)


def test_new_rows_have_weights_about_the_event():
    X, y = customers()
    by_event = {event: MDLPDiscretizer(event=event).fit(X, y).scheme_.evaluate(X, y)["x"] for event in ("bad", "good")}
    bad, good = ([one.new_evidence for one in by_event[event].bins] for event in ("bad", "good"))
    assert bad == pytest.approx([-weight for weight in good])
    # Few events in the last bin: its weight speaks against them.
    assert bad[-1] > 0 > bad[0]
