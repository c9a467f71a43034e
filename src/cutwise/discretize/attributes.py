"""From a method's plan and the counts of a column to an attribute of the scheme."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from cutwise.counts import place_cuts
from cutwise.criteria import Score
from cutwise.discretize.groups import find_groups
from cutwise.discretize.limits import Judged, by_column, checked_by_column, named_columns
from cutwise.discretize.seen import count_categories
from cutwise.errors import ColumnWarning, TableError
from cutwise.scheme import Attribute, CutTrial, NominalAttribute, NumericAttribute
from cutwise.search.limited import stopped_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, JointTable, RowGroups
    from cutwise.counts.gaps import Place
    from cutwise.criteria import Criterion
    from cutwise.discretize.limits import Trials
    from cutwise.discretize.seen import CountedColumn
    from cutwise.search import BinLimits, SearchResult
    from cutwise.table import NominalColumn
    from cutwise.table.columns import Label

# How many counts by bin and class a column may have.
MAX_COUNTS = 1 << 27
# Of more classes a bin mostly has none.
FEW_CLASSES = 256


class ColumnSearch(Protocol):
    """What finds the gaps of one column that get a cut."""

    def run(self, criterion: Any, table: ColumnCounts, limits: BinLimits) -> SearchResult:
        """Search the gaps of one column."""


@dataclass(frozen=True)
class Plan:
    """How the columns are searched, one at a time.

    Parameters
    ----------
    criterion : Criterion
        How a partition is judged.
    search : ColumnSearch
        How the best one is sought.
    limits : sequence of tuple of BinLimits
        Those of each column, one for each trend to try; empty if there are none.
    settings : mapping, optional
        The parameters that the scheme records; by default those that decide the result.
    check : callable, optional
        Called with the attributes that were learned; raises if they are not what the parameters ask for.
    """

    criterion: Criterion
    search: ColumnSearch
    limits: Sequence[Trials] = ()
    settings: Mapping[str, Any] | None = None
    check: Callable[[Sequence[Attribute]], None] | None = None


class JointOutcome(NamedTuple):
    """What a search of all columns found.

    Parameters
    ----------
    columns : sequence of SearchResult
        One for each numeric column.
    criterion : Criterion
        What judges the nominal columns.
    finish : callable or None
        Called with the attributes; returns them as they should be, and what is learned beyond them by the names of
        the fitted attributes.
    """

    columns: Sequence[SearchResult]
    criterion: Criterion
    finish: Callable[[list[Attribute]], tuple[list[Attribute], dict[str, Any]]] | None = None


@dataclass(frozen=True)
class JointPlan:
    """How all columns are searched at once.

    Parameters
    ----------
    criterion : Criterion
        What the scores of the scheme measure.
    search : callable
        Takes the rows and the limits of each numeric column, and finds the cuts.
    limits : sequence of BinLimits
        Those of each column; empty if there are none.
    settings, check
        As in `Plan`.
    """

    criterion: Criterion
    search: Callable[[JointTable, Sequence[BinLimits]], JointOutcome]
    limits: Sequence[BinLimits] = ()
    settings: Mapping[str, Any] | None = None
    check: Callable[[Sequence[Attribute]], None] | None = None


class SpecialCounts(NamedTuple):
    """The special values of a numeric column and their counts [value, class]; each has a bin after the intervals."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]


class Grouping(NamedTuple):
    """Categories are to share bins; all but the most frequent ones are taken as one, if there are more."""

    max_categories: int | None = None


def check_grouping(method: Any, names: Sequence[str]) -> list[Grouping | None]:
    """Return how the categories of each column are grouped, None if they are not; raise if a method cannot do so."""
    chosen = checked_by_column(method, "nominal", names, "bin")
    if "group" not in chosen:
        return [None] * len(names)
    if not method.groups_categories:
        message = (
            f"{type(method).__name__} does not group categories, but 'nominal' is 'group'. Set nominal='bin', or "
            "take MRmD, MaxRelevance, MDLP, CAIM, CACC or Ameva, which do."
        )
        raise ValueError(message)
    return [Grouping(method.max_categories) if one == "group" else None for one in chosen]


