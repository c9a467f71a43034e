"""From measures to words.

A change counts only if it is both large and beyond chance. Beyond chance: its p-value is below 1 %
divided by the number of tests, so that of a hundred schemes that hold about one is said to have changed,
however many attributes there are. Large: see the limits below.
"""

from __future__ import annotations

STABLE = "stable"
A_LITTLE = "shifted a little"
SHIFTED = "shifted"
CLASSES_CHANGED = "class rates changed"
TOO_FEW = "too few rows to tell"
NOTHING_TO_COMPARE = "no training counts"

LEVEL = 0.01
SMALL_INDEX = 0.1
LARGE_INDEX = 0.25
LARGE_CLASS_CHANGE = 0.1


def index_beyond_chance(index: float, divergence: float, by_chance: float) -> float:
    """Return the part of a stability index that chance does not explain.

    It is the part of the Jensen-Shannon divergence beyond its mean by chance.
    """
    return index * max(1.0 - by_chance / divergence, 0.0) if divergence > 0 else 0.0


def shift_verdict(
    index: float, divergence: float, by_chance: float, p_value: float, level: float, *, enough: bool
) -> str:
    """Return whether the rows moved between the bins; `enough` says whether there are rows enough to tell."""
    beyond = index_beyond_chance(index, divergence, by_chance)
    if p_value < level and beyond >= SMALL_INDEX:
        return SHIFTED if beyond >= LARGE_INDEX else A_LITTLE
    return STABLE if enough else TOO_FEW


def class_verdict(change: float, p_value: float, level: float) -> str | None:
    """Return CLASSES_CHANGED if the class rates within the bins changed, else None."""
    return CLASSES_CHANGED if p_value < level and change >= LARGE_CLASS_CHANGE else None


def joined_verdict(shift: str, classes: str | None) -> str:
    """Return both verdicts as one text; a change is said, its absence not.

    Examples
    --------
    >>> joined_verdict("stable", "class rates changed"), joined_verdict("shifted", "class rates changed")
    ('class rates changed', 'shifted, class rates changed')
    """
    if classes is None:
        return shift
    return classes if shift in (STABLE, TOO_FEW) else f"{shift}, {classes}"
