"""The event: the class that rates, weights of evidence and trends are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.table.frames import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme.attribute import Attribute, Category

MOST_CLASSES_TOLD = 20


def place_of_event(event: Any, classes: Sequence[Any]) -> int:
    """Return the place of an event among the classes, or raise ValueError if it is none of them.

    Examples
    --------
    >>> place_of_event("bad", ["bad", "good"])
    0
    """
    labels = list(classes)
    try:
        return labels.index(event)
    except ValueError:
        listed = ", ".join(map(repr, labels[:MOST_CLASSES_TOLD])) + (", …" if len(labels) > MOST_CLASSES_TOLD else "")
        hint = did_you_mean(event, [label for label in labels if isinstance(label, str)])
        raise ValueError(f"The event {event!r} is none of the classes, which are {listed}.{hint}") from None


def rarer_class(totals: Sequence[float]) -> int:
    """Return the place of the rarer of two classes; of equal ones, that of the second.

    Examples
    --------
    >>> rarer_class([200, 800]), rarer_class([5, 5])
    (0, 1)
    """
    return int(totals[1] <= totals[0])


def default_event(classes: Sequence[Category], attributes: Sequence[Attribute]) -> Category | None:
    """Return the rarer of two classes in the counts of a scheme; None unless there are two."""
    if len(classes) != 2:
        return None
    counted = next((attribute for attribute in attributes if attribute.is_counted), None)
    if counted is None:
        return classes[1]
    rows = [*counted.class_counts, counted.missing_by_class]
    return classes[rarer_class([sum(row[k] for row in rows if len(row) == 2) for k in (0, 1)])]