class Task(NamedTuple):
    """What is to be known of one column: its counts, how and under which limits it is searched, and special values."""

    read: Callable[[], CountedColumn]
    plan: Plan
    trials: Trials
    place: Place
    special_values: NDArray[np.float64]
    grouping: Grouping | None = None


def learn_attribute(task: Task) -> Attribute:
    """Count a column and find its bins."""
    return learn_counted(task.read(), task)


def learn_counted(column: CountedColumn, task: Task) -> Attribute:
    """Find the bins of a column; of several trends, take the one that is worth it."""
    criterion = task.plan.criterion
    if column.categories is not None and task.grouping is not None and column.table.n_values:
        return _grouped_attribute(column, task)
    if column.categories is not None:
        return _nominal_attribute(column.name, column.categories, column.table, criterion)
    table, apart = column.table.set_apart(task.special_values)
    trials = tuple(_short_of_too_many(limits, table) for limits in task.trials)
    judged = Judged(task.plan.search, criterion, table, trials)
    for one in judged.found:
        _check_size(column.name, table, one)
    special = SpecialCounts(task.special_values, apart)
    return numeric_attribute(
        column._replace(table=table),
        special,
        judged.best,
        criterion,
        task.place,
        trend=judged.trend,
        trend_costs=judged.costs,
        stopped_by=stopped_by(table, judged.best, judged.limits),
    )


def _short_of_too_many(limits: BinLimits, table: ColumnCounts) -> BinLimits:
    """Return the limits under which a search ends once it has more bins than can be kept."""
    most = MAX_COUNTS // max(table.n_classes, 1) + 1
    return limits if table.n_values <= most else replace(limits, max_bins=min(limits.max_bins or most, most))


def _check_size(name: str, table: ColumnCounts, found: SearchResult) -> None:
    """Raise TableError if the bins have more counts than can be kept."""
    most = MAX_COUNTS // max(table.n_classes, 1)
    if found.gaps.size >= most:
        message = (
            f"Column {name!r}: more than {most:,} bins for {table.n_classes:,} classes are more than {MAX_COUNTS:,} "
            "counts, too many to keep. Join classes, or allow fewer bins, such as by 'max_bins'."
        )
        raise TableError(message)


def numeric_attribute(
    column: CountedColumn,
    special: SpecialCounts,
    found: SearchResult,
    criterion: Criterion,
    place: Place,
    **limited: Any,
) -> NumericAttribute:
    """Write down what a search found, with what is known of the limits."""
    table = column.table
    _check_size(column.name, table, found)
    score = found.score or criterion.score(table, found.gaps)
    tried = (*found.steps, found.refused) if found.refused else found.steps
    n_gaps = max(table.n_values - 1, 0)
    gaps = found.gaps.tolist()
    placed = place_cuts(table, np.array([*gaps, *(step.gap for step in tried)], dtype=np.int64), place).tolist()
    cuts, ends = placed[: len(gaps)], table.bin_ends(found.gaps)
    trials = tuple(CutTrial(cut, *step.score) for cut, step in zip(placed[len(gaps) :], tried, strict=True))
    if found.cuts is not None:
        cuts = found.cuts.tolist()
        ends = np.append(np.searchsorted(table.values, cuts, side="right"), table.n_values)
    return NumericAttribute(
        name=column.name,
        cuts=tuple(cuts),
        minimum=float(table.first_values[0]) if table.n_values else None,
        maximum=float(table.values[-1]) if table.n_values else None,
        n_values=table.n_values,
        n_candidates=n_gaps if found.n_candidates is None else found.n_candidates,
        steps=trials[: len(found.steps)],
        refused=trials[-1] if found.refused else None,
        class_counts=rows_of(table.by_class.by_bin(ends), table.unit) + rows_of(special.counts, table.unit),
        special_values=tuple(special.values.tolist()),
        missing_by_class=rows_of(table.missing_by_class[np.newaxis], table.unit)[0],
        score=score.value,
        relevance=score.relevance,
        divergence=score.divergence,
        stop=found.stop,
        p_values=tuple(found.tests[gap].p_value for gap in gaps if gap in found.tests),
        expected_losses=tuple(found.tests[gap].expected_loss for gap in gaps if gap in found.tests),
        refused_p_value=found.refused.test.p_value if found.refused and found.refused.test else None,
        **limited,
    )


