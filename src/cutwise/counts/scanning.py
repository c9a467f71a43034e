"""Counting a table where it is: one scan if there are few values, else two."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts.grid import edges_between, joined_edges, own_cells
from cutwise.counts.pieces import CountPiece, ScanPlan, add_up
from cutwise.counts.sampling import refined_edges, too_coarse
from cutwise.errors import CountsError, TableError
from cutwise.table.frames import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.counts.grid import CountingGrid
    from cutwise.counts.pieces import ScanTotals
    from cutwise.counts.sampling import HashedSample
    from cutwise.counts.table_counts import TableCounts
    from cutwise.table.engines import Source


MAX_VALUES = 1 << 13
MAX_CELLS = 1 << 12
MAX_CATEGORIES = 1000
MAX_GROUPED = 1_000_000
# Sampled rows for each cell, the most numbers in a sample of all columns, and the least rows.
ROWS_PER_CELL = 8
LEAST_ROWS = 1 << 10
MOST_NUMBERS = 1 << 21
# How often columns are counted on a grid, each time on a finer one where that is needed.
MOST_ROUNDS = 4


def count_table(
    table: Any,
    target: str | None,
    *,
    columns: Sequence[str] | None = None,
    parts: str | None = None,
    weight: str | None = None,
    grid: CountingGrid | None = None,
    special_values: Any = None,
    edges: Any = None,
    max_values: int = MAX_VALUES,
    max_cells: int = MAX_CELLS,
    max_categories: int = MAX_CATEGORIES,
) -> TableCounts:
    """Count the rows of a table where it is, without loading it.

    A numeric column with at most `max_values` distinct values is counted by value, in one
    scan of the table. Other columns are counted by the cells of a grid, in a second scan: exact
    counts, and the smallest and the largest value of each cell. What is counted depends on the
    rows alone, not on their order, on the engine or on the number of its workers.

    Parameters
    ----------
    table : path or table
        The path of Parquet or CSV files, a pattern such as ``"sales/*.parquet"`` or a list of paths; or
        a table of Arrow, DuckDB, polars, pandas, Spark, Dask or Ibis, lazy or not.
    target : str or None
        The column of the classes. None counts all rows as one class, which is enough for
        discretizers that do not look at the class.
    columns : sequence of str, optional
        The columns to count; by default all but the target, the parts and the weight.
    parts : str, optional
        A column of whole numbers that deals the rows into parts, for ``MRmDDiscretizer`` with
        ``validation="holdout"`` (1 marks the validation rows and 0 the others) or "crossfit".
    weight : str, optional
        A column of whole numbers that tells how often each row counts, as in a table of groups and
        their sizes. A row of weight 0 does not count at all.
    grid : Grid, optional
        Where to count: ``counts.grid`` of other rows. Counts on the same grid add up.
    special_values : list or dict, optional
        Numbers that get a cell of their own, for all numeric columns or by column: the
        ``special_values`` that the discretizer will be given.
    edges : list or dict, optional
        Numbers at which a cell must end, for all numeric columns or by column.
    max_values : int, default=8192
        The largest number of distinct values that are counted one by one.
    max_cells : int, default=4096
        About the number of cells of a grid.
    max_categories : int, default=1000
        The largest number of categories of a nominal column.

    Returns
    -------
    TableCounts

    Examples
    --------
    >>> import pyarrow as pa
    >>> from cutwise import count_table
    >>> table = pa.table({"age": [31, 52, None], "town": ["Bern", None, "Rome"], "paid": [1, 0, 1]})
    >>> counts = count_table(table, "paid")
    >>> counts.names, counts.classes, counts.n_rows
    (('age', 'town'), (0, 1), 3)
    """
    check_limits(max_values=max_values, max_cells=max_cells, max_categories=max_categories)
    source = _opened(table)
    names, nominal = choose_columns(source, target, columns, parts, weight)
    plan = ScanPlan(
        columns=names,
        nominal=nominal,
        target=target,
        parts=parts,
        weight=weight,
        max_values=max_values,
        max_categories=max_categories,
    )
    wanted = wanted_edges(plan.numeric, special_values, edges)
    if grid is not None:
        if any(numbers.size for numbers in wanted.values()):
            raise CountsError("A grid has its cells already. Give 'special_values' and 'edges' where the grid is made.")
        return _count_on(source, plan, grid)
    return _count_twice(source, plan, wanted, max_cells)


def _opened(table: Any) -> Source:
    from cutwise.table.engines import open_source  # noqa: PLC0415

    # Data frames of Spark Connect have every attribute that they are asked for: it is a column.
    return table if hasattr(type(table), "fold") and hasattr(table, "kinds") else open_source(table)


def _count_on(source: Source, plan: ScanPlan, grid: CountingGrid) -> TableCounts:
    """Count in one scan on a grid that is given."""
    lacking = [name for name in plan.numeric if name not in grid.edges]
    if lacking:
        raise CountsError(
            f"The grid has no column {lacking[0]!r}. Make it from the same columns, or choose those that it has: "
            "columns=…"
        )
    edges = {name: grid.edges[name] for name in plan.numeric}
    return _scan(source, replace(plan, edges=edges, on_grid=frozenset(edges) - grid.exact)).counts


def _count_twice(
    source: Source, plan: ScanPlan, wanted: Mapping[str, NDArray[np.float64]], max_cells: int
) -> TableCounts:
    """Count by value; make grids for columns with many values and count these again."""
    size = min(ROWS_PER_CELL * max_cells, max(MOST_NUMBERS // max(len(plan.numeric), 1), LEAST_ROWS))
    # Of a table with very many columns fewer rows are sampled, and cells are larger.
    max_cells = max(size // ROWS_PER_CELL, 1)
    first = _scan(source, replace(plan, sample_size=size))
    if not first.many:
        return first.counts
    many = tuple(name for name in plan.columns if name in first.many)
    edges = _edges_of(first.sample, plan.numeric, many, max_cells)
    edges = {name: joined_edges(edges[name], wanted[name]) for name in many}
    done = {column.name: column for column in first.counts.columns}
    for rounds_left in reversed(range(MOST_ROUNDS)):
        again = replace(plan, columns=tuple(edges), nominal=frozenset(), edges=edges, on_grid=frozenset(edges))
        counts = _scan(source, again).counts
        _check_unchanged(first.counts, counts)
        done |= {column.name: column for column in counts.columns}
        coarse = too_coarse(counts, max_cells)
        if not coarse or not rounds_left:
            break
        edges = refined_edges(source, coarse, max_cells, size, plan.weight)
    return replace(first.counts, columns=tuple(done[name] for name in plan.columns))


def _scan(source: Source, plan: ScanPlan) -> ScanTotals:
    """Scan the table once."""
    return add_up(source.fold(plan.read, CountPiece(plan)), plan)


def _edges_of(
    sample: HashedSample | None, numeric: Sequence[str], many: Sequence[str], max_cells: int
) -> dict[str, NDArray[np.float64]]:
    """Return the edges for columns with many values."""
    assert sample is not None  # noqa: S101  # it was asked for
    return {name: edges_between(*sample.column(numeric.index(name)), max_cells) for name in many}


def _check_unchanged(first: TableCounts, second: TableCounts) -> None:
    before, after = (first.n_rows, first.classes, first.parts), (second.n_rows, second.classes, second.parts)
    if before != after:
        raise TableError(
            f"The table changed while it was counted: {before[0]:,} rows at first, {after[0]:,} later. "
            "Count it again when nobody writes to it."
        )


def choose_columns(
    source: Source,
    target: str | None,
    columns: Sequence[str] | None,
    parts: str | None,
    weight: str | None = None,
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the columns to count and those of them that hold categories."""
    apart = [name for name in (target, parts, weight) if name is not None]
    if isinstance(columns, str):
        raise TableError(f"'columns' must be a list of names; got the text {columns!r}.")
    names = tuple(name for name in source.names if name not in apart) if columns is None else tuple(columns)
    for name in (*apart, *names):
        if name not in source.names:
            raise TableError(f"The table has no column {name!r}{suggestion(str(name), list(source.names))}")
    every = [*apart, *names]
    repeated = next((name for name in every if every.count(name) > 1), None)
    if repeated is not None:
        raise TableError(
            f"The column {repeated!r} is named twice among 'target', 'parts', 'weight' and 'columns'. Name it once."
        )
    if not names:
        message = f"The table has 0 columns beside {' and '.join(map(repr, apart))}; at least 1 column is required."
        raise TableError(message)
    for name in every:
        _check_kind(source, name)
    if weight is not None and source.kinds[weight] != "numeric":
        message = f"The column of weights {weight!r} holds no numbers. Name one that tells how often each row counts."
        raise TableError(message)
    return names, frozenset(name for name in names if source.kinds[name] == "nominal")


