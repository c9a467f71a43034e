"""From one column to one attribute of the scheme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.counts import count_column, place_cuts
from cutwise.criteria import Psi, Score
from cutwise.scheme import Attribute, NominalAttribute, NumericAttribute, Trial
from cutwise.table import NominalColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import CountTable, RowGroups
    from cutwise.counts.gaps import Place
    from cutwise.search import ExactSearch, Found, GreedySearch, Step
    from cutwise.table.columns import Column


@dataclass(frozen=True)
class Method:
    """What a discretizer names: how a partition is judged and how the best one is sought."""

    criterion: Psi
    search: GreedySearch | ExactSearch


def learn_attribute(read: Callable[[], Column], groups: RowGroups, method: Method, place: Place) -> Attribute:
    """Read a column, count it, and find its bins."""
    column = read()
    if isinstance(column, NominalColumn):
        return _learn_nominal(column, groups, method.criterion)
    table = count_column(column.values, groups)
    found = method.search.run(method.criterion, table)
    return numeric_attribute(column.name, table, found, method.criterion, place)


def numeric_attribute(name: str, table: CountTable, found: Found, criterion: Psi, place: Place) -> NumericAttribute:
    """Write down what a search found."""
    score = found.score or criterion.score(table, found.gaps)
    tried = list(found.steps) + ([found.refused] if found.refused else [])
    trials = _trials(table, tried, place)
    n_gaps = max(table.n_values - 1, 0)
    return NumericAttribute(
        name=name,
        cuts=tuple(place_cuts(table, found.gaps, place).tolist()),
        minimum=float(table.values[0]) if table.n_values else None,
        maximum=float(table.values[-1]) if table.n_values else None,
        n_values=table.n_values,
        n_candidates=n_gaps if found.n_candidates is None else found.n_candidates,
        steps=trials[: len(found.steps)],
        refused=trials[-1] if found.refused else None,
        class_counts=_rows_of(table.by_class.by_bin(table.bin_ends(found.gaps))),
        missing_by_class=tuple(table.missing_by_class.tolist()),
        score=score.value,
        relevance=score.relevance,
        divergence=score.divergence,
        stop=found.stop,
    )


def _trials(table: CountTable, steps: Sequence[Step], place: Place) -> tuple[Trial, ...]:
    gaps = np.array([step.gap for step in steps], dtype=np.int64)
    cuts = place_cuts(table, gaps, place).tolist()
    return tuple(Trial(cut, *step.score) for cut, step in zip(cuts, steps, strict=True))


def _learn_nominal(column: NominalColumn, groups: RowGroups, criterion: Psi) -> NominalAttribute:
    """Count the categories; each of them is a bin."""
    codes = column.codes(column.categories)
    table = count_column(np.where(codes < 0, np.nan, codes), groups)
    # Every category has a row, so value u of the table is category u.
    score = criterion.score(table, np.arange(table.n_values - 1)) if table.n_values else Score(0.0, 0.0, 0.0)
    return NominalAttribute(
        name=column.name,
        categories=column.categories,
        class_counts=_rows_of(table.class_counts),
        missing_by_class=tuple(table.missing_by_class.tolist()),
        score=score.value,
        relevance=score.relevance,
        divergence=score.divergence,
        stop="nominal",
    )


def _rows_of(counts: NDArray[np.int64]) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, counts.tolist()))
