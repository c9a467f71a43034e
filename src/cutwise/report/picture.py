"""One attribute as a picture: a bar for each bin, as wide as its rows, stacked by class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.report.bars import MANY_BARS, Bar, Group, bar_text, group_classes, place_bars
from cutwise.report.colours import PICTURE_STYLE
from cutwise.report.labels import Label, LabelRow, arrange
from cutwise.report.markup import Markup, joined, tag
from cutwise.report.text import round_percent, shortened, text_width
from cutwise.scheme import NumericAttribute
from cutwise.scheme.attribute import number_text
from cutwise.scheme.visible import counted, rows_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import Attribute

WIDTH = 720.0
EDGE = 20.0
LEFT = 66.0
RIGHT = WIDTH - 24.0
BAR_HEIGHT = 176.0
LEGEND_TOP = 82.0
LEGEND_LINE = 22.0


def attribute_picture(attribute: Attribute, classes: Sequence[object], *, style: bool = True) -> str:
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
    bars = place_bars(attribute, groups, LEFT, RIGHT)
    legend, legend_bottom = _legend(groups)
    above, below = _row_labels(bars), _bin_labels(attribute, bars)
    top = legend_bottom + 4 + above.height
    bottom = top + BAR_HEIGHT
    height = bottom + below.height + 16
    captions = [] if len(bars) > MANY_BARS else _captions(attribute, top, bottom)
    return tag(
        "svg",
        tag("title", f"{shortened(attribute.name)}: relevance {attribute.relevance:.4f} bits"),
        tag("desc", _description(attribute, bars, groups)),
        *([tag("style", PICTURE_STYLE)] if style else []),
        tag("rect", class_="paper", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=8.0),
        *_heading(attribute),
        legend,
        _scale(top),
        *captions,
        above.draw(top, -1),
        _bars(bars, groups, top),
        below.draw(bottom, 1),
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


def _legend(groups: Sequence[Group]) -> tuple[Markup, float]:
    """Return a square and a name for each class, in as many lines as needed, and where they end."""
    x, y, parts = EDGE, LEGEND_TOP, []
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


def _row_labels(bars: Sequence[Bar]) -> LabelRow:
    """Return the number of rows over each bar, with their share if there is room."""
    if len(bars) > MANY_BARS:
        return arrange([], LEFT, RIGHT)
    total = sum(bar.rows for bar in bars)
    styles = ["soft" if bar.is_apart else "strong" for bar in bars]
    pairs = list(zip(bars, styles, strict=True))
    full = [
        Label(bar.centre, f"{rows_text(bar.rows)} ({round_percent(bar.rows / total)})", style)
        for bar, style in pairs
        if total
    ]
    row = arrange(full, LEFT - 12, RIGHT + 16)
    if full and not row.tilted:
        return row
    return arrange([Label(bar.centre, f"{rows_text(bar.rows)}", style) for bar, style in pairs], LEFT - 12, RIGHT)


def _bin_labels(attribute: Attribute, bars: Sequence[Bar]) -> LabelRow:
    """Return what stands under the bars: cuts and the ends of the values, or categories."""
    if len(bars) > MANY_BARS:
        return arrange([], LEFT, RIGHT)
    bins = [bar for bar in bars if not bar.is_apart]
    if isinstance(attribute, NumericAttribute):
        labels = _cut_labels(attribute, bins)
    else:
        labels = [Label(bar.centre, shortened(bar.label, 28)) for bar in bins]
    labels += [Label(bar.centre, shortened(bar.label, 28), "soft") for bar in bars if bar.is_apart]
    return arrange(labels, LEFT - 8, RIGHT + 16)


def _cut_labels(attribute: NumericAttribute, bins: Sequence[Bar]) -> list[Label]:
    labels = [
        Label(bar.left - 1, number_text(cut), is_whole=True) for bar, cut in zip(bins[1:], attribute.cuts, strict=True)
    ]
    if attribute.minimum is None or attribute.maximum is None:
        return labels
    first = Label(bins[0].left, f"min {attribute.minimum:.4g}", "soft")
    last = Label(bins[-1].left + bins[-1].width, f"max {attribute.maximum:.4g}", "soft")
    return [first, *labels, last]


def _bars(bars: Sequence[Bar], groups: Sequence[Group], top: float) -> Markup:
    if len(bars) > MANY_BARS:
        return _many_bars(bars, groups, top)
    total = sum(bar.rows for bar in bars)
    return joined(
        [tag("g", tag("title", bar_text(bar, groups, total)), *_parts(bar, groups, top)) for bar in bars],
    )


def _parts(bar: Bar, groups: Sequence[Group], top: float) -> list[Markup]:
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
        if height >= 16 and bar.width >= 36:
            style = f"share on-{group.colour}"
            parts.append(tag("text", round_percent(share), class_=style, x=bar.centre, y=y + drawn / 2 + 4))
        y += height
    return parts


def _many_bars(bars: Sequence[Bar], groups: Sequence[Group], top: float) -> Markup:
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


def _description(attribute: Attribute, bars: Sequence[Bar], groups: Sequence[Group]) -> str:
    total = sum(bar.rows for bar in bars)
    head = (
        f"{counted(attribute.n_bins, 'bin')} of a {attribute.kind} attribute. "
        "The width of a bar is its share of the rows, its parts are the shares of the classes."
    )
    if len(bars) > MANY_BARS:
        return head
    return " ".join([head, *(bar_text(bar, groups, total) + "." for bar in bars)])
