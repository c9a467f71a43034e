"""Settings by column, and the limits that follow from them."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.criteria import mutual_information
from cutwise.errors import ColumnWarning
from cutwise.estimator import Choices
from cutwise.scheme import NumericAttribute
from cutwise.scikit_learn import Interval, InvalidParameterError, RealNotInt, make_constraint
from cutwise.search import BinLimits
from cutwise.search.limited import run_search
from cutwise.table.frames import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.counts import ColumnCounts
    from cutwise.criteria import Criterion
    from cutwise.discretize.seen import SeenTable
    from cutwise.scheme import Attribute
    from cutwise.search import SearchResult

    # What one column is searched under: of several trends the best is taken.
    Trials = tuple[BinLimits, ...]

_BINS = [None, Interval(Integral, 1, None, closed="left"), dict]
SIZE_CONSTRAINTS: dict[str, list[Any]] = {
    "min_bin_size": [
        None,
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0, 0.5, closed="right"),
        dict,
    ],
    "max_bins": _BINS,
}
LIMIT_CONSTRAINTS: dict[str, list[Any]] = {
    "min_bins": _BINS,
    "max_bin_size": [
        None,
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0, 1, closed="right"),
        dict,
    ],
    "min_events": [None, Interval(Real, 0, None, closed="left"), dict],
    "max_pvalue": [None, Interval(Real, 0, 1, closed="neither"), dict],
}
TRENDS = ("increasing", "decreasing", "peak", "valley", "concave", "convex", "auto")
# Those that "auto" compares, the simpler ones first.
TRIED = ("increasing", "decreasing", "peak", "valley")
TREND_CONSTRAINTS: dict[str, list[Any]] = {"monotonic": [None, Choices(*TRENDS), dict]}
MONOTONIC_CONSTRAINTS: dict[str, list[Any]] = {"monotonic": [None, Choices("increasing", "decreasing", "auto"), dict]}
CONFIRM_CONSTRAINTS: dict[str, list[Any]] = {"confirm": [None, Interval(Real, 0, 1, closed="right"), dict]}
# The parameters that are limits, in the order in which they are told.
LIMITS = (*SIZE_CONSTRAINTS, *LIMIT_CONSTRAINTS, *TREND_CONSTRAINTS, *CONFIRM_CONSTRAINTS)
DIRECTIONS = {"increasing": 1, "decreasing": -1}
# What a trend of the first of two classes is for the second one.
TURNED: dict[str | None, str] = {"increasing": "decreasing", "decreasing": "increasing"}
MOST_NAMES = 20


def by_column(parameter: str, value: Any, names: Sequence[str], default: Any = None) -> list[Any]:
    """Return the value of a parameter for each column.

    Parameters
    ----------
    parameter : str
        What the parameter is called.
    value : object
        One value for all columns, or a dict of values by name; by place too, where the columns have no names.
    names : sequence of str
        The columns.
    default : object
        What a column gets that the dict does not name.

    Examples
    --------
    >>> by_column("max_bins", {"age": 5}, ["age", "income"])
    [5, None]
    """
    if not isinstance(value, dict):
        return [value] * len(names)
    named = named_columns(parameter, value, names)
    return [named.get(name, default) for name in names]


def listed_by_column(parameter: str, value: Any, names: Sequence[str]) -> Any:
    """Return a setting with a value for each column, in their order, as a dict by name; any other as it is.

    Examples
    --------
    >>> listed_by_column("n_bins", [5, 3.0], ["age", "income"])
    {'age': 5, 'income': 3}
    """
    if value is None or isinstance(value, dict | str | Real):
        return value
    listed = np.asarray(value)
    if listed.shape != (len(names),):
        message = (
            f"{parameter!r} has the shape {listed.shape} for {len(names)} columns. Give one value for all of them, one "
            "for each, or a dict by column."
        )
        raise ValueError(message)
    values = [int(own) if isinstance(own, float) and own.is_integer() else own for own in listed.tolist()]
    return dict(zip(names, values, strict=True))


def named_columns(parameter: str, value: Mapping[Any, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return a dict by column with places turned into names; raise ValueError if it names no column."""
    are_places = list(names) == [f"x{j}" for j in range(len(names))]
    known = set(names)
    named = {}
    for key, own in value.items():
        # A model that is written as JSON has strings for places.
        is_place = isinstance(key, Integral) and not isinstance(key, bool)
        is_place |= isinstance(key, str) and key.isdecimal()
        name = names[int(key)] if are_places and is_place and 0 <= int(key) < len(names) else key
        if name not in known:
            listed = ", ".join(map(repr, names[:MOST_NAMES])) + (", …" if len(names) > MOST_NAMES else "")
            message = f"{parameter!r} names the column {key!r}, but the table has {listed}.{did_you_mean(key, names)}"
            raise ValueError(message)
        named[name] = own
    return named


