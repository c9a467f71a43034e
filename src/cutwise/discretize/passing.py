"""Columns that are not cut and pass through ``transform`` as they are."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from cutwise.discretize.limits import named_columns
from cutwise.errors import TableError
from cutwise.table.frames import column_arrays, is_frame, joined_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.validation import CheckedTable


def chosen_columns(columns: Any, table: CheckedTable) -> CheckedTable:
    """Return a table with the columns that are to be cut; all of them, if none are chosen."""
    if columns is None:
        return table
    wrong = [one for one in columns if not isinstance(one, Hashable)]
    if wrong:
        message = f"'columns' must be names or places of columns; one of them is {wrong[0]!r}."
        raise ValueError(message)
    chosen = named_columns("columns", dict.fromkeys(columns), table.names)
    if not chosen:
        message = (
            "'columns' is empty, so that there is nothing to cut. Name columns, or leave it out to cut all of them."
        )
        raise ValueError(message)
    return table.only([j for j, name in enumerate(table.names) if name in chosen])


def refuse_columns(columns: Any) -> None:
    """Raise if columns are chosen where rows are only counted, so that none can pass."""
    if columns is not None:
        message = (
            f"columns={list(columns)!r} tells fit which columns to cut. fit_table and count_table have columns=… of "
            "their own; pass to partial_fit only those to cut. Set columns=None here."
        )
        raise ValueError(message)


@dataclass(frozen=True)
class Places:
    """Where columns that are cut and columns that pass stand, in the order of the table.

    Parameters
    ----------
    names : sequence of str
        Those of all columns.
    cut : sequence of int
        The places of the columns that are cut.
    widths : sequence of int
        How many columns of the output each of them has.
    """

    names: Sequence[str]
    cut: Sequence[int]
    widths: Sequence[int]

    @cached_property
    def passing(self) -> list[int]:
        """The places of the columns that pass."""
        return [j for j in range(len(self.names)) if j not in set(self.cut)]

    @cached_property
    def order(self) -> list[int]:
        """The columns of the output as places among those that were made, followed by those that pass."""
        ends = np.cumsum(self.widths).tolist()
        made = {j: range(end - width, end) for j, end, width in zip(self.cut, ends, self.widths, strict=True)}
        passed = {j: range(ends[-1] + place, ends[-1] + place + 1) for place, j in enumerate(self.passing)}
        return [place for j in range(len(self.names)) for place in {**made, **passed}[j]]

    def in_order(self, made: Sequence[Any], passing: Sequence[Any]) -> list[Any]:
        """Return items of the output in its order, from those of made columns and those of passing ones."""
        both = [*made, *passing]
        return [both[place] for place in self.order]

    def of_table(self, cut: Sequence[Any], passing: Sequence[Any]) -> list[Any]:
        """Return items of the table in its order, from those of columns that are cut and those of passing ones."""
        found = dict(zip([*self.cut, *self.passing], [*cut, *passing], strict=True))
        return [found[j] for j in range(len(self.names))]

    def divided(self, array: NDArray[Any]) -> tuple[NDArray[Any], list[NDArray[Any]]]:
        """Return the made columns of an output, and the passing ones."""
        back = np.argsort(self.order)
        n_made = sum(self.widths)
        return array[:, back[:n_made]], [array[:, j] for j in back[n_made:]]


def join_columns(made: Any, table: CheckedTable, places: Places, names: Sequence[str], library: str) -> Any:
    """Return made columns and those of a table that pass, each at its place.

    Parameters
    ----------
    made : ndarray or sparse array
    table : CheckedTable
    places : Places
    names : sequence of str
        Those of the output.
    library : str
        "pandas" or "polars" for a frame; anything else for an array.

    Returns
    -------
    ndarray, sparse array or frame
        An array holds numbers if all columns do, and objects otherwise. A frame keeps the passing columns as they are.
    """
    keeps_types = is_frame(table.data) and table.feature_names is not None and not sparse.issparse(made)
    if keeps_types and library in ("pandas", "polars"):
        back = np.argsort(places.order)[: made.shape[1]]
        new = {names[j]: made[:, k] for k, j in enumerate(back.tolist())}
        return joined_frame(table.data, [table.names[j] for j in places.passing], new, names, library)
    arrays = column_arrays(table.data, places.passing)
    if not sparse.issparse(made):
        return stacked(places.in_order(list(made.T), arrays))
    for j, array in zip(places.passing, arrays, strict=True):
        if array.dtype.kind not in "biuf":
            message = (
                f"Column {table.names[j]!r} is not cut and holds no numbers, so that it cannot stand beside sparse 0/1 "
                "columns. Set encode='onehot-dense', or name it in 'columns', too."
            )
            raise TableError(message)
    beside = sparse.csr_array(np.column_stack(arrays).astype(np.float64))
    return type(made)(sparse.hstack([sparse.csr_array(made), beside], format="csr")[:, places.order])


def stacked(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return columns side by side, as numbers if all of them are, as objects otherwise."""
    if all(column.dtype.kind in "biuf" for column in columns):
        return np.column_stack(columns)
    found = np.empty((columns[0].size, len(columns)), dtype=object)
    for j, column in enumerate(columns):
        found[:, j] = column
    return found
