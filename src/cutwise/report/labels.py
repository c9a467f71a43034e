"""Labels over or under the bars, moved apart so that all can be read."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from cutwise.report.markup import Markup, joined, tag
from cutwise.report.text import shortened, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZE = 12.0
SPACE = 9.0
LINE = 16.0
TILT = 60
LEADER = 12.0
LONGEST = 16
FARTHEST = 48.0


@dataclass(frozen=True)
class Label:
    """A text that belongs to the point `at`; a number is shown whole, other texts may be shortened."""

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

    labels: Sequence[Label]
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
        """Return lines and texts; side is -1 over the bars that begin at y, 1 under those that end there."""
        steps = [
            f"M{label.at:.1f} {y + side * 2:.1f}v{side * 3}L{place:.1f} {y + side * LEADER:.1f}"
            for label, place in zip(self.labels, self.places, strict=True)
        ]
        texts = [self._text(label, place, y, side) for label, place in zip(self.labels, self.places, strict=True)]
        return joined([tag("path", class_="lines", d="".join(steps)), *texts])

    def _text(self, label: Label, x: float, y: float, side: int) -> Markup:
        if not self.tilted:
            base = y - LEADER - 4 if side < 0 else y + LEADER + SIZE
            return tag("text", label.text, class_=label.style, x=x, y=base, text_anchor="middle")
        base = y + side * (LEADER + 4)
        turn = f"rotate(-{TILT} {x + 4:.1f} {base:.1f})"
        anchor = "start" if side < 0 else "end"
        return tag("text", label.text, class_=label.style, x=x + 4, y=base, text_anchor=anchor, transform=turn)


def arrange(labels: Sequence[Label], low: float, high: float) -> LabelRow:
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