def nominal_attribute(column: NominalColumn, groups: RowGroups, criterion: Criterion) -> NominalAttribute:
    """Count the categories; each of them is a bin."""
    return _nominal_attribute(column.name, column.categories, count_categories(column, groups), criterion)


def _nominal_attribute(
    name: str, categories: tuple[Label, ...], table: ColumnCounts, criterion: Criterion
) -> NominalAttribute:
    score = criterion.score(table, np.arange(table.n_values - 1)) if table.n_values else Score(0.0, 0.0, 0.0)
    return NominalAttribute(
        name=name,
        groups=tuple((category,) for category in categories),
        class_counts=rows_of(table.class_counts, table.unit),
        missing_by_class=rows_of(table.missing_by_class[np.newaxis], table.unit)[0],
        score=score.value,
        relevance=score.relevance,
        divergence=score.divergence,
        stop="nominal",
    )


def _grouped_attribute(column: CountedColumn, task: Task) -> NominalAttribute:
    table, categories = column.table, column.categories or ()
    most = None if task.grouping is None else task.grouping.max_categories
    found = find_groups(table, task.plan, task.trials, is_ordered=column.is_ordered, max_categories=most)
    n_groups = int(found.codes.max()) + 1
    members: list[list[Label]] = [[] for _ in range(n_groups)]
    for place in found.order.tolist():
        members[found.codes[place]].append(categories[place])
    counts = table.by_class.regroup(found.codes, n_groups).to_dense()
    return NominalAttribute(
        name=column.name,
        groups=tuple(map(tuple, members)),
        class_counts=rows_of(counts, table.unit),
        missing_by_class=rows_of(table.missing_by_class[np.newaxis], table.unit)[0],
        score=found.score.value,
        relevance=found.score.relevance,
        divergence=found.score.divergence,
        stop=found.stop,
        p_values=found.p_values,
    )


def rows_of(counts: NDArray[np.int64], unit: float = 1.0) -> tuple[tuple[float, ...], ...]:
    """Return counts [bin, class] as numbers of rows, or as their weights."""
    if unit != 1.0:
        # The digits beyond these come from the rounding of the weights.
        return tuple(tuple(float(f"{weight:.10g}") for weight in row) for row in (counts * unit).tolist())
    if 0 < counts.shape[1] <= FEW_CLASSES:
        # Very many bins would take memory for a list each.
        return tuple(zip(*counts.T.tolist(), strict=True))
    return tuple(map(tuple, map(_mostly_zeros, counts)))


def _mostly_zeros(counts: NDArray[np.int64]) -> list[float]:
    """Return the counts of a bin by class, few of which it has: faster than `tolist`."""
    listed: list[float] = [0] * counts.size
    places = counts.nonzero()[0]
    for place, count in zip(places.tolist(), counts[places].tolist(), strict=True):
        listed[place] = count
    return listed


def without_last_class(attribute: Attribute) -> Attribute:
    """Return the attribute without the counts of the last class."""
    return replace(
        attribute,
        class_counts=tuple(counts[:-1] for counts in attribute.class_counts),
        missing_by_class=attribute.missing_by_class[:-1],
    )


def check_special_values(special: Any, names: Sequence[str]) -> list[NDArray[np.float64]]:
    """Return the special values of each column in ascending order."""
    if not isinstance(special, dict):
        values = _special_values([] if special is None else special, "all columns")
        return [values] * len(names)
    chosen = by_column("special_values", special, names, [])
    return [_special_values(values, f"column {name!r}") for name, values in zip(names, chosen, strict=True)]


