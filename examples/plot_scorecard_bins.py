"""
Monotonic bins for a scorecard
==============================

Bins for a scorecard are few, large, ordered by risk, and have a place for codes such as -999 and for gaps.
"""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from cutwise import MRmDDiscretizer
from cutwise.criteria import weight_of_evidence

rng = np.random.default_rng(3)
n = 2500
income = rng.lognormal(3.5, 0.5, n).round()
late = rng.random(n) < 1 / (1 + np.exp(-(0.3 - 0.015 * income)))
table = pd.DataFrame({"income": income})
table.loc[rng.random(n) < 0.08, "income"] = -999  # not asked
table.loc[rng.random(n) < np.where(late, 0.1, 0.03), "income"] = np.nan
y = np.where(late, "late", "paid")

# %%
# Without limits the bins follow the ups and downs of the sample. With them the share of "late" only falls.
# Codes and gaps stay out of the order.
special = {"income": [-999]}
free = MRmDDiscretizer(special_values=special, place="readable").fit(table, y)
ordered = MRmDDiscretizer(
    special_values=special, place="readable", monotonic="auto", min_bin_size=0.05, max_bins=6
).fit(table, y)
figure, axes = plt.subplots(2, 1, figsize=(9, 9), layout="constrained")
for ax, fitted in zip(axes, (free, ordered), strict=True):
    fitted.plot("income", ax)
plt.show()

# %%
# Weight of evidence: above 0 speaks for "paid".
attribute = ordered.scheme_["income"]
found = weight_of_evidence([*attribute.class_counts, attribute.missing_by_class])
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
bars = ax.barh([*attribute.labels, "missing"], found.weights, color="#0072b2")
ax.bar_label(bars, fmt="%+.2f", padding=4)
ax.margins(x=0.15)
ax.invert_yaxis()
ax.axvline(0, color="#59636e", linewidth=1)
ax.set(xlabel="weight of evidence", title=f"income, information value {found.information_value:.2f}")
plt.show()
