"""Cuts set by hand, in place of those that a search found."""

from __future__ import annotations

import contextlib
import itertools
import math
from bisect import bisect_left
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any

from cutwise.errors import SchemeError
from cutwise.scheme.attribute import Attribute, NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Counts = tuple[tuple[float, ...], ...]


def attribute_with_cuts(attribute: Attribute, cuts: Iterable[float], criterion: str) -> NumericAttribute:
    """Return the attribute with other cuts, marked as edited.

    Cuts among the old ones join bins, so that the counts of the new bins are known. Any other
    cut divides a bin, whose rows are no longer at hand: then all counts are 0.
    """
    if not isinstance(attribute, NumericAttribute):
        message = (
            f"Attribute {attribute.name!r} is nominal: its bins are categories and have no cuts. Name a numeric one."
        )
        raise SchemeError(message)
    chosen = checked_cuts(cuts, f"attribute {attribute.name!r}")
    counts, missing = _joined_counts(attribute, chosen), attribute.missing_by_class
    if counts is None:
        missing = tuple(0 for _ in missing)
        counts = (missing,) * (len(chosen) + 1 + len(attribute.special_values))
    relevance = _mutual_information(counts[: len(chosen) + 1])
    return replace(
        attribute,
        cuts=chosen,
        class_counts=counts,
        missing_by_class=missing,
        score=relevance if criterion == "relevance" else 0.0,
        relevance=relevance,
        divergence=0.0,
        edited=True,
    )


def checked_cuts(cuts: Any, where: str) -> tuple[float, ...]:
    """Return cuts as doubles, or raise SchemeError if they are not finite and strictly ascending."""
    if isinstance(cuts, str) or not hasattr(cuts, "__iter__"):
        message = f"The cuts of {where} must be a list of numbers, such as [1.5, 3], not {cuts!r}."
        raise SchemeError(message)
    numbers = [_double(cut, where) for cut in cuts]
    for left, right in itertools.pairwise(numbers):
        if not left < right:
            message = (
                f"The cuts of {where} must ascend, but {right!r} follows {left!r}. Sort them and drop repeated ones."
            )
            raise SchemeError(message)
    return tuple(numbers)


def _double(cut: Any, where: str) -> float:
    number = math.inf
    if not isinstance(cut, bool) and isinstance(cut, Real):
        with contextlib.suppress(OverflowError):
            number = float(cut) + 0.0
    if not math.isfinite(number):
        message = f"The cuts of {where} must be finite numbers, but one of them is {cut!r}."
        raise SchemeError(message)
    return number


def _joined_counts(attribute: NumericAttribute, cuts: Sequence[float]) -> Counts | None:
    """Return the counts of the bins between some of the old cuts; None if a cut is new."""
    old = attribute.cuts
    if not set(cuts) <= set(old):
        return None
    ends = [bisect_left(old, cut) + 1 for cut in cuts]
    edges = [0, *ends, len(old) + 1]
    joined = [_added(attribute.class_counts[start:end]) for start, end in itertools.pairwise(edges)]
    return (*joined, *attribute.class_counts[len(old) + 1 :])


def _added(counts: Counts) -> tuple[float, ...]:
    return tuple(map(sum, zip(*counts, strict=True)))


def _mutual_information(counts: Counts) -> float:
    """Return what bins tell of the class, in bits."""
    rows, by_class = [sum(row) for row in counts], _added(counts)
    total = sum(rows)
    terms = (
        count * math.log2(count * total / (rows[b] * by_class[c]))
        for b, row in enumerate(counts)
        for c, count in enumerate(row)
        if count
    )
    return max(math.fsum(terms) / total, 0.0) if total else 0.0
