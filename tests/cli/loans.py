"""A small table of customers, for the commands."""

from __future__ import annotations

import numpy as np
import pandas as pd


def loans(n=240, seed=7, older=0):
    """Return a table with numbers, texts, missing values and two classes."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "income": rng.normal(40, 12, n).round(),
            "age": rng.integers(18, 75, n) + older,
            "home": rng.choice(["own", "rent"], n),
        }
    )
    risk = 3 - 0.1 * table["income"] + 1.5 * (table["home"] == "rent") + 2.0 * (table["age"] < 30)
    table["paid"] = np.where(risk + rng.logistic(size=n) > 0, "late", "in time")
    table.loc[::12, "income"] = None
    return table
