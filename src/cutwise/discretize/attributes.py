"""From one column to one attribute of the scheme."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from cutwise.counts import count_column, place_cuts
from cutwise.criteria import Score
from cutwise.scheme import Attribute, CutTrial, NominalAttribute, NumericAttribute
from cutwise.search import NO_LIMITS
from cutwise.table import NominalColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, RowGroups
    from cutwise.counts.gaps import Place
    from cutwise.criteria import Criterion
    from cutwise.search import BinLimits, SearchResult, SearchStep
    from cutwise.table.columns import Column, Label

NO_SPECIAL_VALUES = np.empty(0)


class Search(Protocol):
    """What finds the gaps of one column that get a cut."""

    def run(self, criterion: Any, table: ColumnCounts, limits: BinLimits) -> SearchResult:
        """Search the gaps of one column."""


@dataclass(frozen=True)
class Method:
    """What a discretizer names: how a partition is judged and how the best one is sought.

    Of several limits, the one whose result scores highest is taken.
    """

    criterion: Criterion
    search: Search
    limits: tuple[BinLimits, ...] = (NO_LIMITS,)

    def run(self, table: ColumnCounts) -> SearchResult:
        """Search one column under each of the limits and return the best result."""
        found = [self.search.run(self.criterion, table, limits) for limits in self.limits]
        values = [(one.score or self.criterion.score(table, one.gaps)).value for one in found]
        return found[int(np.argmax(values))]


class CountedColumn(NamedTuple):
    """The counts of a column; if it is nominal, value u of the table is category u."""

    name: str
    table: ColumnCounts
    categories: tuple[Label, ...] | None = None


def learn_attribute(
    count: Callable[[], CountedColumn],
    method: Method,
    place: Place,
    special_values: NDArray[np.float64] = NO_SPECIAL_VALUES,
) -> Attribute:
    """Count a column and find its bins."""
    column = count()
    if column.categories is not None:
        return _nominal_attribute(column.name, column.categories, column.table, method.criterion)
    table, apart = column.table.set_apart(special_values)
    found = method.run(table)
    attribute = numeric_attribute(column.name, table, found, method.criterion, place)
    return with_special_values(attribute, special_values, apart, table.unit)


def read_and_count(read: Callable[[], Column], groups: RowGroups) -> CountedColumn:
    """Read a column and count it."""
    column = read()
    if isinstance(column, NominalColumn):
        return CountedColumn(column.name, _count_categories(column, groups), column.categories)
    return CountedColumn(column.name, count_column(column.values, groups))


def numeric_attribute(
    name: str, table: ColumnCounts, found: SearchResult, criterion: Criterion, place: Place
) -> NumericAttribute:
    """Write down what a search found."""
    score = found.score or criterion.score(table, found.gaps)
    tried = list(found.steps) + ([found.refused] if found.refused else [])
    trials = _trials(table, tried, place)
    n_gaps = max(table.n_values - 1, 0)
    cuts, ends = place_cuts(table, found.gaps, place), table.bin_ends(found.gaps)
    if found.cuts is not None:
        cuts = found.cuts
        ends = np.append(np.searchsorted(table.values, cuts, side="right"), table.n_values)
    return NumericAttribute(
        name=name,
        cuts=tuple(cuts.tolist()),
        minimum=float(table.first_values[0]) if table.n_values else None,
        maximum=float(table.values[-1]) if table.n_values else None,
        n_values=table.n_values,
        n_candidates=n_gaps if found.n_candidates is None else found.n_candidates,
        steps=trials[: len(found.steps)],
        refused=trials[-1] if found.refused else None,
        class_counts=_rows_of(table.by_class.by_bin(ends), table.unit),
        missing_by_class=_rows_of(table.missing_by_class[np.newaxis], table.unit)[0],
        score=score.value,
        relevance=score.relevance,
        divergence=score.divergence,
        stop=found.stop,
    )


def with_special_values(
    attribute: NumericAttribute, special_values: NDArray[np.float64], counts: NDArray[np.int64], unit: float
) -> NumericAttribute:
    """Return the attribute with a bin for each special value after the intervals."""
    return replace(
        attribute,
        special_values=tuple(special_values.tolist()),
        class_counts=attribute.class_counts + _rows_of(counts, unit),
    )


def _trials(table: ColumnCounts, steps: Sequence[SearchStep], place: Place) -> tuple[CutTrial, ...]:
    gaps = np.array([step.gap for step in steps], dtype=np.int64)
    cuts = place_cuts(table, gaps, place).tolist()
    return tuple(CutTrial(cut, *step.score) for cut, step in zip(cuts, steps, strict=True))


def nominal_attribute(column: NominalColumn, groups: RowGroups, criterion: Criterion) -> NominalAttribute:
    """Count the categories; each of them is a bin."""
    return _nominal_attribute(column.name, column.categories, _count_categories(column, groups), criterion)


def _count_categories(column: NominalColumn, groups: RowGroups) -> ColumnCounts:
    """Count a nominal column; every category has a row, so value u of the table is category u."""
    codes = column.codes(column.categories)
    return count_column(np.where(codes < 0, np.nan, codes), groups)


def _nominal_attribute(
    name: str, categories: tuple[Label, ...], table: ColumnCounts, criterion: Criterion
) -> NominalAttribute:
    score = criterion.score(table, np.arange(table.n_values - 1)) if table.n_values else Score(0.0, 0.0, 0.0)
    return NominalAttribute(
        name=name,
        categories=categories,
        class_counts=_rows_of(table.class_counts, table.unit),
        missing_by_class=_rows_of(table.missing_by_class[np.newaxis], table.unit)[0],
        score=score.value,
        relevance=score.relevance,
        divergence=score.divergence,
        stop="nominal",
    )


def _rows_of(counts: NDArray[np.int64], unit: float) -> tuple[tuple[float, ...], ...]:
    columns: list[list[float]] = counts.T.tolist()
    if unit != 1.0:
        # The digits beyond these come from the rounding of the weights.
        columns = [[float(f"{weight:.10g}") for weight in column] for column in (counts.T * unit).tolist()]
    return tuple(zip(*columns, strict=True)) if columns else ((),) * len(counts)
