"""
The first bins
==============

Cut every column of a table, look at the bins, and see what they say of the class.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import load_iris

from cutwise import MRmDDiscretizer

# %%
# ``place="readable"`` puts each cut at the shortest number between the two values it separates.
data = load_iris(as_frame=True)
species = data.target_names[data.target]
discretizer = MRmDDiscretizer(place="readable").fit(data.data, species)

# %%
# The scheme is what was learned: bins, counts, and why there are no more of them.
print(discretizer.scheme_)

# %%
# A bar for each bin, divided by the shares of the classes; above it the number of rows.
figure, axes = plt.subplots(2, 1, figsize=(8, 8), layout="constrained")
for ax, name in zip(axes, ["petal length (cm)", "sepal width (cm)"], strict=True):
    discretizer.plot(name, ax)
plt.show()
