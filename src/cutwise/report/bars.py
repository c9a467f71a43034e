"""The bars of a picture: which classes they show, where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cutwise.report.markup import Markup, grouped, percent, shortened
from cutwise.scheme import NumericAttribute
from cutwise.scheme.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import Attribute


APART_GAP = 26.0
MANY_BARS = 30
THINNEST = 2.0


class ClassGroup(NamedTuple):
    """A class, or all those that share the last colour."""

    label: str
    places: tuple[int, ...]
    colour: str


@dataclass(frozen=True)
class BinBar:
    """One bar: a bin, or the rows without a value."""

    label: str
    counts: tuple[float, ...]
    left: float
    width: float
    is_apart: bool = False
    events: float | None = None

    @property
    def rows(self) -> float:
        """All the rows of the bar."""
        return sum(self.counts)

    @property
    def centre(self) -> float:
        """The middle of the bar."""
        return self.left + self.width / 2

    @property
    def rate(self) -> float | None:
        """The share of the event; None without an event or without rows."""
        return self.events / self.rows if self.events is not None and self.rows else None


def class_colours(attribute: Attribute) -> list[str]:
    """Return the colour of each class: the eight largest have their own, the rest share one."""
    return colours_by_size(
        [sum(rows) for rows in zip(*attribute.class_counts, attribute.missing_by_class, strict=True)]
    )


def colours_by_size(totals: Sequence[float]) -> list[str]:
    """Return the colour of each class from the rows of each."""
    largest = sorted(range(len(totals)), key=lambda place: -totals[place])[:N_COLOURS]
    numbers = {place: str(number) for number, place in enumerate(sorted(largest), 1)}
    return [numbers.get(place, "other") for place in range(len(totals))]


def group_classes(attribute: Attribute, classes: Sequence[object]) -> list[ClassGroup]:
    """Return the classes that have their own colour, then the others as one group."""
    colours = class_colours(attribute)
    groups = [
        ClassGroup(str(label), (place,), colour)
        for place, (label, colour) in enumerate(zip(classes, colours, strict=True))
        if colour != "other"
    ]
    rest = tuple(place for place, colour in enumerate(colours) if colour == "other")
    if rest:
        groups.append(ClassGroup(f"other ({counted(len(rest), 'class')})", rest, "other"))
    return groups


def page_labels(attribute: Attribute) -> Sequence[str]:
    """Return the labels of the bins, intervals with separators of thousands."""
    return [*map(grouped, attribute.labels)] if isinstance(attribute, NumericAttribute) else attribute.labels


def bin_order(attribute: Attribute, event: int | None) -> list[int]:
    """Return the order in which bins are shown: categories by the rate of the event, the highest first.

    Those without rows come last. Intervals, and categories without an event, keep their order.
    """
    if event is None or isinstance(attribute, NumericAttribute) or not attribute.is_counted:
        return list(range(attribute.n_bins))

    def by_rate(place: int) -> float:
        row = attribute.class_counts[place]
        return -row[event] / sum(row) if sum(row) else 1.0

    return sorted(range(attribute.n_bins), key=by_rate)


def place_bars(
    attribute: Attribute, groups: Sequence[ClassGroup], left: float, right: float, event: int | None = None
) -> list[BinBar]:
    """Return the bars from left to right, as wide as their share of the rows."""
    n_missing = sum(attribute.missing_by_class)
    order, all_labels = bin_order(attribute, event), page_labels(attribute)
    counts = [*(attribute.class_counts[b] for b in order), *([attribute.missing_by_class] if n_missing else [])]
    labels = [*(all_labels[b] for b in order), *(["missing"] if n_missing else [])]
    gap = 2.0 if len(counts) <= MANY_BARS else 0.0
    n_ordinary = attribute.n_bins - len(getattr(attribute, "special_values", ()))
    extra = APART_GAP if len(counts) > n_ordinary else 0.0
    thinnest = THINNEST if len(counts) <= MANY_BARS else 0.0
    widths = _widths([sum(row) for row in counts], right - left - gap * (len(counts) - 1) - extra, thinnest)
    bars = []
    for place, (label, row, width) in enumerate(zip(labels, counts, widths, strict=True)):
        start = left + (extra if place == n_ordinary else 0.0)
        by_group = tuple(sum(row[k] for k in group.places) for group in groups)
        events = None if event is None else row[event]
        bars.append(BinBar(label, by_group, start, width, place >= n_ordinary, events))
        left = start + width + gap
    return bars


def _widths(rows: Sequence[float], space: float, thinnest: float) -> list[float]:
    """Share the space by rows; bars too thin to be seen take a little from the others."""
    total = sum(rows)
    widths = [max(space * n / total if total else space / len(rows), thinnest) for n in rows]
    surplus = sum(widths) - space
    spare = sum(width - thinnest for width in widths)
    return [width - surplus * (width - thinnest) / spare if spare else width for width in widths]


def bar_text(bar: BinBar, groups: Sequence[ClassGroup], total: float) -> str:
    """Return what a bar shows, in words."""
    rates = ", ".join(
        f"{shortened(group.label, 40)} {percent(count, bar.rows)}"
        for group, count in zip(groups, bar.counts, strict=True)
    )
    return f"{shortened(bar.label, 60)}: {counted(bar.rows, 'row')} ({percent(bar.rows, total)}); {rates}"


N_COLOURS = 8

_LIGHT_BASE = {
    "paper": "#fff",
    "ink": "#1f2328",
    "soft": "#59636e",
    "line": "#d1d9e0",
    "other": "#9aa4ae",
    "rate": "#a4133c",
}
_DARK_BASE = {
    "paper": "#151b23",
    "ink": "#f0f6fc",
    "soft": "#9da7b3",
    "line": "#3d444d",
    "other": "#7d8792",
    "rate": "#ff8fa3",
}
# The hues of Okabe and Ito, which people with any kind of colour vision can tell apart.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#d9c916", "#882255")
_DARK = ("#3d9be0", "#f2b134", "#2dbd93", "#e29cc3", "#92d3f7", "#ee8347", "#f1e564", "#c46a99")
_LIGHT_INK = ("#fff", "#1f1500", "#00170f", "#24101b", "#06202f", "#1a0a00", "#1d1b00", "#fff")
_DARK_INK = ("#06131d", "#1f1500", "#03190f", "#24101b", "#06202f", "#210c00", "#1d1b00", "#1c0811")


def _variables(base: dict[str, str], colours: tuple[str, ...], inks: tuple[str, ...]) -> str:
    named = {str(number): colour for number, colour in enumerate(colours, 1)}
    on_named = {f"on-{number}": ink for number, ink in enumerate(inks, 1)}
    pairs = {**base, "on-other": "#111", **named, **on_named}
    return "".join(f"--cutwise-{name}:{colour};" for name, colour in pairs.items())


def _fills() -> str:
    names = [*map(str, range(1, N_COLOURS + 1)), "other"]
    return "".join(
        f".cutwise .fill-{name}{{fill:var(--cutwise-{name})}}.cutwise .on-{name}{{fill:var(--cutwise-on-{name})}}"
        for name in names
    )


_RULES = """
.cutwise text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif;
font-size:12px;fill:var(--cutwise-ink);font-variant-numeric:tabular-nums}
.cutwise .paper{fill:var(--cutwise-paper);stroke:var(--cutwise-line)}
.cutwise .name{font-size:17px;font-weight:600}
.cutwise .soft{fill:var(--cutwise-soft)}
.cutwise .strong{font-weight:600}
.cutwise .share{font-size:12px;font-weight:500;text-anchor:middle}
.cutwise .lines{fill:none;stroke:var(--cutwise-soft);stroke-width:1;stroke-linejoin:round}
.cutwise .rate-back{fill:none;stroke:var(--cutwise-paper);stroke-width:5;stroke-linejoin:round}
.cutwise .rate-line{fill:none;stroke:var(--cutwise-rate);stroke-width:2;stroke-linejoin:round}
.cutwise .dashed{stroke-dasharray:5 4}
.cutwise .rate-dot{fill:var(--cutwise-rate);stroke:var(--cutwise-paper);stroke-width:1.5}
.cutwise .rate{fill:var(--cutwise-rate);font-weight:600;text-anchor:middle;
stroke:var(--cutwise-paper);stroke-width:4px;paint-order:stroke}
.cutwise .empty{fill:none;stroke:var(--cutwise-soft);stroke-dasharray:2 2}
"""

_COLOURS = (
    f":root{{{_variables(_LIGHT_BASE, COLOURS, _LIGHT_INK)}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_variables(_DARK_BASE, _DARK, _DARK_INK)}}}}}"
)
PICTURE_STYLE = Markup(_COLOURS + _RULES.replace("\n", "") + _fills())
