"""The bars of a picture: which classes they show, where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cutwise.report.colours import N_COLOURS
from cutwise.report.text import percent, shortened
from cutwise.scheme.visible import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import Attribute

APART_GAP = 26.0
MANY_BARS = 30
THINNEST = 2.0


class Group(NamedTuple):
    """A class, or all those that share the last colour."""

    label: str
    places: tuple[int, ...]
    colour: str


@dataclass(frozen=True)
class Bar:
    """One bar: a bin, or the rows without a value."""

    label: str
    counts: tuple[float, ...]
    left: float
    width: float
    is_apart: bool = False

    @property
    def rows(self) -> float:
        """All the rows of the bar."""
        return sum(self.counts)

    @property
    def centre(self) -> float:
        """The middle of the bar."""
        return self.left + self.width / 2


def class_colours(attribute: Attribute) -> list[str]:
    """Return the colour of each class: the eight largest have their own, the rest share one."""
    totals = [sum(column) for column in zip(*attribute.class_counts, attribute.missing_by_class, strict=True)]
    largest = sorted(range(len(totals)), key=lambda place: -totals[place])[:N_COLOURS]
    numbers = {place: str(number) for number, place in enumerate(sorted(largest), 1)}
    return [numbers.get(place, "other") for place in range(len(totals))]


def group_classes(attribute: Attribute, classes: Sequence[object]) -> list[Group]:
    """Return the classes that have their own colour, then the others as one group."""
    colours = class_colours(attribute)
    groups = [
        Group(str(label), (place,), colour)
        for place, (label, colour) in enumerate(zip(classes, colours, strict=True))
        if colour != "other"
    ]
    rest = tuple(place for place, colour in enumerate(colours) if colour == "other")
    if rest:
        groups.append(Group(f"other ({counted(len(rest), 'class')})", rest, "other"))
    return groups


def place_bars(attribute: Attribute, groups: Sequence[Group], left: float, right: float) -> list[Bar]:
    """Return the bars from left to right, as wide as their share of the rows."""
    n_missing = sum(attribute.missing_by_class)
    counts = [*attribute.class_counts, *([attribute.missing_by_class] if n_missing else [])]
    labels = [*attribute.labels, *(["missing"] if n_missing else [])]
    gap = 2.0 if len(counts) <= MANY_BARS else 0.0
    n_ordinary = attribute.n_bins - len(getattr(attribute, "special_values", ()))
    extra = APART_GAP if len(counts) > n_ordinary else 0.0
    thinnest = THINNEST if len(counts) <= MANY_BARS else 0.0
    widths = _widths([sum(row) for row in counts], right - left - gap * (len(counts) - 1) - extra, thinnest)
    bars = []
    for place, (label, row, width) in enumerate(zip(labels, counts, widths, strict=True)):
        start = left + (extra if place == n_ordinary else 0.0)
        grouped = tuple(sum(row[k] for k in group.places) for group in groups)
        bars.append(Bar(label, grouped, start, width, place >= n_ordinary))
        left = start + width + gap
    return bars


def _widths(rows: Sequence[float], space: float, thinnest: float) -> list[float]:
    """Share the space by rows; bars too thin to be seen take a little from the others."""
    total = sum(rows)
    widths = [max(space * n / total if total else space / len(rows), thinnest) for n in rows]
    surplus = sum(widths) - space
    spare = sum(width - thinnest for width in widths)
    return [width - surplus * (width - thinnest) / spare if spare else width for width in widths]


def bar_text(bar: Bar, groups: Sequence[Group], total: float) -> str:
    """Return what a bar shows, in words."""
    rates = ", ".join(
        f"{shortened(group.label, 40)} {percent(count, bar.rows)}"
        for group, count in zip(groups, bar.counts, strict=True)
    )
    return f"{shortened(bar.label, 60)}: {counted(bar.rows, 'row')} ({percent(bar.rows, total)}); {rates}"
