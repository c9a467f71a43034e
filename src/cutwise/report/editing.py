"""What an editor of cuts must know of a column: where cuts may lie, and the counts between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts import CountTable, place_cuts, thin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.counts.gaps import Place
    from cutwise.scheme import NumericAttribute

N_BARS = 60


def bins_as_table(attribute: NumericAttribute) -> dict[str, Any]:
    """Return the gaps of a scheme without its rows: its own cuts, which can be removed and put back."""
    cuts = list(attribute.cuts)
    counts = [list(row) for row in attribute.class_counts[: len(cuts) + 1]]
    return {"cuts": cuts, "lows": cuts, "highs": cuts, "counts": counts, "parts": None}


def editing_gaps(table: CountTable, attribute: NumericAttribute, place: Place, most: int) -> dict[str, Any]:
    """Return the gaps that may get a cut, at most so many beside those that the search names.

    Returns
    -------
    dict
        ``cuts`` holds a cut for each gap, ``lows`` and ``highs`` the values on both sides of
        it, ``counts`` and ``parts`` the rows between neighbouring cuts by class and by part.
    """
    named = _named_cuts(attribute)
    own = np.searchsorted(table.values, named, side="right") - 1
    _, gaps = thin(table, most + 1)
    others = np.setdiff1d(gaps, own)
    cuts = np.union1d(named, place_cuts(table, others, place)) + 0.0
    ends = np.searchsorted(table.values, cuts, side="right")
    inside = (ends > 0) & (ends < table.n_values)
    last = max(table.n_values - 1, 0)
    cells = np.append(ends, table.n_values)
    return {
        "cuts": cuts.tolist(),
        "lows": np.where(inside, table.values[np.clip(ends - 1, 0, last)], cuts).tolist() if cuts.size else [],
        "highs": np.where(inside, table.values[np.clip(ends, 0, last)], cuts).tolist() if cuts.size else [],
        "counts": table.by_class.by_bin(cells).tolist(),
        "parts": None if table.by_part is None else table.by_part.by_bin(cells).tolist(),
    }


def _named_cuts(attribute: NumericAttribute) -> NDArray[np.float64]:
    """Return the cuts of the attribute and those that its search tried."""
    tried = [trial.cut for trial in (*attribute.steps, *filter(None, [attribute.refused]))]
    return np.unique(np.array([*attribute.cuts, *tried], dtype=np.float64))


def histogram(table: CountTable) -> dict[str, Any] | None:
    """Return the rows by class in bars of equal width; None for fewer than two values.

    Values on a coarse grid have a bar each, in the middle of which they lie.

    Examples
    --------
    >>> histogram(CountTable.from_dense([1, 2, 4], [[3, 0], [1, 2], [0, 5]]))
    {'start': 0.5, 'width': 1.0, 'counts': [[3, 0], [1, 2], [0, 0], [0, 5]]}
    """
    if table.n_values < 2:
        return None
    low, high = float(table.values[0]), float(table.values[-1])
    step = float(np.diff(table.values).min())
    width, start = (high / N_BARS - low / N_BARS), low
    n_bars = N_BARS
    if (high / step - low / step) < N_BARS:
        n_bars = round(high / step - low / step) + 1
        width, start = step, low - step / 2
    edges = start + width * np.arange(1, n_bars)
    ends = np.append(np.searchsorted(table.values, edges, side="right"), table.n_values)
    return {"start": start, "width": width, "counts": table.by_class.by_bin(ends).tolist()}