def _special_values(values: Any, where: str) -> NDArray[np.float64]:
    listed = np.asarray(values).ravel()
    if listed.size and listed.dtype.kind not in "iuf":
        message = f"'special_values' of {where} must be numbers; got {listed.tolist()[0]!r}."
        raise ValueError(message)
    doubles = np.unique(listed.astype(np.float64) + 0.0)
    if not np.isfinite(doubles).all():
        message = (
            f"'special_values' of {where} must be finite; got {doubles[~np.isfinite(doubles)][0]}. "
            "NaN is missing already, see 'missing'."
        )
        raise ValueError(message)
    return doubles


def check_nominal(estimator: Any, attributes: Sequence[Attribute]) -> None:
    """Tell where a nominal column is not what the parameters ask for: each of its categories is a bin.

    Raises
    ------
    ValueError
        If 'special_values' names the column.
    """
    nominal = [attribute for attribute in attributes if isinstance(attribute, NominalAttribute)]
    special = estimator.special_values
    named = named_columns("special_values", special, [a.name for a in attributes]) if isinstance(special, dict) else {}
    for attribute in nominal:
        if len(np.ravel(named.get(attribute.name, ()))):
            message = (
                f"'special_values' names the column {attribute.name!r}, which holds categories, such as "
                f"{', '.join(map(repr, attribute.labels[:2]))}: each of them has a bin of its own already. Take it out."
            )
            raise ValueError(message)
    names = [attribute.name for attribute in attributes]
    settings = {name: getattr(estimator, name, None) for name in ("nominal", "max_bins", "min_bin_size", "confirm")}
    grouping, most, least, confirm = (
        dict(zip(names, by_column(name, value, names), strict=True)) for name, value in settings.items()
    )
    if getattr(estimator, "max_categories", None) is None:
        grouped = [attribute for attribute in nominal if grouping[attribute.name] == "group"]
        _warn_of_rare_categories([attribute for attribute in grouped if confirm[attribute.name] is None])
    nominal = [attribute for attribute in nominal if grouping[attribute.name] != "group"]
    beyond = [a for a in nominal if most[a.name] is not None and a.n_bins > most[a.name]]
    if beyond:
        first = f"{beyond[0].name!r} with {beyond[0].n_bins:,} categories"
        _warn_of_limit(f"max_bins={most[beyond[0].name]}", first, len(beyond))
    small = [a for a in nominal if least[a.name] is not None and _smallest(a) < _least(least[a.name], a)]
    if small:
        first = f"{small[0].name!r} with a category of {_smallest(small[0]):g} rows"
        _warn_of_limit(f"min_bin_size={least[small[0].name]}", first, len(small))


# Groups of more categories than these, with fewer rows each, mostly follow chance.
MANY_CATEGORIES, FEW_ROWS = 100, 20


def _warn_of_rare_categories(attributes: Sequence[NominalAttribute]) -> None:
    """Warn of a column whose categories are too rare for their rates to order them."""
    for attribute in attributes:
        n_categories, n_rows = sum(map(len, attribute.groups)), sum(attribute.rows)
        if attribute.n_bins > 1 and n_categories > MANY_CATEGORIES and n_rows < FEW_ROWS * n_categories:
            message = (
                f"Column {attribute.name!r}: its {n_categories:,} categories have {n_rows / n_categories:.1f} rows "
                "each on average. Rates of so few rows are mostly chance, and new rows will show much less than these "
                "groups promise. Set 'max_categories' to take the rare ones as one; 'confirm' does so too."
            )
            warnings.warn(message, ColumnWarning, stacklevel=2)
            return


def _smallest(attribute: NominalAttribute) -> float:
    return min(attribute.rows, default=np.inf)


def _least(size: float, attribute: NominalAttribute) -> float:
    """Return the least rows of a bin."""
    total = sum(attribute.rows) + sum(attribute.missing_by_class)
    return size * total if isinstance(size, float) else size


def _warn_of_limit(limit: str, first: str, n_columns: int) -> None:
    more = f" and {n_columns - 1} more" if n_columns > 1 else ""
    message = (
        f"{limit} holds for numeric columns only; each category of a nominal column is a bin, as in {first}{more}. "
        "Join categories if these are too many: nominal='group' does so, where the method can."
    )
    warnings.warn(message, ColumnWarning, stacklevel=2)
