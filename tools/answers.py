"""What can depend on the processor, as JSON: schemes, learned weights, losses and predictions.

`tools/cpus.py` runs this program as if on several processors and compares what it prints.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import cutwise
from cutwise.paper.datasets import load
from cutwise.registry import entries

DISCRETIZERS = [entry.name for entry in entries(["supervised", "joint", "unsupervised"])]
SETTINGS = {"random_state": 0, "max_evaluations": 300}
SHORT = ["MRmDDiscretizer", "MDLPDiscretizer", "CAIMDiscretizer"]
CODED = [entry.name for entry in entries(["codes"])]
# Of raw tables; those with a discretizer and a classifier of codes are made of parts that are here.
RAW = ["AdditiveClassifier", "CutwiseClassifier"]
DATA_SETS = ("iris", "pima", "heart", "glass")
WEIGHTS = ("attribute_weights_", "class_weights_", "mixing_", "prior_weights_", "cell_weights_")


def made_table(seed: int, n_rows: int = 400) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a table of numbers made of sums and products alone, with columns that repeat each other."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2 + seed % 3, n_rows)
    columns = {f"c{j}": rng.integers(0, 1000, n_rows) / 250 + y * (j % 3) / 2 for j in range(5)}
    columns["again"] = columns["c1"]
    return pd.DataFrame(columns), y


def tables(folder: Path, *, short: bool) -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Return the tables to learn from by name: made ones, and data sets where they are."""
    found = {f"made {seed}": made_table(seed) for seed in range(2 if short else 5)}
    if not short and (folder / "manifest.json").exists():
        for name in DATA_SETS:
            data = load(name, frame="pandas", folder=folder)
            found[name] = (data.X.fillna(data.X.mode().iloc[0]), data.y)
    return found


def answers(X: pd.DataFrame, y: np.ndarray, *, short: bool) -> dict[str, Any]:
    """Return everything that is learned from one table."""
    found: dict[str, Any] = {}
    for name in SHORT if short else DISCRETIZERS:
        make = getattr(cutwise, name)
        known = make().get_params()
        settings = {key: value for key, value in SETTINGS.items() if key in known}
        # As one text, which is compared byte by byte.
        found[name] = make(**settings).fit(X, y).scheme_.to_json()
    codes = cutwise.MRmDDiscretizer().fit_transform(X, y)
    found |= {name: learned(getattr(cutwise, name)(), codes, y) for name in CODED}
    found |= {name: learned(getattr(cutwise, name)(), X, y) for name in RAW[: 1 if short else None]}
    if not short:
        found["with pairs"] = learned(cutwise.AdditiveClassifier(pairs=3), X, y)
    return found


def learned(model: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """Return what a classifier has learned and what it predicts."""
    proba = model.fit(X, y).predict_proba(X)
    return {
        "weights": {key: np.ravel(getattr(model, key)).tolist() for key in WEIGHTS if hasattr(model, key)},
        "loss": getattr(model, "loss_", 0.0),
        "predictions": proba.argmax(axis=1).tolist(),
        "probabilities": [round(float(p), 9) for p in proba[:50].ravel()],
    }


def main() -> None:
    """Print the answers; the word "short" leaves out what takes long."""
    short = "short" in sys.argv[1:]
    folder = Path(__file__).parents[2] / "shared" / "datasets"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print(json.dumps({name: answers(X, y, short=short) for name, (X, y) in tables(folder, short=short).items()}))


if __name__ == "__main__":
    main()
