"""N_D for a tree with a branch for each bin, which wants fewer bins than single columns do.

The rows that one branch of a tree has are few, and each bin of the next column shares them out again. So a smaller N_D
than that of the bins is taken if the tree is then right on more rows that were held out, by more than one standard
error of the difference.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import clone

from cutwise.scheme import NumericAttribute, encode_columns
from cutwise.search.held_out import HeldOutLosses, stop_for
from cutwise.table.frames import take_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.scheme import Attribute

# One row of so many is held out.
ONE_OF = 5


class JudgedRows(NamedTuple):
    """Rows of a checked table with their classes; weights is None if each counts once."""

    data: Any
    target: NDArray[Any]
    weights: NDArray[np.float64] | None

    def some(self, weights: NDArray[np.float64]) -> JudgedRows:
        """Return the rows with a weight above 0."""
        places = np.flatnonzero(weights > 0.0)
        kept = None if self.weights is None else weights[places]
        return JudgedRows(take_rows(self.data, places), self.target[places], kept)

    @property
    def options(self) -> dict[str, Any]:
        """What ``fit`` is told beside table and classes."""
        return {} if self.weights is None else {"sample_weight": self.weights}


def n_d_for_tree(discretizer: Any, tree: Any, rows: JudgedRows) -> float:
    """Return the N_D with which a tree predicts held-out rows best: that of a fitted discretizer, or a smaller one."""
    chosen = float(discretizer.n_d_)
    candidates = [float(n_d) for n_d in HeldOutLosses.n_ds if n_d < chosen]
    held_weights = _held_out(encode_columns(discretizer.scheme_, rows.data), rows)
    weights = np.ones(rows.target.size) if rows.weights is None else rows.weights
    if not candidates or not held_weights.any() or np.unique(rows.target[weights > held_weights]).size < 2:
        return chosen
    rest, held = rows.some(weights - held_weights), rows.some(held_weights)
    scheme = clone(discretizer).set_params(n_d=chosen).fit(rest.data, rest.target, **rest.options).scheme_
    codes = encode_columns(scheme, rest.data), encode_columns(scheme, held.data)

    def right(n_d: float) -> NDArray[np.float64]:
        learned, judged = (_joined(scheme.attributes, table, n_d) for table in codes)
        return np.asarray(clone(tree).fit(learned, rest.target, **rest.options).predict(judged) == held.target, float)

    before, most = right(chosen), 0.0
    counts = 1.0 if held.weights is None else held.weights
    best = chosen
    for n_d in candidates:
        gain = clear_gain(right(n_d) - before, counts)
        if gain > most:
            best, most = n_d, gain
    return best


def clear_gain(better: NDArray[np.float64], counts: NDArray[np.float64] | float = 1.0) -> float:
    """Return how many rows more are right, 0 unless these are more than one standard error of the difference.

    Examples
    --------
    >>> clear_gain(np.array([1.0, 1.0, -1.0, 0.0])), clear_gain(np.array([1.0, 1.0, 1.0, 0.0]))
    (0.0, 3.0)
    """
    gain, spread = float(np.sum(counts * better)), math.sqrt(float(np.sum(counts * better**2)))
    return gain if gain > spread else 0.0


def _held_out(codes: NDArray[np.int32], rows: JudgedRows) -> NDArray[np.float64]:
    """Return the weight of each row that is held out: every fifth row of a class, in the order of their bins.

    A row of weight 2 is dealt as two rows are.
    """
    order = np.lexsort((*codes.T[::-1], rows.target))
    weights = np.ones(order.size) if rows.weights is None else rows.weights[order]
    ends = np.cumsum(weights)
    dealt = np.floor(ends / ONE_OF) - np.floor((ends - weights) / ONE_OF)
    held = np.empty(order.size)
    held[order] = np.minimum(dealt, weights)
    return held


def _joined(attributes: tuple[Attribute, ...], codes: NDArray[np.int32], n_d: float) -> NDArray[np.int32]:
    """Return the codes of the fewer bins that a smaller N_D gives."""
    joined = codes.copy()
    for column, attribute in enumerate(attributes):
        if isinstance(attribute, NumericAttribute) and attribute.cuts:
            cuts = np.array(attribute.cuts)
            kept = np.isin(cuts, [step.cut for step in attribute.steps[: _n_cuts(attribute, n_d)]])
            new = np.append(0, np.cumsum(kept))
            others = np.arange(cuts.size + 1, attribute.n_bins + 1) - (cuts.size - int(kept.sum()))
            places = np.append(new, others).astype(np.int32)
            known = codes[:, column] >= 0
            joined[known, column] = places[codes[known, column]]
    return joined


def _n_cuts(attribute: NumericAttribute, n_d: float) -> int:
    """Return how many cuts of a path a smaller N_D accepts; all of a scheme that has no path."""
    if not attribute.steps:
        return len(attribute.cuts)
    return stop_for([(step.relevance, step.divergence) for step in attribute.steps], n_d)[0]
