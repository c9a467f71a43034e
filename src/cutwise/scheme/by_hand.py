"""Cuts set by hand, in place of those that a search found."""

from __future__ import annotations

import contextlib
import itertools
import math
from bisect import bisect_left
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

from cutwise import kernels
from cutwise.errors import SchemeError
from cutwise.scheme.attribute import Attribute, NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Counts = tuple[tuple[float, ...], ...]
AnyAttribute = TypeVar("AnyAttribute", bound=Attribute)


def attribute_with_cuts(attribute: Attribute, cuts: Iterable[float], criterion: str) -> NumericAttribute:
    """Return the attribute with other cuts, marked as edited.

    Between cuts that were there before, the counts of the new bins are sums of the old ones. A new
    cut divides a bin whose rows are no longer at hand: those of both halves are not known.
    """
    if not isinstance(attribute, NumericAttribute):
        message = (
            f"Attribute {attribute.name!r} is nominal: its bins are categories and have no cuts. Name a numeric one."
        )
        raise SchemeError(message)
    chosen = checked_cuts(cuts, f"attribute {attribute.name!r}")
    counts = _joined_counts(attribute, chosen)
    edited = replace(attribute, cuts=chosen, class_counts=counts, edited=True)
    return with_scores_of_counts(edited, criterion)


def with_scores_of_counts(attribute: AnyAttribute, criterion: str) -> AnyAttribute:
    """Return the attribute with the relevance that its counts give; scores that follow from no counts are 0.

    How sure the cuts are follows from no counts of bins, and is not known any more.
    """
    intervals = attribute.class_counts
    if isinstance(attribute, NumericAttribute):
        intervals = intervals[: len(attribute.cuts) + 1]
        attribute = replace(attribute, p_values=(), expected_losses=())
    relevance = _mutual_information(intervals) if attribute.is_counted else 0.0
    score = relevance if criterion == "relevance" else 0.0
    return replace(attribute, score=score, relevance=relevance, divergence=0.0)


def without_unknown_rows(attribute: AnyAttribute) -> AnyAttribute:
    """Return the attribute for a picture: without rows if those of some bin are not known."""
    if attribute.is_counted:
        return attribute
    nothing = tuple(0 for _ in attribute.missing_by_class)
    return replace(attribute, class_counts=(nothing,) * attribute.n_bins, missing_by_class=nothing)


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


def _joined_counts(attribute: NumericAttribute, cuts: Sequence[float]) -> Counts:
    """Return the counts of the bins between cuts; not known on both sides of a new one."""
    old = attribute.cuts
    known = set(old)
    ends = [bisect_left(old, cut) + 1 if cut in known else None for cut in cuts]
    edges = [0, *ends, len(old) + 1]
    unknown = (math.nan,) * len(attribute.missing_by_class)
    joined = [
        unknown if start is None or end is None else _added(attribute.class_counts[start:end])
        for start, end in itertools.pairwise(edges)
    ]
    return (*joined, *attribute.class_counts[len(old) + 1 :])


def _added(counts: Counts) -> tuple[float, ...]:
    totals = tuple(map(sum, zip(*counts, strict=True)))
    # One object for what is not known, so that equal schemes are equal.
    return (math.nan,) * len(totals) if any(map(math.isnan, totals)) else totals


def _mutual_information(counts: Counts) -> float:
    """Return what bins tell of the class, in bits."""
    rows, by_class = [sum(row) for row in counts], _added(counts)
    total = sum(rows)
    terms = (
        count * kernels.elementary.log2(count * total / (rows[b] * by_class[c]))
        for b, row in enumerate(counts)
        for c, count in enumerate(row)
        if count
    )
    return max(math.fsum(terms) / total, 0.0) if total else 0.0
