"""A score of any model as a scheme, so that new rows can be compared with those of training."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.discretize.unsupervised import FrequencyGrid
from cutwise.errors import TableError

if TYPE_CHECKING:
    from cutwise.scheme import Scheme

SCORE = "score"


def score_scheme(scores: Any, y: Any, sample_weight: Any = None, *, n_bins: int = 10, event: Any = None) -> Scheme:
    """Return a scheme with one attribute, "score", cut into bins of about equally many training rows.

    Parameters
    ----------
    scores : array-like of shape (n_samples,)
        What a model gives to its training rows: points, log-odds or probabilities.
    y : array-like of shape (n_samples,)
        Their classes.
    sample_weight : array-like of shape (n_samples,), optional
        How often each row counts.
    n_bins : int, default=10
    event : label, optional
        The class that rates and Gini are about; by default the rarer of two.

    Returns
    -------
    Scheme
        Its ``evaluate(new_scores, new_y, by=…)`` tells PSI, rate and Gini of the score in each period.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(600, 50, 3000)
    >>> y = np.where(rng.random(3000) < 1 / (1 + np.exp((scores - 550) / 30)), "bad", "good")
    >>> scheme = score_scheme(scores[:1000], y[:1000], n_bins=5)
    >>> found = scheme.evaluate(scores[1000:, None], y[1000:], by=np.repeat(["Q1", "Q2"], 1000))
    >>> found.to_frame("pandas")[["period", "rows", "psi", "rate", "gini"]].round(3)
         period    rows    psi   rate   gini
    0  training  1000.0    NaN  0.241  0.658
    1        Q1  1000.0  0.017  0.244  0.632
    2        Q2  1000.0  0.004  0.265  0.595
    """
    column = np.asarray(scores, dtype=np.float64)
    if column.ndim != 1:
        raise TableError(f"Scores must be one number for each row, got the shape {column.shape}.")
    fitted = FrequencyGrid(n_bins, event=event).fit(column[:, None], y, sample_weight=sample_weight)
    scheme: Scheme = fitted.scheme_
    return replace(scheme, attributes=tuple(replace(one, name=SCORE) for one in scheme.attributes))
