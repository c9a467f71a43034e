"""A table of loans as people write it: made here, with what it means beside it."""

from __future__ import annotations

import numpy as np
import pandas as pd


def german(number):
    """Return a number with a decimal comma."""
    return f"{number:,.2f}".translate({ord(","): ".", ord("."): ","})


def messy_loans(n=300, seed=3):
    """Return a table of strings, and the numbers and categories that they stand for."""
    rng = np.random.default_rng(seed)
    income = rng.lognormal(9, 0.5, n).round(2)
    debt = rng.lognormal(8, 0.7, n).round(2)
    ratio = rng.uniform(0, 90, n).round(1)
    days = 18262 + rng.integers(0, 900, n)
    owner = rng.random(n) < 0.5
    late = rng.random(n) < 1 / (1 + np.exp((income - 8000) / 1500))
    dates = pd.to_datetime(days, unit="D")
    meant = pd.DataFrame(
        {
            "income": income,
            "debt": debt,
            "ratio": ratio,
            "opened": days.astype(float),
            "paid_on": days.astype(float),
            "owner": np.where(owner, "Yes", "No"),
            "home": rng.choice(["own", "rent"], n),
        }
    )
    written = pd.DataFrame(
        {
            "income": [f"{x:,.2f}" for x in income],
            "debt": [german(x) for x in debt],
            "ratio": [f"{x}%" for x in ratio],
            "opened": dates.strftime("%d.%m.%Y"),
            "paid_on": dates.strftime("%m/%d/%Y"),
            "owner": np.where(owner, np.where(rng.random(n) < 0.1, "YES", "Yes"), "No"),
            "home": meant["home"] + "  ",
        }
    ).astype(object)
    for name in ("income", "debt", "opened"):
        meant.loc[::17, name] = np.nan
        written.loc[::17, name] = "n/a"
    meant.loc[::11, "home"] = None
    written.loc[::11, "home"] = "-"
    return written, meant, np.where(late, "late", "paid")
