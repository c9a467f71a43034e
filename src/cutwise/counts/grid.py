"""Grids: the edges between which the rows of a column with many values are counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.kernels.inputs import EdgeBuckets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

# Buckets of a lookup for each edge, and the edges in one bucket from which on halving them is faster.
BUCKETS_PER_EDGE = 4
CROWD = 8
NO_KEY = np.uint64(0)


@dataclass(frozen=True, eq=False)
class CountingGrid:
    """Where the numeric columns of a table are counted, so that others count their rows alike.

    Parameters
    ----------
    edges : mapping of str to ndarray
        The edges of each numeric column.
    exact : frozenset of str
        The columns that are counted by distinct value as long as these are few.
    """

    edges: Mapping[str, NDArray[np.float64]]
    exact: frozenset[str]


def edges_between(values: NDArray[np.float64], weights: NDArray[np.int64], n_cells: int) -> NDArray[np.float64]:
    """Return edges of about n_cells cells with about the same weight, from values in ascending order.

    A value with the weight of a whole cell gets a cell of its own.

    Examples
    --------
    >>> edges_between(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, 1, 1, 1]), 2)
    array([2., 4.])
    """
    ends = np.cumsum(weights)
    if ends.size == 0:
        return np.empty(0)
    middles = ends - weights / 2
    groups = np.minimum((middles * n_cells / ends[-1]).astype(np.int64), n_cells - 1)
    lasts = np.append(np.flatnonzero(np.diff(groups)), values.size - 1)
    heavy = values[weights * n_cells >= ends[-1]]
    return joined_edges(values[lasts], own_cells(heavy))


def own_cells(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges that give each of these values a cell of its own."""
    with np.errstate(over="ignore", under="ignore"):
        return np.concatenate([values, np.nextafter(values, -np.inf)])


def joined_edges(*edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return all finite edges, each once."""
    every = np.unique(np.concatenate(edges) + 0.0)
    return every[np.isfinite(every)]


def make_lookup(edges: NDArray[np.float64]) -> EdgeBuckets:
    """Return what finds the cell of a value in a few steps."""
    n_buckets = max(1, edges.size * BUCKETS_PER_EDGE)
    candidates = [_key_lookup(edges, n_buckets), _linear_lookup(edges, n_buckets)]
    return min((lookup for lookup in candidates if lookup is not None), key=_steps)


def _steps(lookup: EdgeBuckets) -> float:
    """Return the steps that a search for each of the edges takes."""
    sizes = np.diff(lookup.starts)
    return float((sizes * np.log2(sizes + 1)).sum())


def _key_lookup(edges: NDArray[np.float64], n_buckets: int) -> EdgeBuckets:
    bits = edges.view(np.uint64)
    keys = np.where(bits >> np.uint64(63), ~bits, bits | np.uint64(1 << 63))
    low = keys[0] if keys.size else np.uint64(0)
    width = int(keys[-1] - low) if keys.size else 0
    shift = np.uint64(max(0, width.bit_length() - n_buckets.bit_length()))
    return _lookup(((keys - low) >> shift).astype(np.int64), low_key=low, shift=shift)


def _linear_lookup(edges: NDArray[np.float64], n_buckets: int) -> EdgeBuckets | None:
    if edges.size < 2:
        return None
    with np.errstate(over="ignore"):
        scale = n_buckets / (edges[-1] - edges[0])
    if not 0.0 < scale < np.inf:
        return None
    buckets = ((edges - edges[0]) * scale).astype(np.int64)
    return _lookup(buckets, linear=True, origin=float(edges[0]), scale=float(scale))


def _lookup(
    buckets: NDArray[np.int64],
    *,
    linear: bool = False,
    origin: float = 0.0,
    scale: float = 0.0,
    low_key: np.uint64 = NO_KEY,
    shift: np.uint64 = NO_KEY,
) -> EdgeBuckets:
    """Return a lookup, given the bucket of each edge."""
    n_buckets = int(buckets[-1]) + 1 if buckets.size else 0
    starts = np.searchsorted(buckets, np.arange(n_buckets + 1)).astype(np.int32)
    crowded = bool((np.diff(starts) > CROWD).any())
    return EdgeBuckets(starts, linear, crowded, origin, scale, low_key, shift)
