"""
Do the bins hold on new data?
=============================

A scheme holds the counts of its training rows, so that any later sample can be laid beside them.
"""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from cutwise import MRmDDiscretizer


def customers(n, seed, older=0):
    """Return customers and whether they paid; those of a later year may be older."""
    rng = np.random.default_rng(seed)
    age = rng.normal(45 + older, 12, n).round()
    paid = rng.random(n) < 1 / (1 + np.exp(-(age - 45) / 10))
    return pd.DataFrame({"age": age}), np.where(paid, "paid", "late")


scheme = MRmDDiscretizer(max_bins=5).fit(*customers(3000, 0)).scheme_

# %%
# A sample of the same kind, and one of older customers.
same = scheme.evaluate(*customers(1000, 1))
older = scheme.evaluate(*customers(1000, 2, older=8))
print(same)
print(older)

# %%
# Shares of the rows above, rates of "paid" with their intervals below. The older sample has other shares, but within a
# bin the rates are those of training.
figure, axes = plt.subplots(2, 2, figsize=(10, 7), layout="constrained", sharex=True, sharey="row")
for column, (title, found) in zip(axes.T, {"same kind": same, "older": older}.items(), strict=True):
    bins = found["age"].bins
    places = np.arange(len(bins))
    column[0].bar(places - 0.2, [each.training_share for each in bins], 0.4, label="training", color="#9aa4ae")
    column[0].bar(places + 0.2, [each.new_share for each in bins], 0.4, label="new", color="#0072b2")
    column[0].set(title=f"{title}: {found['age'].verdict}", ylabel="share of the rows")
    changes = [each.changes[1] for each in bins]
    rates = np.array([each.training_counts[1] / each.training_rows for each in bins])
    column[1].plot(places, rates, "o-", color="#9aa4ae", label="training")
    low, high = (np.array([getattr(change, side) for change in changes]) for side in ("low", "high"))
    middle = np.array([change.change for change in changes])
    column[1].errorbar(places, rates + middle, [middle - low, high - middle], fmt="o", color="#0072b2", label="new")
    column[1].set(ylabel="rate of paid", xticks=places)
    column[1].set_xticklabels([each.label for each in bins], rotation=30, ha="right")
axes[0, 0].legend(frameon=False)
plt.show()
