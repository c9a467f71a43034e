"""The scores of a pair of columns as a heat map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cutwise.report.markup import Markup, joined, shortened, tag
from cutwise.report.picture import EDGE, RIGHT, LabelRow, PlacedLabel, arrange, framed_picture
from cutwise.report.shape_picture import score_text, signed
from cutwise.scheme.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

GRID_LEFT = 168.0
GRID_TOP = 72.0
CELL_HEIGHT = 34.0
# Below it the number does not fit into a cell.
THINNEST_TEXT = 44.0
# The colours of scores below and above 0; a full one would swallow the number on it.
BELOW, ABOVE = "1", "6"
FULLEST = 0.65


@dataclass(frozen=True, eq=False)
class DrawnPair:
    """The grid of a pair as it is drawn.

    Parameters
    ----------
    names : tuple of two str
        The columns: that of the lines, that of the cells in a line.
    labels : tuple of two sequences of str
        Their groups.
    scores : ndarray of shape (n_groups, n_groups of the other, n_classes)
    errors, rows : ndarray of shape (n_groups, n_groups of the other)
        The standard errors of the scores, and the training rows of the cells.
    """

    names: tuple[str, str]
    labels: tuple[Sequence[str], Sequence[str]]
    scores: NDArray[np.float64]
    errors: NDArray[np.float64]
    rows: NDArray[np.float64]


def pair_picture(pair: DrawnPair, place: int, label: str) -> Markup:
    """Return an SVG image of the scores of a class.

    Parameters
    ----------
    pair : DrawnPair
    place : int
        The place of the class.
    label : str
        Its name.
    """
    n_lines, n_cells = pair.rows.shape
    width = (RIGHT - GRID_LEFT) / n_cells
    bottom = GRID_TOP + n_lines * CELL_HEIGHT
    below = _columns(pair, width)
    height = bottom + below.height + 34
    first, second = (shortened(name, 60) for name in pair.names)
    return framed_picture(
        height,
        [
            tag("title", f"Scores of {first} with {second} for {shortened(label, 40)}"),
            tag("desc", f"A grid of {n_lines} by {n_cells} cells; the table has all numbers."),
        ],
        _legend(pair, label),
        tag("text", shortened(pair.names[0], 26), class_="strong", x=EDGE, y=GRID_TOP - 10),
        _lines(pair),
        *_cells(pair, place, width),
        below.draw(bottom, 1),
        tag("text", second, class_="strong", x=RIGHT, y=height - 14, text_anchor="end"),
    )


def _legend(pair: DrawnPair, label: str) -> Markup:
    """Return the two ends of the colours."""
    most = _largest(pair)
    parts = [tag("text", f"score of {shortened(label, 40)}", x=EDGE, y=30.0)]
    for k in range(9):
        share = (k - 4) / 4
        parts.append(tag("rect", class_="cell", x=RIGHT - 230 + 20 * k, y=18.0, width=20.0, height=14.0))
        parts.append(_tinted(share, RIGHT - 230 + 20 * k, 18.0, 20.0, 14.0))
    parts.append(tag("text", f"{-most:+.2f}", class_="soft", x=RIGHT - 236, y=30.0, text_anchor="end"))
    parts.append(tag("text", f"{most:+.2f}", class_="soft", x=RIGHT, y=30.0, text_anchor="end"))
    return joined(parts)


def _largest(pair: DrawnPair) -> float:
    return float(np.abs(pair.scores).max(initial=0.0)) or 1.0


def _tinted(share: float, x: float, y: float, width: float, height: float) -> Markup:
    """Return a cell in the colour of its sign, as strong as its share of the largest score."""
    return tag(
        "rect",
        class_=f"fill-{ABOVE if share > 0 else BELOW}",
        x=x,
        y=y,
        width=width,
        height=height,
        fill_opacity=FULLEST * abs(share),
    )


def _cells(pair: DrawnPair, place: int, width: float) -> list[Markup]:
    most = _largest(pair)
    cells = []
    for i, j in np.ndindex(*pair.rows.shape):
        score = float(pair.scores[i, j, place])
        x, y = GRID_LEFT + j * width, GRID_TOP + i * CELL_HEIGHT
        words = (
            f"{shortened(pair.labels[0][i], 60)}, {shortened(pair.labels[1][j], 60)}: "
            f"{score_text(score, float(pair.errors[i, j]))}; {counted(float(pair.rows[i, j]), 'row')}"
        )
        number = tag("text", signed(score, 2), class_="share", x=x + width / 2, y=y + CELL_HEIGHT / 2 + 4)
        cells.append(
            tag(
                "g",
                tag("title", words),
                tag("rect", class_="cell", x=x, y=y, width=width, height=CELL_HEIGHT),
                _tinted(score / most, x, y, width - 1, CELL_HEIGHT - 1),
                *([number] if width >= THINNEST_TEXT else []),
            )
        )
    return cells


def _lines(pair: DrawnPair) -> Markup:
    return joined(
        [
            tag(
                "text",
                shortened(label, 22),
                class_="soft",
                x=GRID_LEFT - 8,
                y=GRID_TOP + (i + 0.5) * CELL_HEIGHT + 4,
                text_anchor="end",
            )
            for i, label in enumerate(pair.labels[0])
        ]
    )


def _columns(pair: DrawnPair, width: float) -> LabelRow:
    labels = [
        PlacedLabel(GRID_LEFT + (j + 0.5) * width, shortened(label, 22), "soft")
        for j, label in enumerate(pair.labels[1])
    ]
    return arrange(labels, GRID_LEFT - 8, RIGHT + 16)
