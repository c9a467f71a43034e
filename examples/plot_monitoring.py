"""
A scheme month by month
=======================

Customers grow older from month to month, and from July on another kind of customer comes in. The bins of January to
December are compared with those of training, with what chance alone would show.
"""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from cutwise import MRmDDiscretizer


def customers(n, seed, older=0, others=0.0):
    """Return customers and whether they paid, which does not follow the age of a share of others."""
    rng = np.random.default_rng(seed)
    age = rng.normal(45 + older, 12, n).round()
    paid = rng.random(n) < np.where(rng.random(n) < others, 0.5, 1 / (1 + np.exp(-(age - 45) / 8)))
    return pd.DataFrame({"age": age}), np.where(paid, "paid", "late")


scheme = MRmDDiscretizer(max_bins=5, place="readable", event="late").fit(*customers(5000, 0)).scheme_
months = [customers(800, month, older=0.6 * month, others=0.5 * (month >= 7)) for month in range(1, 13)]
table = pd.concat([rows for rows, _ in months], ignore_index=True)
table["opened"] = np.repeat(pd.to_datetime([f"2025-{month:02d}-15" for month in range(1, 13)]), 800)
found = scheme.evaluate(table, np.concatenate([classes for _, classes in months]), by="month")
print(found)

# %%
# PSI grows as the customers grow older: other bins are filled. The grey line is what samples of this size show by
# chance. The Gini coefficient falls in July, for within the bins the class is no longer what it was. The one does not
# tell of the other.
frame = found.to_frame("pandas")
training, rows = frame.iloc[0], frame.iloc[1:]
names = [period[5:] for period in rows["period"]]
figure, (upper, lower) = plt.subplots(2, 1, figsize=(9, 6), layout="constrained", sharex=True)
upper.plot(names, rows["psi"], "o-", color="#0072b2", label="PSI")
upper.plot(names, rows["psi_by_chance"], color="#9aa4ae", label="by chance")
upper.set_ylabel("PSI of age")
upper.legend(frameon=False)
lower.errorbar(
    names, rows["gini"], [rows["gini"] - rows["gini_low"], rows["gini_high"] - rows["gini"]], fmt="o-", color="#0072b2"
)
lower.axhspan(training["gini_low"], training["gini_high"], color="#9aa4ae", alpha=0.3, label="training")
lower.set(ylabel="Gini of age, 95 % interval", xlabel="month of 2025")
lower.legend(frameon=False)
plt.show()
