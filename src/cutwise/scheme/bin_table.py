"""A scheme as tables: one row for each bin, or one row for each attribute."""

from __future__ import annotations

import itertools
import math
from dataclasses import astuple, fields
from typing import TYPE_CHECKING, Any

from cutwise.errors import SchemeError
from cutwise.scheme.attribute import NumericAttribute
from cutwise.scheme.codes import MISSING_LABEL
from cutwise.scheme.figures import (
    EVENT,
    OTHERS,
    BinFigures,
    bin_figures,
    chances_of_next,
    counted_bins,
    event_pairs,
    gini,
    kolmogorov_smirnov,
    trend_of,
)
from cutwise.scheme.text import is_tested
from cutwise.table.frames import choose_library, make_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.scheme import Scheme

_FIGURES = tuple(field.name for field in fields(BinFigures))
_BIN_COLUMNS = ("attribute", "kind", "code", "bin", "low", "high", "rows")
_TESTS = ("p_value_next", "p_value", "expected_loss")
SIGNS = {OTHERS: "ln(others / events)", EVENT: "ln(events / others)"}


def bins_frame(scheme: Scheme, library: str | None, smoothing: float, positive: str) -> Any:
    """Return the bins of all attributes, those for missing values last where there are such rows."""
    chosen = choose_library(library)
    names, lines = bin_lines(scheme, smoothing, positive)
    columns = _by_name(names, lines)
    return make_frame(columns, ("attribute", "kind", "bin", "event", "woe_sign"), chosen, ("code",))


def bin_lines(scheme: Scheme, smoothing: float, positive: str) -> tuple[list[str], list[list[Any]]]:
    """Return the names of the columns and a line for each bin."""
    _check_settings(smoothing, positive)
    lines = [line for attribute in scheme.attributes for line in _lines(attribute, scheme, smoothing, positive)]
    classes = [f"rows of {label}" for label in scheme.classes]
    weights = [] if _has_one_event(scheme) else [f"woe of {label}" for label in scheme.classes]
    return [*_BIN_COLUMNS, "event", *_FIGURES, "woe_sign", *_TESTS, *classes, *weights], lines


def _check_settings(smoothing: float, positive: str) -> None:
    if smoothing not in (0, 0.5):
        raise SchemeError(f"'smoothing' must be 0.5 or 0, not {smoothing!r}.")
    if positive not in SIGNS:
        raise SchemeError(f"'positive' must be 'others' or 'event', not {positive!r}.")


def _has_one_event(scheme: Scheme) -> bool:
    """Return whether there is one event, or no class to weigh; else each class is weighed against the rest."""
    return scheme.event is not None or len(scheme.classes) < 2


