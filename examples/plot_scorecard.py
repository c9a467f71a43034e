"""
A scorecard: points, performance, calibration
=============================================

From a table of loans to points for each bin, and a look at how well they rank rows that the card has never seen.
"""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from cutwise import MRmDDiscretizer, ScorecardClassifier


def loans(n, seed):
    """Return made-up loans and whether they were paid."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "income": rng.lognormal(3.5, 0.5, n).round(),
            "age": rng.integers(19, 75, n),
            "months": rng.exponential(60, n).round(),
            "home": rng.choice(["own", "rent", "family"], n, p=[0.4, 0.5, 0.1]),
        }
    )
    risk = 0.5 - 0.04 * table["income"] - 0.02 * table["age"] - 0.01 * table["months"]
    late = rng.random(n) < 1 / (1 + np.exp(-risk - 0.6 * (table["home"] == "rent")))
    table.loc[rng.random(n) < 0.1, "months"] = np.nan
    return table, np.where(late, "late", "paid")


bins = MRmDDiscretizer(place="readable", monotonic="auto", min_bin_size=0.05, max_bins=5, nominal="group")
card = ScorecardClassifier(bins, event="late").fit(*loans(6000, 0))

# %%
# The points of each bin. A column with long bars moves the score most. Bins that no training row was in have the
# points of an average row.
table = card.points_table_
columns = list(dict.fromkeys(table["column"]))
figure, axes = plt.subplots(2, 2, figsize=(10, 6), layout="constrained", sharex=True)
for ax, name in zip(axes.flat, columns, strict=True):
    part = table[(table["column"] == name) & (table["rows"] > 0)]
    bars = ax.barh(part["bin"], part["points"], color="#0072b2")
    ax.bar_label(bars, fmt="%.0f", padding=3)
    ax.margins(x=0.12)
    ax.invert_yaxis()
    ax.set_title(name)
for ax in axes[1]:
    ax.set_xlabel("points")
plt.show()

# %%
# New rows: AUC, Gini and KS with their intervals.
X_new, y_new = loans(3000, 1)
found = card.evaluate(X_new, y_new, bands=8)
print(found)

# %%
# The ROC curve, and the rate of "late" in bands of the score beside the one that the card expects.
roc, bands = found.roc_table(), found.calibration_table()
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
left.plot(roc["share_of_others"], roc["share_of_events"], color="#0072b2")
left.plot([0, 1], [0, 1], color="#9aa4ae", linewidth=1)
left.set(xlabel="share of the others", ylabel="share of the late", title=f"AUC {found.auc.value:.3f}", aspect="equal")
right.errorbar(
    bands["expected_rate"],
    bands["rate"],
    [bands["rate"] - bands["rate_low"], bands["rate_high"] - bands["rate"]],
    fmt="o",
    color="#0072b2",
)
limit = 1.05 * bands["rate_high"].max()
right.plot([0, limit], [0, limit], color="#9aa4ae", linewidth=1)
right.set(xlabel="expected rate of late", ylabel="rate in new rows", title="Calibration, 95 % intervals")
plt.show()
