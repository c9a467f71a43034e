"""What the discretizers share that need nothing but the counts of each column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.callback import with_callbacks

from cutwise.counts import GridCounts, NominalCounts, TableCounts, count_table
from cutwise.counts.scanning import MAX_CATEGORIES, MAX_CELLS, MAX_VALUES
from cutwise.discretize.attributes import CountedColumn
from cutwise.discretize.base import BaseDiscretizer, from_scheme
from cutwise.discretize.chunks import bounded_stream, count_chunk
from cutwise.discretize.validate import check_special_values
from cutwise.errors import CountsError
from cutwise.validation import check_number_of_classes, read_rows, set_fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.counts import MergeableCounts
    from cutwise.discretize.attributes import Method
    from cutwise.discretize.limits import Seen
    from cutwise.validation import CheckedRows


# What the end of a fit sets, besides what it says of the columns.
FITTED = ("scheme_", "classes_", "cuts_", "n_bins_", "bin_edges_", "rank_errors_")


@dataclass(eq=False, repr=False, kw_only=True)
class CountedDiscretizer(BaseDiscretizer):
    """The base of the discretizers that need nothing but the counts of each column.

    They learn from rows in memory (``fit``), from tables that stay where they are
    (``fit_table``), from counts (``fit_counts``) and from streams (``partial_fit``). A subclass
    says in ``_methods`` how columns are searched.
    """

    _of_other_ways: ClassVar[tuple[str, ...]] = ("rank_errors_", "_stream")

    def _methods(self, seen: Seen, names: Sequence[str]) -> list[Method]:
        """Return how each column is searched."""
        raise NotImplementedError

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_table(
        self,
        table: Any,
        target: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        parts: str | None = None,
        weight: str | None = None,
        max_values: int = MAX_VALUES,
        max_cells: int = MAX_CELLS,
        max_categories: int = MAX_CATEGORIES,
    ) -> Self:
        """Find the cuts of a table that stays where it is.

        The table is counted by the engine that holds it, in one or two scans; only the counts
        come here. Up to `max_values` distinct values in a column, the scheme is the same as that
        of ``fit``. A column with more is cut between the cells of a grid; ``rank_errors_`` says how
        fine that is.

        Parameters
        ----------
        table : path or table
            The path of Parquet or CSV files, a pattern such as ``"sales/*.parquet"`` or a list of
            paths; or a table of Arrow, DuckDB, polars, pandas, Spark, Dask or Ibis, lazy or not.
        target : str
            The column of the classes; it may be left out for discretizers that do not look at it.
        columns : sequence of str, optional
            The columns to learn; by default all but the target, the parts and the weight.
        parts : str, optional
            A column of whole numbers with the part of each row, instead of a random one.
        weight : str, optional
            A column of whole numbers that tells how often each row counts; with
            ``weights="relative"`` only their ratios matter.
        max_values : int, default=8192
            The largest number of distinct values that are counted one by one.
        max_cells : int, default=4096
            About the number of cells of a grid.
        max_categories : int, default=1000
            The largest number of categories of a nominal column.

        Returns
        -------
        self
        """
        self._check_target_column(target)
        self._check_part_column(parts)
        counts = count_table(
            table,
            target,
            columns=columns,
            parts=parts,
            weight=weight,
            special_values=self.special_values,
            edges=self._cell_edges(),
            max_values=max_values,
            max_cells=max_cells,
            max_categories=max_categories,
        )
        return self._fit_whole(counts)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_counts(self, counts: TableCounts) -> Self:
        """Find the cuts from counts.

        Parameters
        ----------
        counts : TableCounts
            What `count_table` returned, or the sum of several of them.

        Returns
        -------
        self
        """
        return self._fit_whole(counts)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None, parts: Any = None, sample_weight: Any = None) -> Self:
        """Count the rows of a chunk of a stream; ``finalize`` finds the cuts.

        Numeric columns are counted by distinct value, so that the order of the chunks does not
        matter. When a column has more than 65,536 values, about 4,096 cells are made from what was
        seen so far, and it is counted by these from then on. If a chunk cannot be used, what was
        counted before stays. After ``fit``, ``fit_table`` or ``fit_counts`` a stream begins anew.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns each time.
        y : array-like of shape (n_samples,)
            The class of each row; chunks may bring new classes.
        parts : array-like of int of shape (n_samples,), optional
            The part of each row.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts: whole numbers, so that chunks add up. With
            ``weights="relative"`` they are rescaled when all chunks are known, in ``finalize``.

        Returns
        -------
        self
        """
        if parts is not None:
            self._check_part_column("parts")
        stream: TableCounts | None = getattr(self, "_stream", None)
        rows = self._read_chunk(X, y, sample_weight, reset=stream is None)
        chunk = count_chunk(rows, y is not None, parts)
        total = chunk if stream is None else stream + chunk
        total = bounded_stream(total, check_special_values(self.special_values, total.names))
        old = FITTED if stream is None else ()
        set_fitted(self, rows.table.n_features, rows.table.feature_names, {"_stream": total}, old)
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def finalize(self) -> Self:
        """Find the cuts from the chunks that ``partial_fit`` was given; more of them may follow.

        Returns
        -------
        self
        """
        stream: TableCounts | None = getattr(self, "_stream", None)
        if stream is None:
            message = f"There is nothing to learn from yet. Call {type(self).__name__}.partial_fit(X, y) first."
            raise CountsError(message)
        self._fit_counts(stream, getattr(self, "feature_names_in_", None))
        return self

    def _fit_whole(self, counts: Any) -> Self:
        """Learn from counts alone, whatever was streamed before."""
        if not isinstance(counts, TableCounts):
            message = f"Expected the counts that count_table returns, got {type(counts).__name__}."
            raise CountsError(message)
        self._fit_counts(counts, np.array(counts.names, dtype=object), without=("_stream",))
        return self

    @with_callbacks
    def _fit_counts(
        self, counts: TableCounts, feature_names: NDArray[np.object_] | None, without: Sequence[str] = ()
    ) -> None:
        counts = self._used_counts(counts)
        if self.weights == "relative":
            counts = counts.relative()
        classes = label_array(counts.classes)
        _check_classes(counts)
        special = check_special_values(self.special_values, counts.names)
        for column, values in zip(counts.columns, special, strict=True):
            _check_cells(column, values)
        methods = self._methods(counts, counts.names)
        counters = [partial(_counted, column, counts.unit) for column in counts.columns]
        attributes = self._learn_counted(counts.names, counters, methods)
        scheme = self._make_scheme(classes, attributes, methods[0].criterion.name, self._counted_settings(counts))
        learned = {"classes_": classes, "rank_errors_": np.array(list(counts.rank_errors.values()))}
        set_fitted(self, len(counts.names), feature_names, {**learned, **from_scheme(scheme)}, without)

    def _used_counts(self, counts: TableCounts) -> TableCounts:
        """Return the counts that the method looks at; raise if some are lacking."""
        self._check_target_column(counts.target)
        return counts.without_parts()

    def _check_target_column(self, target: str | None) -> None:
        """Raise if there is no column of classes, and one is needed."""
        if target is None:
            message = f"{type(self).__name__} needs the class of each row. Name the column of the classes: target=…"
            raise CountsError(message)

    def _counted_settings(self, counts: TableCounts) -> dict[str, Any]:  # noqa: ARG002
        """Return the parameters that decide the result, for the scheme."""
        return self._settings()

    def _check_part_column(self, parts: str | None) -> None:
        """Raise if a column of parts is named that would not be looked at, or lacks."""
        if parts is not None:
            message = f"{type(self).__name__} does not compare parts of the rows. Leave 'parts' out."
            raise ValueError(message)

    def _cell_edges(self) -> Any:
        """Return numbers at which the cells of a grid must end, for all columns or by column."""

    def _read_chunk(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> CheckedRows:
        """Check a chunk of a stream."""
        return read_rows(self, X, y, sample_weight, reset=reset, meaning="count")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "scheme_")


def label_array(labels: Sequence[Any]) -> NDArray[Any]:
    """Return labels as numpy holds them best without changing one."""
    array = np.asarray(labels)
    if array.tolist() == list(labels):
        return array
    return np.array(labels, dtype=object)


def _check_classes(counts: TableCounts) -> None:
    """Raise if the target holds measurements."""
    for label in counts.classes:
        if isinstance(label, float) and label != int(label):
            message = (
                f"The target {counts.target!r} holds continuous values, such as {label!r}, and no classes. "
                "Choose another target, or turn it into classes."
            )
            raise CountsError(message)
    check_number_of_classes(counts.classes, f"The target {counts.target!r}")


def _counted(column: MergeableCounts, unit: float) -> CountedColumn:
    table = column.table() if unit == 1.0 else replace(column.table(), unit=unit)
    return CountedColumn(column.name, table, column.categories if isinstance(column, NominalCounts) else None)


def _check_cells(column: MergeableCounts, special: NDArray[np.float64]) -> None:
    """Raise if a special value lies in a cell with other values."""
    if not isinstance(column, GridCounts):
        return
    cells = np.searchsorted(column.edges, special)
    mixed = special[(column.lows[cells] < column.highs[cells])]
    if mixed.size:
        message = (
            f"Column {column.name!r}: the special value {mixed[0]!r} was counted together with others. "
            "Count the table again with special_values=…, so that it gets a cell of its own."
        )
        raise CountsError(message)