def _by_name(names: Sequence[str], lines: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    plain = [[None if isinstance(cell, float) and math.isnan(cell) else cell for cell in line] for line in lines]
    return dict(zip(names, map(list, zip(*plain, strict=True)) if plain else ([] for _ in names), strict=True))


def _lines(attribute: Attribute, scheme: Scheme, smoothing: float, positive: str) -> list[list[Any]]:
    """Return the cells of each bin."""
    counts = counted_bins(attribute)
    figures, weights = figures_of(attribute, scheme, smoothing, positive)
    sign = None if len(scheme.classes) < 2 else SIGNS[positive]
    missing_code = -1 if scheme.missing == "code" else attribute.n_bins
    codes = [*range(attribute.n_bins), missing_code]
    cells = zip(
        codes, (*attribute.labels, MISSING_LABEL), _ends(attribute), counts, figures, _tests(attribute), strict=True
    )
    event = None if scheme.event is None else str(scheme.event)
    lines = [
        [attribute.name, attribute.kind, code, label, *ends, sum(row), event, *astuple(found), sign, *tests, *row]
        for code, label, ends, row, found, tests in cells
    ]
    lines = [[*line, *own] for line, own in zip(lines, weights, strict=True)]
    return lines if any(attribute.missing_by_class) else lines[:-1]


def figures_of(
    attribute: Attribute, scheme: Scheme, smoothing: float, positive: str
) -> tuple[list[BinFigures], list[list[float | None]]]:
    """Return the figures of all bins, and the weights of each class against the rest where no class is the event."""
    counts = counted_bins(attribute)
    if scheme.event_place is not None:
        return bin_figures(event_pairs(counts, scheme.event_place), smoothing, positive), [[] for _ in counts]
    by_class = [bin_figures(event_pairs(counts, k), smoothing, positive) for k in range(len(scheme.classes))]
    by_bin = list(zip(*by_class, strict=True)) if by_class else [()] * len(counts)
    figures = [
        BinFigures(
            share=bins[0].share if bins else None,
            iv=math.fsum(one.iv for one in bins) if len(bins) > 1 and bins[0].iv is not None else None,
        )
        for bins in by_bin
    ]
    return figures, [[] if _has_one_event(scheme) else [one.woe for one in bins] for bins in by_bin]


def _ends(attribute: Attribute) -> list[tuple[float | None, float | None]]:
    """Return both ends of each interval; other bins have none."""
    none: list[tuple[float | None, float | None]] = [(None, None)]
    if not isinstance(attribute, NumericAttribute):
        return none * (attribute.n_bins + 1)
    intervals = list(itertools.pairwise([-math.inf, *attribute.cuts, math.inf]))
    return [*intervals, *none * (len(attribute.special_values) + 1)]


def _tests(attribute: Attribute) -> list[tuple[float | None, ...]]:
    """Return how sure the difference from the next bin is, and how sure what parts it from the bin before."""
    lower: list[tuple[float | None, float | None]] = [(None, None)] * (attribute.n_bins + 1)
    if is_tested(attribute):
        losses = getattr(attribute, "expected_losses", (None,) * len(attribute.p_values))
        lower[1 : len(attribute.p_values) + 1] = zip(attribute.p_values, losses, strict=True)
    return [(chance, *tested) for chance, tested in zip(chances_of_next(attribute), lower, strict=True)]


SUMMARY_COLUMNS = (
    "attribute",
    "kind",
    "event",
    "bins",
    "missing",
    "iv",
    "gini",
    "ks",
    "relevance",
    "trend",
    "confirmed",
)


def summary_frame(scheme: Scheme, library: str | None, smoothing: float) -> Any:
    """Return one row for each attribute."""
    chosen = choose_library(library)
    columns = _by_name(SUMMARY_COLUMNS, summary_lines(scheme, smoothing))
    return make_frame(columns, ("attribute", "kind", "event", "trend", "confirmed"), chosen, ("bins",))


def summary_lines(scheme: Scheme, smoothing: float) -> list[list[Any]]:
    """Return the cells of each attribute."""
    _check_settings(smoothing, OTHERS)
    return [_summary_line(attribute, scheme, smoothing) for attribute in scheme.attributes]


def _summary_line(attribute: Attribute, scheme: Scheme, smoothing: float) -> list[Any]:
    figures, _ = figures_of(attribute, scheme, smoothing, OTHERS)
    place = scheme.event_place
    values = [found.iv for found in figures if found.iv is not None]
    return [
        attribute.name,
        attribute.kind,
        None if scheme.event is None else str(scheme.event),
        attribute.n_bins,
        sum(attribute.missing_by_class),
        math.fsum(values) if len(values) == len(figures) else None,
        _of_pairs(gini, attribute, place),
        _of_pairs(kolmogorov_smirnov, attribute, place),
        attribute.relevance if attribute.is_counted else None,
        None if place is None else trend_of(attribute, place),
        _is_confirmed(attribute, scheme),
    ]


def _of_pairs(
    measure: Callable[[Sequence[tuple[float, float]]], float | None], attribute: Attribute, place: int | None
) -> float | None:
    if place is None or not attribute.is_counted:
        return None
    return measure(event_pairs(counted_bins(attribute), place))


def _is_confirmed(attribute: Attribute, scheme: Scheme) -> str | None:
    """Return "yes" if all cuts passed the test of the fit, else "no"; None where no cut was tested."""
    level = scheme.parameters.get("confirm")
    if not is_tested(attribute) or not isinstance(level, int | float):
        return None
    return "yes" if max(attribute.p_values) <= level else "no"
