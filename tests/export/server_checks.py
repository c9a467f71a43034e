"""What every database server is asked: the same tables for all of them."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from cutwise import DiscretizedClassifier, EqualFrequencyDiscretizer
from cutwise.errors import ColumnWarning
from cutwise.scheme import encode_columns
from tests.classify.scorecard.loans import CARD, SHAPES
from tests.classify.scorecard.test_card_exports import check as check_card
from tests.classify.scorecard.test_card_exports import columns_of
from tests.export.engines import ROW, typed
from tests.export.schemes import EXTREMES, HOSTILE, WITH_BLANKS, around, codes_of, nominal, numeric, scheme_of
from tests.export.test_names import NAMES
from tests.export.test_scores import COLUMNS, MODELS, TABLE, check

CUTS = [-1e300, -0.1, 0.0, 5e-324, 0.1, 1 / 3, 2.0**53, 1e22, 1.7976931348623157e308]
VALUES = [*EXTREMES, *around(CUTS)]
NUMERIC = [
    numeric("none", []),
    numeric("zero", [-0.0], special=[0.0]),
    numeric("many", CUTS, special=[-999.0, 0.3, 1.0]),
    numeric("tiny", [0.25], special=[-0.0, 5e-324]),
]
NOMINAL = [
    nominal("booleans", [False, True]),
    nominal("true", [True]),
    nominal("integers", [1, 2, 2**53 + 1]),
    nominal("doubles", [-0.5, 0.0, 0.1, 1e300]),
    nominal("no category", []),
]
OTHERS = [
    [True, False, None, True, False, True],
    [True, False, None, True, False, True],
    [1, 2, None, 3, 2**53 + 1, 2**53],
    [-0.0, 0.1, None, math.nan, math.inf, math.nextafter(0.1, 1)],
    ["a", "", None, "b", "c", "d"],
]


def finite(columns):
    """Columns as a database has them that knows neither NaN nor infinity."""
    return [[None if isinstance(x, float) and not math.isfinite(x) else x for x in column] for column in columns]


def check_extremes(run, dialect, held=list):
    for missing in ("code", "bin"):
        scheme = scheme_of(*NUMERIC, missing=missing)
        columns = held([VALUES] * len(NUMERIC))
        found = run(scheme.to_sql(dialect, keep=[ROW]), typed(scheme, columns))
        assert found == codes_of(scheme, columns)


def check_categories(run, dialect, held=list):
    columns = held(OTHERS)
    for missing in ("code", "bin"):
        scheme = scheme_of(*NOMINAL, missing=missing)
        found = run(scheme.to_sql(dialect, keep=[ROW]), typed(scheme, columns))
        assert found == codes_of(scheme, columns)


def check_texts(run, dialect, *, holds_nul):
    texts = [*HOSTILE, *WITH_BLANKS, "unseen", "nul"]
    values = [None, *(text for text in texts if holds_nul or "\0" not in text)]
    scheme = scheme_of(nominal("even", HOSTILE[::2]), nominal("odd", HOSTILE[1::2]))
    found = run(scheme.to_sql(dialect, keep=[ROW]), typed(scheme, [values, values]))
    assert found == codes_of(scheme, [values, values])


def check_hostile_names(run, dialect, forbidden):
    names = [name for name in NAMES if name not in forbidden]
    scheme = scheme_of(*(numeric(name, [float(j)]) for j, name in enumerate(names)))
    columns = [[j - 0.5, j + 0.5, None] for j in range(len(names))]
    found = run(scheme.to_sql(dialect, keep=[ROW]), typed(scheme, columns))
    assert found == [[0] * len(names), [1] * len(names), [-1] * len(names)]


def check_integers(run, dialect):
    values = [2**53 + 1, 2**53 + 2, 2**53 + 3, 2**63 - 1, -(2**63), 0, -1]
    scheme = scheme_of(numeric("x", [-(2.0**62), 2.0**53, 2.0**53 + 2], special=[2.0**63]))
    columns = [(ROW, "integer", list(range(len(values)))), ("x", "integer", values)]
    found = run(scheme.to_sql(dialect, keep=[ROW]), columns)
    with pytest.warns(ColumnWarning, match="'x' holds whole numbers beyond 2"):
        assert found == encode_columns(scheme, np.array(values)[:, None]).tolist()


def check_scores(run, dialect, held=list):
    columns = held(COLUMNS)
    table = pd.DataFrame(list(zip(*columns, strict=True)), columns=TABLE.columns)
    for model in MODELS:
        found = run(model.to_sql(dialect, keep=[ROW]), typed(model.scheme_, columns))
        check(([row[0] for row in found], np.array([row[1:] for row in found])), model, table)


def check_scorecards(run, dialect):
    for card in (CARD, SHAPES):
        found = run(card.to_sql(dialect, keep=[ROW]), typed(card._exported()[0], columns_of(card)))
        check_card(card, found, 4, "best")


def check_names_of_steps(run, dialect):
    """Columns may have the names that the query itself gives to its steps and their columns."""
    names = ["v1", "v0", "k0", "c0", "cutwise_values", "item"]
    scheme = scheme_of(*(numeric(name, [float(j)]) for j, name in enumerate(names)))
    columns = [[j - 0.5, j + 0.5, None] for j in range(len(names))]
    found = run(scheme.to_sql(dialect, keep=[ROW]), typed(scheme, columns))
    assert found == [[0] * len(names), [1] * len(names), [-1] * len(names)]


def check_many_classes(run, dialect):
    """A query of many classes and columns takes seconds, and not forever."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 20
    X = y[:, None] + rng.normal(size=(300, 10))
    model = DiscretizedClassifier(EqualFrequencyDiscretizer(8)).fit(X, y)
    found = run(model.to_sql(dialect, keep=[ROW]), typed(model.scheme_, X.T.tolist()))
    check(([row[0] for row in found], np.array([row[1:] for row in found])), model, X)


def check_any_scheme(run, dialect, case, held=list):
    scheme, columns = case
    columns = held(columns)
    found = run(scheme.to_sql(dialect, keep=[ROW]), typed(scheme, columns))
    assert found == codes_of(scheme, columns)
