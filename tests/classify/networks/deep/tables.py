"""Tables and small networks for the tests."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cutwise import FTTransformerClassifier, ResNetClassifier

TINY = {"device": "cpu", "random_state": 0}
RESNET = ResNetClassifier(n_blocks=1, d_block=16, max_epochs=15, learning_rate=1e-2, **TINY)
FTT = FTTransformerClassifier(n_blocks=1, d_block=8, max_epochs=15, learning_rate=1e-2, **TINY)
BOTH = [RESNET, FTT]


def mixed_table(n=80, seed=0):
    random = np.random.default_rng(seed)
    x, colour = random.normal(size=n), random.choice(["red", "green", "blue"], n)
    y = np.where((x > 0) ^ (colour == "red"), "yes", "no")
    x[::9] = np.nan
    table = pd.DataFrame({"x": x, "colour": colour, "flag": random.random(n) > 0.5, "count": random.integers(0, 9, n)})
    table.loc[::11, "colour"] = None
    return table, y
