"""A small loan table with numbers, categories, gaps and special values, for the tests of scorecards."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cutwise import MRmDDiscretizer, ScorecardClassifier

N_ROWS = 4_000


def loans(n_rows=N_ROWS, seed=7):
    """Return columns and classes; income falls with the risk, "twin" is income again, "noise" is none of it."""
    random = np.random.default_rng(seed)
    income = np.exp(random.normal(10.3, 0.5, n_rows)).round()
    age = random.integers(18, 80, n_rows).astype(float)
    home = random.choice(["rent", "own", "mortgage", "free"], n_rows, p=[0.4, 0.2, 0.35, 0.05])
    arrears = random.poisson(0.4, n_rows).astype(float)
    risk = -1.6 - 0.9 * (np.log(income) - 10.3) + 0.5 * (home == "rent") + 0.7 * np.minimum(arrears, 3)
    risk -= 0.02 * (age - 45)
    y = np.where(random.random(n_rows) < 1 / (1 + np.exp(-risk)), "bad", "good")
    table = {
        "income": np.where(random.random(n_rows) < 0.08, np.nan, income),
        "age": age,
        "home": [None if gap else name for gap, name in zip(random.random(n_rows) < 0.05, home, strict=True)],
        "arrears": np.where(random.random(n_rows) < 0.03, -999.0, arrears),
        "twin": income * 2 + random.normal(0.0, 50.0, n_rows),
        "noise": random.normal(size=n_rows),
    }
    return pd.DataFrame(table).astype({"home": object}), y


X, Y = loans()
BINS = MRmDDiscretizer(confirm=0.01, place="readable", special_values={"arrears": [-999]})
CARD = ScorecardClassifier(BINS, event="bad").fit(X, Y)
SHAPES = ScorecardClassifier(BINS, event="bad", model="additive", rounding=1).fit(X, Y)
# Rows with values that training never saw.
STRANGE = pd.DataFrame(
    {
        "income": [np.nan, 1e9, -np.inf, 30_000.0],
        "age": [40.0, np.nan, 200.0, np.nan],
        "home": ["castle", "rent", None, "own"],
        "arrears": [-999.0, 0.0, np.nan, 2.0],
        "twin": [1.0, 2.0, 3.0, np.nan],
        "noise": [0.0, np.nan, 1.0, 2.0],
    }
).astype({"home": object})