def checked_by_column(method: Any, parameter: str, names: Sequence[str], default: Any = None) -> list[Any]:
    """Return the value of a parameter of a method for each column; raise if one is not what the parameter may be."""
    value = listed_by_column(parameter, getattr(method, parameter, default), names)
    if isinstance(value, dict):
        checks = method._parameter_constraints[parameter]  # noqa: SLF001
        allowed = [one for one in checks if one is not dict and one != "array-like"]
        options = [make_constraint(one) for one in allowed]
        for key, own in value.items():
            if not any(option.is_satisfied_by(own) for option in options):
                words = ", ".join(map(str, options[:-1])) + (" or " if options[1:] else "") + str(options[-1])
                choices = [word for one in allowed if isinstance(one, Choices) for word in one.words]
                message = (
                    f"The {parameter!r} parameter of {type(method).__name__} must be {words}. Got {own!r} for the "
                    f"column {key!r} instead.{did_you_mean(own, choices)}"
                )
                raise InvalidParameterError(message)
    return by_column(parameter, value, names, default)


def limits_of(method: Any, seen: SeenTable) -> tuple[Trials, ...]:
    """Return the limits of each column, one for each trend to try."""
    settings = {name: checked_by_column(method, name, seen.names) for name in LIMITS}
    rows = list(zip(*settings.values(), strict=True))
    made: dict[tuple[Any, ...], Trials] = {}
    for row in rows:
        if row not in made:
            made[row] = _trials(dict(zip(LIMITS, row, strict=True)), seen)
    return tuple(made[row] for row in rows)


def _trials(setting: Mapping[str, Any], seen: SeenTable) -> Trials:
    """Return the limits that settings of a column stand for, one for each trend to try."""
    for name in ("monotonic", "min_events", "max_pvalue"):
        _check_event(name, setting[name], seen)
    limits = BinLimits(
        max_bins=setting["max_bins"],
        min_rows=_rows(setting["min_bin_size"], seen) or 0.0,
        confirm=None if setting["confirm"] is None else float(setting["confirm"]),
        min_bins=setting["min_bins"] or 1,
        max_rows=_rows(setting["max_bin_size"], seen) or math.inf,
        min_events=float(setting["min_events"] or 0.0),
        max_pvalue=setting["max_pvalue"],
    )
    if limits.max_bins is not None and limits.min_bins > limits.max_bins:
        message = f"min_bins={limits.min_bins} is more than max_bins={limits.max_bins}. Let it be at most as large."
        raise ValueError(message)
    if limits.min_rows > limits.max_rows:
        message = (
            f"min_bin_size={setting['min_bin_size']} is more than max_bin_size={setting['max_bin_size']}. "
            "Let it be at most as large."
        )
        raise ValueError(message)
    if seen.has_unlabelled and not limits.are_plain:
        message = "Rows without a label go with max_bins, min_bin_size and confirm only. Leave the other limits out."
        raise ValueError(message)
    trend = setting["monotonic"]
    if trend is None or len(seen.classes) < 2:
        return (_with_trend(limits, None, seen),)
    return tuple(
        _with_trend(limits, one, seen, either=trend == "auto") for one in (TRIED if trend == "auto" else [trend])
    )


def _with_trend(limits: BinLimits, trend: str | None, seen: SeenTable, *, either: bool = False) -> BinLimits:
    # Searches look at the rate of the second of two classes.
    turned = -1 if seen.event == 0 else 1
    direction = turned * DIRECTIONS.get(trend or "", 0) if len(seen.classes) == 2 else 0
    if seen.has_unlabelled and trend is not None and not direction:
        trend = None
    return replace(limits, trend=trend, event=seen.event, direction=direction, either=either and direction != 0)


