"""The scores of a column's bins as a picture: steps with bands, and under them the rows of the bins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.report.bars import APART_GAP, ClassGroup
from cutwise.report.markup import Markup, joined, shortened, tag
from cutwise.report.picture import EDGE, LEFT, RIGHT, LabelRow, PlacedLabel, arrange, class_legend, framed_picture
from cutwise.report.plots import short_numbers
from cutwise.report.shapes import ERRORS
from cutwise.scheme.text import counted, rows_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

LEGEND_TOP = 30.0
PLOT_HEIGHT = 200.0
ROWS_HEIGHT = 32.0
ROWS_GAP = 12.0
MOST_LABELS = 20
# Of more bins only the lines are drawn, so that the file stays small.
MOST_HINTS = 200


@dataclass(frozen=True, eq=False)
class DrawnShape:
    """The bins of a column as they are drawn.

    Parameters
    ----------
    name : str
        The column.
    labels : sequence of str
        The bins.
    rows : ndarray of shape (n_bins,)
        Their training rows.
    scores : ndarray of shape (n_bins, n_classes)
    errors : ndarray of shape (n_bins,)
        The standard errors of the scores.
    n_ordered : int
        How many of the first bins are neighbours.
    cuts : sequence of float
        Between these, if they are intervals.
    """

    name: str
    labels: Sequence[str]
    rows: NDArray[np.float64]
    scores: NDArray[np.float64]
    errors: NDArray[np.float64]
    n_ordered: int
    cuts: Sequence[float] = ()

    @property
    def bins(self) -> NDArray[np.int64]:
        """The bins with something to show: ordered ones, and others that have rows."""
        return np.flatnonzero((np.arange(self.rows.size) < self.n_ordered) | (self.rows > 0))


@dataclass(frozen=True)
class Slot:
    """Where a bin stands."""

    bin: int
    left: float
    right: float

    @property
    def centre(self) -> float:
        """The middle of the slot."""
        return (self.left + self.right) / 2


@dataclass(frozen=True)
class ScoreScale:
    """Scores from low to high as heights from the bottom to the top of the plot."""

    low: float
    high: float
    top: float

    def y(self, score: float) -> float:
        """Return the height of a score; one beyond the ends is drawn at the end."""
        part = (min(max(score, self.low), self.high) - self.low) / (self.high - self.low)
        return self.top + PLOT_HEIGHT * (1.0 - part)


def shape_picture(shape: DrawnShape, groups: Sequence[ClassGroup]) -> Markup:
    """Return an SVG image of a shape.

    Parameters
    ----------
    shape : DrawnShape
    groups : sequence of ClassGroup
        The classes whose scores are drawn, one each.
    """
    slots = _slots(shape)
    legend, bottom = class_legend([group._replace(label=f"score of {group.label}") for group in groups], LEGEND_TOP)
    scale = _scale(shape, groups, bottom + 10)
    rows_top = scale.top + PLOT_HEIGHT + ROWS_GAP
    below = _labels(shape, slots)
    height = rows_top + ROWS_HEIGHT + below.height + 16
    return framed_picture(
        height,
        [tag("title", f"Scores of {shortened(shape.name)}"), tag("desc", _description(shape, groups))],
        legend,
        _ticks(scale),
        *(_curve(shape, group, slots, scale) for group in groups),
        *_rows(shape, slots, rows_top),
        below.draw(rows_top + ROWS_HEIGHT, 1),
        *_hints(shape, groups, slots, scale.top),
    )


def _slots(shape: DrawnShape) -> list[Slot]:
    """Return slots of one width, a gap between ordered bins and the others."""
    bins = shape.bins.tolist()
    gap = APART_GAP if 0 < shape.n_ordered < len(bins) else 0.0
    width = (RIGHT - LEFT - gap) / max(len(bins), 1)
    lefts = [LEFT + place * width + (gap if place >= shape.n_ordered else 0.0) for place in range(len(bins))]
    return [Slot(one, left, left + width) for one, left in zip(bins, lefts, strict=True)]


def _scale(shape: DrawnShape, groups: Sequence[ClassGroup], top: float) -> ScoreScale:
    """Return a scale that holds 0, all scores and their bands, unless these are far wider than the scores."""
    scores = shape.scores[shape.bins][:, [group.places[0] for group in groups]]
    low, high = min(scores.min(initial=0.0), 0.0), max(scores.max(initial=0.0), 0.0)
    reach = max(high - low, 1e-3)
    bands = ERRORS * shape.errors[shape.bins][:, None]
    low = max(min((scores - bands).min(initial=0.0), low), low - reach)
    high = min(max((scores + bands).max(initial=0.0), high), high + reach)
    return ScoreScale(low, high if high > low else low + 1.0, top)


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return the multiples of 1, 2 or 5 times a power of ten between two numbers.

    Examples
    --------
    >>> nice_ticks(-0.7, 1.3)
    [-0.5, 0.0, 0.5, 1.0]
    """
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= most)
    return [round(k * step, 12) + 0.0 for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _ticks(scale: ScoreScale) -> Markup:
    parts = []
    for tick in nice_ticks(scale.low, scale.high):
        y = scale.y(tick)
        parts.append(tag("path", class_="zero" if tick == 0 else "grid", d=f"M{LEFT:.0f} {y:.1f}H{RIGHT:.0f}"))
        parts.append(tag("text", f"{tick:+g}" if tick else "0", class_="soft", x=LEFT - 8, y=y + 4, text_anchor="end"))
    return joined(parts)


def _curve(shape: DrawnShape, group: ClassGroup, slots: Sequence[Slot], scale: ScoreScale) -> Markup:
    """Return band and line of a class: steps over ordered bins, a piece for each of the others."""
    ordered = [slot for slot in slots if slot.bin < shape.n_ordered]
    pieces = [ordered] if ordered else []
    pieces += [[_inner(slot)] for slot in slots if slot.bin >= shape.n_ordered]
    scores, bands = shape.scores[:, group.places[0]], ERRORS * shape.errors
    area = "".join(
        f"{_steps(piece, scores + bands, scale)}L{_steps(piece[::-1], scores - bands, scale, back=True)[1:]}z"
        for piece in pieces
    )
    line = "".join(_steps(piece, scores, scale) for piece in pieces)
    return joined(
        [
            tag("path", class_=f"band fill-{group.colour}", d=area),
            tag("path", class_=f"curve line-{group.colour}", d=line),
        ]
    )


def _inner(slot: Slot) -> Slot:
    margin = min(4.0, 0.15 * (slot.right - slot.left))
    return Slot(slot.bin, slot.left + margin, slot.right - margin)


def _steps(slots: Sequence[Slot], scores: NDArray[np.float64], scale: ScoreScale, *, back: bool = False) -> str:
    start = slots[0].right if back else slots[0].left
    parts = [f"M{start:.1f} {scale.y(scores[slots[0].bin]):.1f}"]
    for place, slot in enumerate(slots):
        parts.append(f"V{scale.y(scores[slot.bin]):.1f}" if place else "")
        parts.append(f"H{slot.left if back else slot.right:.1f}")
    return "".join(parts)


def _rows(shape: DrawnShape, slots: Sequence[Slot], top: float) -> list[Markup]:
    """Return a bar for the rows of each bin."""
    most = float(shape.rows.max(initial=0.0))
    bars = []
    for slot in map(_inner, slots):
        height = ROWS_HEIGHT * shape.rows[slot.bin] / most if most else 0.0
        width = slot.right - slot.left
        bars.append(f"M{slot.left:.1f} {top + ROWS_HEIGHT - height:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}z")
    return [
        tag("path", class_="fill-other", d="".join(bars)),
        tag("text", "rows", class_="soft", x=EDGE, y=top + ROWS_HEIGHT - 2),
    ]


def _labels(shape: DrawnShape, slots: Sequence[Slot]) -> LabelRow:
    """Return cuts or names of bins, not all of them where there are many; the table has all."""
    ordered = [slot for slot in slots if slot.bin < shape.n_ordered]
    if shape.cuts:
        ends = zip(ordered[:-1], short_numbers(shape.cuts), strict=True)
        labels = [PlacedLabel(slot.right, cut, is_whole=True) for slot, cut in ends]
        others = slots[len(ordered) :]
    else:
        labels, others = [], slots
    apart = [PlacedLabel(slot.centre, shortened(shape.labels[slot.bin], 28), "soft") for slot in others]
    return arrange([*_few(labels, MOST_LABELS - min(len(apart), 4)), *_few(apart, MOST_LABELS)], LEFT - 8, RIGHT + 16)


def _few(labels: list[PlacedLabel], most: int) -> list[PlacedLabel]:
    return labels[:: math.ceil(len(labels) / most)] if labels else []


def signed(score: float, digits: int = 3) -> str:
    """Return a score with its sign; what rounds to 0 has a plus."""
    return f"{round(float(score), digits) + 0.0:+.{digits}f}"


def score_text(score: float, error: float) -> str:
    """Return a score with its band."""
    return f"{signed(score)} ± {ERRORS * error:.3f}"


def _hint(shape: DrawnShape, groups: Sequence[ClassGroup], one: int) -> str:
    scores = ", ".join(
        f"{shortened(group.label, 40)} {score_text(shape.scores[one, group.places[0]], shape.errors[one])}"
        for group in groups
    )
    return f"{shortened(shape.labels[one], 60)}: {scores}; {counted(shape.rows[one], 'row')}"


def _hints(shape: DrawnShape, groups: Sequence[ClassGroup], slots: Sequence[Slot], top: float) -> list[Markup]:
    """Return areas that light up under the pointer and say in words what they show."""
    if len(slots) > MOST_HINTS:
        return []
    height = PLOT_HEIGHT + ROWS_GAP + ROWS_HEIGHT
    return [
        tag(
            "rect",
            tag("title", _hint(shape, groups, slot.bin)),
            class_="hint-area",
            x=slot.left,
            y=top,
            width=slot.right - slot.left,
            height=height,
        )
        for slot in slots
    ]


def _description(shape: DrawnShape, groups: Sequence[ClassGroup]) -> str:
    head = f"{counted(shape.bins.size, 'bin')}. A line is the score of a class, the band 1.96 standard errors."
    if not shape.bins.size:
        return head
    ends = []
    for group in groups:
        scores = shape.scores[shape.bins, group.places[0]]
        low, high = (shape.labels[shape.bins[place]] for place in (scores.argmin(), scores.argmax()))
        ends.append(
            f"{shortened(group.label, 40)}: lowest {signed(scores.min())} at {shortened(low, 60)}, "
            f"highest {signed(scores.max())} at {shortened(high, 60)}."
        )
    return " ".join([head, *ends, f"{rows_text(float(shape.rows.sum()))} training rows."])
