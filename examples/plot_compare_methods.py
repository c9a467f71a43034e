"""
Every method on one column
==========================

Three hundred people, their age, and who is ill. In truth there are two cuts: one in ten is ill below 35, seven in ten
from 35 to 59, four in ten above.
"""

import numpy as np
from matplotlib import pyplot as plt

import cutwise
from cutwise.report.plots import plot_compare

rng = np.random.default_rng(4)
age = rng.integers(18, 80, 300)
ill = rng.random(300) < np.select([age < 35, age < 60], [0.1, 0.7], 0.4)
X, y = age[:, None], np.where(ill, "ill", "well")

# %%
# Methods that look at the class. ChiMerge tests each pair of neighbours by itself, so chance leaves some cuts.
supervised = {
    name: getattr(cutwise, f"{name}Discretizer")().fit(X, y)
    for name in ("MRmD", "MDLP", "MODL", "CAIM", "CACC", "Ameva", "CADD", "ChiMerge")
}
ax = plot_compare(supervised, "x0")
ax.set_xlabel("age")
plt.show()

# %%
# Methods that do not.
unsupervised = {
    "equal width": cutwise.EqualWidthDiscretizer(5).fit(X),
    "equal frequency": cutwise.EqualFrequencyDiscretizer(5).fit(X),
    "PKID": cutwise.PKIDDiscretizer().fit(X),
}
ax = plot_compare(unsupervised, "x0")
ax.set_xlabel("age")
plt.show()