def _rows(size: Any, seen: SeenTable) -> float | None:
    """Return a number or a share of rows as a weight."""
    if size is None:
        return None
    return float(size) * seen.total_weight if isinstance(size, float) else float(size)


def _check_event(name: str, value: Any, seen: SeenTable) -> None:
    """Raise ValueError if a limit is about the rate of a class, and it is not known which."""
    if seen.event is None:
        check_two_classes(name, value, seen, "Name the one that it is about, event=…, join")


def check_two_classes(name: str, value: Any, seen: SeenTable, advice: str = "Join") -> None:
    """Raise ValueError if a limit is about the rate of one of two classes, and there are more."""
    n_classes = len(seen.classes)
    if value is not None and n_classes > 2:
        message = (
            f"{name}={value!r} is about the rate of one of two classes, but the target y has {n_classes} classes. "
            f"{advice} classes, or leave {name!r} out."
        )
        raise ValueError(message)


# Without a turn a scheme is simpler: a turn must add this share of the relevance.
WORTH_A_TURN = 0.05


class Judged:
    """What the search found for each trend, and the one that is taken."""

    def __init__(self, search: Any, criterion: Criterion, table: ColumnCounts, trials: Trials) -> None:
        self.found = [run_search(search, criterion, table, limits) for limits in trials]
        self.trend: str | None = trials[0].trend
        self.costs: dict[str, float] = {}
        self.best: SearchResult = self.found[0]
        self.limits = trials[0]
        if len(trials) == 1:
            return
        free = run_search(search, criterion, table, replace(trials[0], trend=None, direction=0, either=False))
        values = [(one.score or criterion.score(table, one.gaps)).value for one in self.found]
        gained = [_relevance(table, one) for one in self.found]
        place = self._choice(values, gained, table)
        self.best, self.trend, self.limits = self.found[place], trials[place].trend, trials[place]
        most = _relevance(table, free)
        self.costs = {str(own.trend): most - gain for own, gain in zip(trials, gained, strict=True)}

    @staticmethod
    def _choice(values: list[float], gained: list[float], table: ColumnCounts) -> int:
        """Return the place of the trend to take."""
        straight = int(values[1] > values[0])
        if len(values) < len(TRIED):
            return straight
        bent = 2 + int(values[3] > values[2])
        n_rows = max(table.n_rows * table.unit, 2.0)
        least = max(WORTH_A_TURN * gained[bent], math.log2(n_rows) / n_rows)
        return bent if gained[bent] - gained[straight] > least else straight


def _relevance(table: ColumnCounts, found: SearchResult) -> float:
    return mutual_information(table.by_class.by_bin(table.bin_ends(found.gaps))) if table.n_values else 0.0


# Why a column has one bin whatever the limits.
NOTHING_TO_CUT = ("no_values", "one_value", "one_class")


def warn_of_unmet(attributes: Sequence[Attribute], trials: Sequence[Trials]) -> None:
    """Tell in one sentence where a column has too few bins, or one that is too large."""
    unmet: list[str] = []
    for attribute, (limits, *_) in zip(attributes, trials, strict=True):
        if not isinstance(attribute, NumericAttribute) or attribute.stop in NOTHING_TO_CUT:
            continue
        if limits.max_rows == math.inf and limits.min_bins <= 1:
            continue
        rows = attribute.rows[: len(attribute.cuts) + 1]
        if max(rows) > limits.max_rows * (1 + 1e-9):
            unmet.append(
                f"{attribute.name!r} has a bin of {max(rows):g} rows where max_bin_size allows {limits.max_rows:g}"
            )
        elif len(rows) < min(limits.min_bins, attribute.n_values):
            unmet.append(f"{attribute.name!r} has {len(rows)} of min_bins={limits.min_bins} bins")
    if unmet:
        more = f", and {len(unmet) - 1} more columns" if len(unmet) > 1 else ""
        message = f"Limits that cannot be met together: {unmet[0]}{more}; no cut is left that the others allow."
        warnings.warn(message, ColumnWarning, stacklevel=2)
