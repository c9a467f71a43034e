"""A scheme as a table with one row for each bin."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from cutwise.scheme.attribute import NumericAttribute
from cutwise.scheme.text import is_tested
from cutwise.table.frames import choose_library, make_frame

if TYPE_CHECKING:
    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.scheme import Scheme

TEXTS = ("attribute", "kind", "bin")
WHOLE = ("code",)


def bins_frame(scheme: Scheme, library: str | None) -> Any:
    """Return the bins of all attributes, those for missing values last where there are such rows."""
    chosen = choose_library(library)
    lines = [line for attribute in scheme.attributes for line in _lines(attribute, scheme)]
    names = ["attribute", "kind", "code", "bin", "low", "high", "rows", "p_value", "expected_loss"]
    names += [f"rows of {label}" for label in scheme.classes]
    columns = dict(zip(names, map(list, zip(*lines, strict=True)) if lines else ([] for _ in names), strict=True))
    return make_frame(columns, TEXTS, chosen, WHOLE)


def _lines(attribute: Attribute, scheme: Scheme) -> list[list[Any]]:
    """Return the cells of each bin."""
    ends, tests = _ends(attribute), _tests(attribute)
    lines = [
        [attribute.name, attribute.kind, code, label, *ends[code], sum(counts), *tests[code], *counts]
        for code, (label, counts) in enumerate(zip(attribute.labels, attribute.class_counts, strict=True))
    ]
    missing = attribute.missing_by_class
    if any(missing):
        code = -1 if scheme.missing == "code" else attribute.n_bins
        lines.append([attribute.name, attribute.kind, code, "missing", None, None, sum(missing), None, None, *missing])
    return [[None if isinstance(cell, float) and math.isnan(cell) else cell for cell in line] for line in lines]


def _ends(attribute: Attribute) -> list[tuple[float | None, float | None]]:
    """Return both ends of each interval; other bins have none."""
    if not isinstance(attribute, NumericAttribute):
        return [(None, None)] * attribute.n_bins
    intervals = list(itertools.pairwise([-math.inf, *attribute.cuts, math.inf]))
    return [*intervals, *[(None, None)] * len(attribute.special_values)]


def _tests(attribute: Attribute) -> list[tuple[float | None, float | None]]:
    """Return how sure it is that each bin differs from the one before, where that is known."""
    unknown: list[tuple[float | None, float | None]] = [(None, None)] * attribute.n_bins
    if not is_tested(attribute):
        return unknown
    losses = getattr(attribute, "expected_losses", (None,) * len(attribute.p_values))
    known = zip(attribute.p_values, losses, strict=True)
    return [(None, None), *known, *unknown[len(attribute.p_values) + 1 :]]