def _check_kind(source: Source, name: str) -> None:
    if source.kinds[name] == "other":
        kind = getattr(source, "types", {}).get(name, "an unknown one")
        raise TableError(
            f"Column {name!r} has the type {kind}, which is neither number nor category. "
            "Turn it into a number (for a date: days since a day of your choice) or into text, "
            "or leave it out with 'columns'."
        )


def check_limits(**limits: Any) -> None:
    """Raise unless all limits are whole numbers from 1 on."""
    for name, limit in limits.items():
        if isinstance(limit, bool) or not isinstance(limit, Integral) or limit < 1:
            raise ValueError(f"{name!r} must be a whole number from 1 on; got {limit!r}.")


def wanted_edges(numeric: Sequence[str], special_values: Any, edges: Any) -> dict[str, NDArray[np.float64]]:
    """Return the edges that each numeric column must have."""
    own = {name: own_cells(_numbers_for(name, special_values, "special_values")) for name in numeric}
    return {name: joined_edges(own[name], _numbers_for(name, edges, "edges")) for name in numeric}


def _numbers_for(name: str, numbers: Any, what: str) -> NDArray[np.float64]:
    """Return the numbers for a column: from a list for all columns, or from a dict of lists."""
    listed = numbers.get(name, ()) if isinstance(numbers, dict) else numbers
    try:
        return np.asarray(() if listed is None else listed, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise ValueError(f"{what!r} of column {name!r} must be numbers; got {listed!r}.") from None
