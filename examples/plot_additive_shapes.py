"""
Shapes of an additive model
===========================

An additive classifier has one shape for each column. The score of a row is the sum of what its bins say, so the whole
model can be drawn.
"""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from cutwise import AdditiveClassifier

rng = np.random.default_rng(0)
n = 4000
table = pd.DataFrame(
    {
        "age": rng.integers(18, 80, n).astype(float),
        "pressure": rng.normal(130, 18, n).round(),
        "smoker": rng.choice(["no", "former", "yes"], n, p=[0.5, 0.2, 0.3]),
        "noise": rng.normal(size=n).round(2),
    }
)
risk = -3.2 + 0.03 * table["age"] + 1.2 * (table["pressure"] > 145) + 0.9 * (table["smoker"] == "yes")
ill = rng.random(n) < 1 / (1 + np.exp(-risk))
table.loc[rng.random(n) < 0.1, "pressure"] = np.nan
y = np.where(ill, "ill", "healthy")

# %%
# In truth the risk rises along a line with age, in one step with the pressure, and for smokers. The model is told
# nothing of that, but that age may only go one way.
model = AdditiveClassifier(place="readable", monotonic={"age": "auto"}).fit(table, y)
for name, importance in sorted(zip(table, model.feature_importances_, strict=True), key=lambda pair: -pair[1]):
    print(f"{name:9} {importance:.3f}")

# %%
# Scores above 0 speak for "ill"; bands are 1.96 standard errors to either side. Noise stays near 0.
figure, axes = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
for ax, name in zip(axes.flat, table, strict=True):
    model.plot_shape(name, ax)
plt.show()

# %%
# One row: prior and contributions add up to the log-odds.
print(model.explain({"age": 67, "pressure": 160, "smoker": "yes", "noise": 0.1}, target="ill"))
