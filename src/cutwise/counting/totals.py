"""What the pieces of a table have found, added up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutwise.counting.columns import ExactCounts, joined
from cutwise.counting.table_counts import MOST_ROWS, TableCounts, added_records, aligned
from cutwise.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutwise.counting.columns import ColumnCounts
    from cutwise.counting.piece import Plan
    from cutwise.counting.sample import Sample


@dataclass(frozen=True, eq=False)
class Found:
    """What one scan has found in some rows.

    Parameters
    ----------
    counts : TableCounts
        Of the columns that could be counted.
    many : frozenset of str
        The others: they have too many values, and no grid.
    sample : Sample or None
    """

    counts: TableCounts
    many: frozenset[str]
    sample: Sample | None


def add_up(pieces: Iterable[Found], plan: Plan) -> Found:
    """Return what was found in all pieces; the order of these does not matter.

    Raises
    ------
    TableError
        If there are no rows.
    """
    total: Found | None = None
    for piece in pieces:
        total = piece if total is None else _added(total, piece, plan)
    if total is None or total.counts.n_rows == 0:
        of_weight = "" if plan.weight is None else f" with a weight above 0 in {plan.weight!r}"
        message = f"The table has 0 rows{of_weight}; at least 1 row is required."
        raise TableError(message)
    if total.counts.n_rows >= MOST_ROWS:
        message = (
            f"The weights in {plan.weight!r} add up to {total.counts.n_rows:,} rows, more than can be counted. "
            "Divide them all by the same number."
        )
        raise TableError(message)
    return total


def _added(left: Found, right: Found, plan: Plan) -> Found:
    many = left.many | right.many
    counts = aligned(left.counts, right.counts)
    columns: list[ColumnCounts] = []
    for name in plan.columns:
        if name in many:
            continue
        column = joined(*(side.column(name) for side in counts))
        if isinstance(column, ExactCounts) and column.values.size > plan.max_values:
            if name not in plan.edges:
                many |= {name}
                continue
            column = column.on_grid(plan.edges[name])
        columns.append(column)
    n_rows = sum(side.n_rows for side in counts)
    labels = counts[0].classes, counts[0].parts
    total = TableCounts(plan.target, *labels, n_rows, tuple(columns), added_records(*counts))
    sample = left.sample
    if sample is not None and right.sample is not None:
        sample = sample.joined(right.sample, plan.sample_size)
    return Found(total, many, sample)
