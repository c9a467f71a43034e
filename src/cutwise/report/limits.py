"""The limits that a scheme was learned under, for an editor that must keep them in view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.discretize.limits import DIRECTIONS
from cutwise.search import Limits

if TYPE_CHECKING:
    from cutwise.counts import CountTable
    from cutwise.scheme import Attribute, Scheme

# Weights in a scheme have ten digits; a bin that has just enough rows must not seem too small.
ROUNDING = 1e-9
MOST_ROWS = 2**53


def limits_of_scheme(scheme: Scheme) -> dict[str, Any]:
    """Return the largest number of bins and the direction of the class rate, None where there is no limit.

    Examples
    --------
    >>> from cutwise import MDLPDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> limits_of_scheme(MDLPDiscretizer(max_bins=3, monotonic="auto").fit(X, y).scheme_)
    {'max_bins': 3, 'monotonic': 'auto'}
    """
    max_bins, monotonic = scheme.parameters.get("max_bins"), scheme.parameters.get("monotonic")
    return {
        "max_bins": max_bins if _is_whole(max_bins) else None,
        "monotonic": monotonic if monotonic in DIRECTIONS and len(scheme.classes) == 2 else None,
    }


def min_count(attribute: Attribute, scheme: Scheme, table: CountTable | None) -> float:
    """Return the smallest count of an interval, in the unit of its counts; 0 where there is no limit."""
    size: Any = scheme.parameters.get("min_bin_size")
    if isinstance(size, float) and 0.0 < size <= 0.5:
        size *= sum(attribute.rows) + sum(attribute.missing_by_class)
    elif not _is_whole(size):
        return 0.0
    if table is not None and table.unit == 1.0:
        return Limits(min_rows=size).min_count(table)
    return float(size) * (1 - ROUNDING) / (1.0 if table is None else table.unit)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < MOST_ROWS
