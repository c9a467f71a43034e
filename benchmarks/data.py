"""The tables that the benchmarks run on: made from a seed, all values of a column distinct.

Where values are missing, each column lacks a number of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

SEED = 20240
NOISE = 1.0


@dataclass(frozen=True)
class Case:
    """The size of a table, and whether its columns say anything about the class."""

    rows: int
    columns: int
    classes: int = 2
    signal: bool = True
    missing: float = 0.0

    @property
    def name(self) -> str:
        """What a table of results calls the case."""
        size = f"{self.columns} x {short_number(self.rows)}"
        gaps = f", {self.missing:.0%} missing" if self.missing else ""
        return f"{size}, {self.classes} classes" + ("" if self.signal else ", no signal") + gaps


def short_number(number: int) -> str:
    """Write 1000000 as 1M and 30000 as 30k."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit and number % (unit // 10) == 0:
            return f"{number / unit:g}{letter}"
    return str(number)


@lru_cache(maxsize=2)
def make(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Return X, with its columns contiguous, and y with classes of equal size."""
    rng = np.random.default_rng(SEED)
    X = np.empty((case.rows, case.columns), order="F")
    score = NOISE * rng.normal(size=case.rows)
    for j in range(case.columns):
        X[:, j] = draw_distinct(rng, j, case.rows)
        if case.signal:
            score += 0.9**j * effect(X[:, j], j)
    inner = np.arange(1, case.classes) / case.classes
    y = np.searchsorted(np.quantile(score, inner), score, side="right")
    if case.missing:
        X[rng.random(X.shape) < case.missing] = np.nan
    return X, y


def draw_distinct(rng: np.random.Generator, j: int, rows: int) -> np.ndarray:
    """Draw column j: normal, uniform, exponential and lognormal in turn; again if two values are equal."""
    while True:
        column = (
            lambda: rng.normal(size=rows),
            lambda: rng.uniform(-2.0, 2.0, size=rows),
            lambda: rng.exponential(size=rows),
            lambda: rng.lognormal(size=rows),
        )[j % 4]()
        if np.unique(column).size == rows:
            return column


def effect(column: np.ndarray, j: int) -> np.ndarray:
    """Return h_j: a wave, a step, a slope or a bump; every round of four meets other distributions."""
    shape = (j + j // 4) % 4
    if shape == 0:
        return np.sin(2.0 * column)
    if shape == 1:
        return (column > 0.5).astype(np.float64)
    if shape == 2:
        return np.tanh(column - 1.0)
    return np.exp(-4.0 * (column - 1.0) ** 2)
