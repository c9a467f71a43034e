"""Tables with numbers, texts, booleans and missing values, for the tests of systems."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

rng = np.random.default_rng(11)
N_ROWS = 120
HEIGHT = rng.normal(size=N_ROWS).round(2)
WEIGHT = rng.normal(size=N_ROWS).round(2)
COLOUR = rng.choice(["blue", "green", "red"], size=N_ROWS)
OPEN = rng.random(N_ROWS) < 0.5
NOISE = rng.normal(size=N_ROWS)
GROUP = np.select([HEIGHT + 0.5 * NOISE > 0.7, (COLOUR == "red") & OPEN], ["tall", "red door"], "other")
YES = np.where(HEIGHT - WEIGHT + NOISE > 0, "yes", "no")
HEIGHT[::9] = np.nan
COLOURS = [None if row % 11 == 0 else colour for row, colour in enumerate(COLOUR.tolist())]
NAMES = ["height", "weight", "colour", "open"]
ROWS = [
    [None if np.isnan(height) else height, weight, colour, is_open]
    for height, weight, colour, is_open in zip(HEIGHT.tolist(), WEIGHT.tolist(), COLOURS, OPEN.tolist(), strict=True)
]
COLUMNS = {name: [row[j] for row in ROWS] for j, name in enumerate(NAMES)}

FRAMES = {
    "pandas": lambda rows=ROWS: pd.DataFrame(rows, columns=NAMES),
    "pandas, category": lambda rows=ROWS: pd.DataFrame(rows, columns=NAMES).astype({"colour": "category"}),
    "pandas, arrow": lambda rows=ROWS: pd.DataFrame(rows, columns=NAMES).astype({"height": "float64[pyarrow]"}),
    "polars": lambda rows=ROWS: pl.DataFrame({name: [row[j] for row in rows] for j, name in enumerate(NAMES)}),
    "pyarrow": lambda rows=ROWS: pa.table({name: [row[j] for row in rows] for j, name in enumerate(NAMES)}),
    "object": lambda rows=ROWS: np.array(rows, dtype=object),
    "list": lambda rows=ROWS: [list(row) for row in rows],
}
