"""The bins of a scheme with the counts of other rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cutwise.counting import ALL_ROWS
from cutwise.errors import SchemeError
from cutwise.scheme.by_hand import with_scores_of_counts
from cutwise.stability.sample import count_sample

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutwise.scheme import Attribute, Scheme
    from cutwise.stability.sample import Counted


def recounted(scheme: Scheme, X: Any, y: Any, sample_weight: Any) -> Scheme:
    """Return the scheme with the counts of these rows; see `Scheme.recount`."""
    if y is None and scheme.classes != (ALL_ROWS,):
        message = (
            f"The scheme counts rows by class ({', '.join(map(repr, scheme.classes[:5]))}). "
            "Give the classes of the rows: recount(X, y)."
        )
        raise SchemeError(message)
    if scheme.classes == (ALL_ROWS,):
        y = None
    counted = count_sample(scheme, X, y, sample_weight)
    pairs = zip(scheme.attributes, counted, strict=True)
    return replace(scheme, attributes=tuple(_recounted(*pair, scheme.criterion) for pair in pairs))


def _recounted(attribute: Attribute, counted: Counted, criterion: str) -> Attribute:
    *bins, missing, unseen = counted.counts.tolist()
    counts = tuple(map(_whole, bins))
    without_value = _whole([sum(pair) for pair in zip(missing, unseen, strict=True)])
    if (counts, without_value) == (attribute.class_counts, attribute.missing_by_class):
        return attribute
    return with_scores_of_counts(replace(attribute, class_counts=counts, missing_by_class=without_value), criterion)


def _whole(counts: Iterable[float]) -> tuple[float, ...]:
    """Return counts without weights as whole numbers."""
    return tuple(int(count) if count.is_integer() else count for count in counts)
