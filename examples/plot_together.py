"""
Columns that tell only together
===============================

The class is an exclusive or of two columns: neither of them alone says anything. MRmD looks at each column alone and
cuts noise; MDmD looks at all of them at once.
"""

import numpy as np
from matplotlib import pyplot as plt

from cutwise import MDmDDiscretizer, MRmDDiscretizer

X = np.random.default_rng(0).random((2000, 4))
y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
alone = MRmDDiscretizer(place="readable").fit(X, y)
together = MDmDDiscretizer(place="readable").fit(X, y)
for name, fitted in (("MRmD", alone), ("MDmD", together)):
    print(name, [cuts.size for cuts in fitted.cuts_], "cuts")

# %%
# The first two columns with the cuts of both methods.
figure, axes = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
for ax, (name, fitted) in zip(axes, {"MRmD": alone, "MDmD": together}.items(), strict=True):
    for label, colour in ((False, "#0072b2"), (True, "#e69f00")):
        ax.plot(*X[y == label, :2].T, ".", markersize=3, color=colour)
    for cut in fitted.cuts_[0]:
        ax.axvline(cut, color="#1f2328", linewidth=1)
    for cut in fitted.cuts_[1]:
        ax.axhline(cut, color="#1f2328", linewidth=1)
    ax.set(title=name, xlabel="first column", ylabel="second column", aspect="equal")
plt.show()
