"""One attribute as a picture: a bar for each bin, as wide as its rows, stacked by class."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from cutwise.report.bars import MANY_BARS, PICTURE_STYLE, BinBar, ClassGroup, bar_text, group_classes, place_bars
from cutwise.report.markup import Markup, joined, number_words, round_percent, shortened, tag, text_width
from cutwise.scheme import NumericAttribute
from cutwise.scheme.text import counted, rows_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import Attribute


WIDTH = 720.0
EDGE = 20.0
LEFT = 66.0
RIGHT = WIDTH - 24.0
# Where bars end if a scale of rates stands beside them.
RATE_RIGHT = WIDTH - 66.0
BAR_HEIGHT = 176.0
LEGEND_TOP = 82.0
LEGEND_LINE = 22.0


def attribute_picture(
    attribute: Attribute, classes: Sequence[object], *, style: bool = True, event: int | None = None
) -> str:
    """Return an attribute of a scheme as an SVG image.

    Each bar is a bin: its width is the share of the rows, its parts are the shares of the
    classes. The rows are written over the bars, the cuts under the gaps between them.

    Parameters
    ----------
    attribute : Attribute
    classes : sequence
        The class labels of the scheme. Of more than eight, the smallest become "other".
    style : bool, default=True
        Whether the image brings its colours; a page with many of them needs them once.
    event : int, optional
        The place of a class whose rate is drawn as a line over the bars, with a scale of its own on the right;
        categories are then in the order of that rate.

    Returns
    -------
    str
        The image: no scripts, no links, for light and dark pages.

    Examples
    --------
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> scheme = MRmDDiscretizer().fit(X, y).scheme_
    >>> attribute_picture(scheme["x0"], scheme.classes)[:4]
    '<svg'
    """
    groups = group_classes(attribute, classes)
    right = RIGHT if event is None else RATE_RIGHT
    bars = place_bars(attribute, groups, LEFT, right, event)
    legend, legend_bottom = class_legend(groups, LEGEND_TOP)
    above, below = _row_labels(bars, right), _bin_labels(attribute, bars, right)
    top = legend_bottom + 4 + above.height
    bottom = top + BAR_HEIGHT
    height = bottom + below.height + 16
    captions = [] if len(bars) > MANY_BARS else _captions(attribute, top, bottom)
    return framed_picture(
        height,
        [
            tag("title", f"{shortened(attribute.name)}: relevance {attribute.relevance:.4f} bits"),
            tag("desc", _description(attribute, bars, groups)),
            *([tag("style", PICTURE_STYLE)] if style else []),
        ],
        *_heading(attribute),
        legend,
        _scale(top),
        *captions,
        above.draw(top, -1),
        _bars(bars, groups, top, has_line=event is not None),
        *([] if event is None else [_rate_line(bars, classes[event], top)]),
        below.draw(bottom, 1),
    )


def framed_picture(height: float, head: Sequence[Markup], *children: Markup) -> Markup:
    """Return an SVG image of the common width: title, words and style, then the paper and what is drawn on it."""
    return tag(
        "svg",
        *head,
        tag("rect", class_="paper", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=8.0),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        class_="cutwise",
        role="img",
        viewBox=f"0 0 {WIDTH:.0f} {height:.0f}",
        width=round(WIDTH),
        height=round(height),
    )


def _heading(attribute: Attribute) -> list[Markup]:
    rows = sum(attribute.rows)
    n_missing = sum(attribute.missing_by_class)
    facts = [attribute.kind, counted(attribute.n_bins, "bin"), counted(rows, "row")]
    facts += [f"{n_missing:,} missing"] if n_missing else []
    return [
        tag("text", shortened(attribute.name, 64), class_="name", x=EDGE, y=35.0),
        tag("text", " · ".join([f"relevance {attribute.relevance:.4f} bits", *facts]), class_="soft", x=EDGE, y=56.0),
    ]


def class_legend(groups: Sequence[ClassGroup], top: float) -> tuple[Markup, float]:
    """Return a square and a name for each class, in as many lines as needed, and where they end."""
    x, y, parts = EDGE, top, []
    for group in groups:
        label = shortened(group.label, 40)
        width = 18 + text_width(label, 12) + 20
        if x > EDGE and x + width > WIDTH - EDGE:
            x, y = EDGE, y + LEGEND_LINE
        parts.append(tag("rect", class_=f"fill-{group.colour}", x=x, y=y - 10, width=12.0, height=12.0, rx=2.0))
        parts.append(tag("text", label, x=x + 18, y=y))
        x += width
    return joined(parts), y + 10


def _scale(top: float) -> Markup:
    """Return the scale of class shares, left of the bars."""
    marks = [(0.0, "100%"), (0.5, "50%"), (1.0, "0%")]
    lines = "".join(f"M{LEFT - 6:.0f} {top + part * BAR_HEIGHT:.1f}h4" for part, _ in marks)
    texts = [
        tag("text", text, class_="soft", x=LEFT - 10, y=top + part * BAR_HEIGHT + 4, text_anchor="end")
        for part, text in marks
    ]
    return joined([tag("path", class_="lines", d=lines), *texts])


def _captions(attribute: Attribute, top: float, bottom: float) -> list[Markup]:
    under = "cuts" if isinstance(attribute, NumericAttribute) else "bins"
    return [
        tag("text", "rows", class_="soft", x=EDGE, y=top - 16),
        tag("text", under, class_="soft", x=EDGE, y=bottom + 24),
    ]


def _row_labels(bars: Sequence[BinBar], right: float) -> LabelRow:
    """Return the number of rows over each bar, with their share if there is room."""
    if len(bars) > MANY_BARS:
        return arrange([], LEFT, right)
    total = sum(bar.rows for bar in bars)
    styles = ["soft" if bar.is_apart else "strong" for bar in bars]
    pairs = list(zip(bars, styles, strict=True))
    full = [
        PlacedLabel(bar.centre, f"{rows_text(bar.rows)} ({round_percent(bar.rows / total)})", style)
        for bar, style in pairs
        if total
    ]
    row = arrange(full, LEFT - 12, right + 16)
    if full and not row.tilted:
        return row
    return arrange([PlacedLabel(bar.centre, f"{rows_text(bar.rows)}", style) for bar, style in pairs], LEFT - 12, right)


def _bin_labels(attribute: Attribute, bars: Sequence[BinBar], right: float) -> LabelRow:
    """Return what stands under the bars: cuts and the ends of the values, or categories."""
    if len(bars) > MANY_BARS:
        return arrange([], LEFT, right)
    bins = [bar for bar in bars if not bar.is_apart]
    if isinstance(attribute, NumericAttribute):
        labels = _cut_labels(attribute, bins)
    else:
        labels = [PlacedLabel(bar.centre, shortened(bar.label, 28)) for bar in bins]
    labels += [PlacedLabel(bar.centre, shortened(bar.label, 28), "soft") for bar in bars if bar.is_apart]
    return arrange(labels, LEFT - 8, right + 16)


def _cut_labels(attribute: NumericAttribute, bins: Sequence[BinBar]) -> list[PlacedLabel]:
    labels = [
        PlacedLabel(bar.left - 1, number_words(cut), is_whole=True)
        for bar, cut in zip(bins[1:], attribute.cuts, strict=True)
    ]
    if attribute.minimum is None or attribute.maximum is None:
        return labels
    first = PlacedLabel(bins[0].left, f"min {short_number(attribute.minimum)}", "soft")
    last = PlacedLabel(bins[-1].left + bins[-1].width, f"max {short_number(attribute.maximum)}", "soft")
    return [first, *labels, last]


def short_number(number: float) -> str:
    """Return a number in four digits, whole ones in all of theirs up to fifteen.

    Examples
    --------
    >>> short_number(260129.847), short_number(0.12345), short_number(1e300)
    ('260,130', '0.1235', '1e+300')
    """
    if 1e4 <= abs(number) < 1e15:
        return f"{number:,.0f}"
    return f"{number:.4g}"


def _bars(bars: Sequence[BinBar], groups: Sequence[ClassGroup], top: float, *, has_line: bool) -> Markup:
    if len(bars) > MANY_BARS:
        return _many_bars(bars, groups, top)
    total = sum(bar.rows for bar in bars)
    return joined(
        [
            tag("g", tag("title", bar_text(bar, groups, total)), *_parts(bar, groups, top, has_shares=not has_line))
            for bar in bars
        ],
    )


# The tops that a scale of rates may have.
RATE_TOPS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


def rate_top(rates: Sequence[float]) -> float:
    """Return where a scale of rates ends: the first round number that none of them exceeds.

    Examples
    --------
    >>> rate_top([0.02, 0.17]), rate_top([])
    (0.2, 1.0)
    """
    highest = max(rates, default=1.0)
    return next((top for top in RATE_TOPS if highest <= top), 1.0)


def _rate_line(bars: Sequence[BinBar], event: object, top: float) -> Markup:
    """Return the rate of the event as a line over the bars, and its scale on the right."""
    rates = [(bar, bar.rate) for bar in bars if bar.rate is not None]
    most = rate_top([rate for _, rate in rates])
    points = [(bar.centre, top + BAR_HEIGHT * (1 - rate / most), bar.is_apart, rate) for bar, rate in rates]
    joint = "L".join(f"{x:.1f} {y:.1f}" for x, y, is_apart, _ in points if not is_apart)
    line = f"M{joint}" if joint else ""
    parts = [tag("path", class_=style, d=line) for style in ("rate-back", "rate-line")]
    if len(bars) <= MANY_BARS:
        parts += [tag("circle", class_="rate-dot", cx=x, cy=y, r=4.0) for x, y, _, _ in points]
        parts += _rate_labels(points, top)
    scale = [
        tag("text", percent_text(share * most), class_="soft", x=RATE_RIGHT + 8, y=top + BAR_HEIGHT * (1 - share) + 4)
        for share in (0.0, 0.5, 1.0)
    ]
    name = f"line: rate of {shortened(event, 24)}, right scale"
    return joined([*parts, *scale, tag("text", name, class_="soft", x=RIGHT, y=56.0, text_anchor="end")])


def _rate_labels(points: Sequence[tuple[float, float, bool, float]], top: float) -> list[Markup]:
    """Return the rates beside their points, where neighbours leave room for them."""
    labels: list[Markup] = []
    taken = -math.inf
    for x, y, _, rate in points:
        text = percent_text(rate)
        half = text_width(text, 12) / 2
        if x - half < taken:
            continue
        taken = x + half + 2
        labels.append(tag("text", text, class_="rate", x=x, y=y - 9 if y - 9 > top + 12 else y + 19))
    return labels


def percent_text(share: float) -> str:
    """Return a share with one decimal, without it where that is 0.

    Examples
    --------
    >>> percent_text(0.2), percent_text(0.072)
    ('20%', '7.2%')
    """
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def _parts(bar: BinBar, groups: Sequence[ClassGroup], top: float, *, has_shares: bool) -> list[Markup]:
    """Return the parts of a bar, the first class at the top, with their shares where there is room."""
    if not bar.rows:
        return [tag("rect", class_="empty", x=bar.left, y=top, width=bar.width, height=BAR_HEIGHT)]
    parts, y = [], top
    for group, count in zip(groups, bar.counts, strict=True):
        share = count / bar.rows
        height = share * BAR_HEIGHT
        # A fine line of the background parts the colours.
        drawn = height - 1 if height > 3 else height
        if count:
            parts.append(
                tag("rect", class_=f"fill-{group.colour}", x=bar.left, y=y, width=bar.width, height=drawn),
            )
        if has_shares and height >= 16 and bar.width >= 36:
            style = f"share on-{group.colour}"
            parts.append(tag("text", round_percent(share), class_=style, x=bar.centre, y=y + drawn / 2 + 4))
        y += height
    return parts


def _many_bars(bars: Sequence[BinBar], groups: Sequence[ClassGroup], top: float) -> Markup:
    """Return one shape for each class: thousands of bars stay a small file."""
    shapes: list[list[str]] = [[] for _ in groups]
    for bar in bars:
        y = top
        for shape, count in zip(shapes, bar.counts, strict=True):
            height = count / bar.rows * BAR_HEIGHT if bar.rows else 0.0
            if count:
                shape.append(f"M{bar.left:.2f} {y:.2f}h{bar.width:.2f}v{height:.2f}h{-bar.width:.2f}z")
            y += height
    return joined(
        [
            tag("path", class_=f"fill-{group.colour}", d="".join(shape))
            for group, shape in zip(groups, shapes, strict=True)
        ],
    )


def _description(attribute: Attribute, bars: Sequence[BinBar], groups: Sequence[ClassGroup]) -> str:
    total = sum(bar.rows for bar in bars)
    head = (
        f"{counted(attribute.n_bins, 'bin')} of a {attribute.kind} attribute. "
        "The width of a bar is its share of the rows, its parts are the shares of the classes."
    )
    if len(bars) > MANY_BARS:
        return head
    return " ".join([head, *(bar_text(bar, groups, total) + "." for bar in bars)])


SIZE = 12.0
SPACE = 9.0
LINE = 16.0
TILT = 60
LEADER = 12.0
LONGEST = 16
FARTHEST = 48.0


@dataclass(frozen=True)
class PlacedLabel:
    """A string that belongs to the point `at`; a number is shown whole, other strings may be shortened."""

    at: float
    text: str
    style: str = "strong"
    is_whole: bool = False

    @property
    def short_text(self) -> str:
        """The text as it stands where there is little room."""
        return self.text if self.is_whole else shortened(self.text, LONGEST)


@dataclass(frozen=True)
class LabelRow:
    """Labels and where they stand."""

    labels: Sequence[PlacedLabel]
    places: Sequence[float]
    tilted: bool

    @property
    def height(self) -> float:
        """The room that the labels take over or under the bars."""
        if not self.labels:
            return 6.0
        longest = max(text_width(label.text, SIZE) for label in self.labels)
        return LEADER + (4 + longest * math.sin(math.radians(TILT)) + SIZE / 2 if self.tilted else 4 + SIZE)

    def draw(self, y: float, side: int) -> Markup:
        """Return lines and strings; side is -1 over the bars that begin at y, 1 under those that end there."""
        steps = [
            f"M{label.at:.1f} {y + side * 2:.1f}v{side * 3}L{place:.1f} {y + side * LEADER:.1f}"
            for label, place in zip(self.labels, self.places, strict=True)
        ]
        texts = [self._text(label, place, y, side) for label, place in zip(self.labels, self.places, strict=True)]
        return joined([tag("path", class_="lines", d="".join(steps)), *texts])

    def _text(self, label: PlacedLabel, x: float, y: float, side: int) -> Markup:
        if not self.tilted:
            base = y - LEADER - 4 if side < 0 else y + LEADER + SIZE
            return tag("text", label.text, class_=label.style, x=x, y=base, text_anchor="middle")
        base = y + side * (LEADER + 4)
        turn = f"rotate(-{TILT} {x + 4:.1f} {base:.1f})"
        anchor = "start" if side < 0 else "end"
        return tag("text", label.text, class_=label.style, x=x + 4, y=base, text_anchor=anchor, transform=turn)


def arrange(labels: Sequence[PlacedLabel], low: float, high: float) -> LabelRow:
    """Set labels side by side between two ends, tilted if they would stand too far from their points."""
    points = [label.at for label in labels]
    widths = [text_width(label.text, SIZE) + SPACE for label in labels]
    if sum(widths) <= high - low:
        places = spread(points, widths, low, high)
        if all(abs(place - point) <= FARTHEST for place, point in zip(places, points, strict=True)):
            return LabelRow(labels, places, tilted=False)
    short = [replace(label, text=label.short_text) for label in labels]
    return LabelRow(short, spread(points, [LINE] * len(labels), low, high), tilted=True)


def spread(points: Sequence[float], widths: Sequence[float], low: float, high: float) -> list[float]:
    """Return centres, as near to the points as they can be without an overlap.

    Neighbours that would overlap move apart as one block, whose mean stays in place.

    Examples
    --------
    >>> spread([10.0, 10.0, 90.0], [8.0, 8.0, 8.0], 0.0, 100.0)
    [6.0, 14.0, 90.0]
    """
    if not points:
        return []
    offsets = [0.0]
    for left, right in pairwise(widths):
        offsets.append(offsets[-1] + (left + right) / 2)
    blocks: list[list[float]] = []
    for point, offset in zip(points, offsets, strict=True):
        blocks.append([point - offset])
        while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    least, most = low + widths[0] / 2, high - widths[-1] / 2 - offsets[-1]
    bases = [min(max(_mean(block), least), most) for block in blocks for _ in block]
    return [base + offset for base, offset in zip(bases, offsets, strict=True)]


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
