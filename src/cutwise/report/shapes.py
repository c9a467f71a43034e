"""The shapes of an additive classifier as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.report.bars import COLOURS
from cutwise.report.plots import axes_or_new, plot_text, without_frame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# A band of this many standard errors to either side holds the score in about 95 cases of 100.
ERRORS = 1.96


def plot_shape(
    table: Mapping[str, list[Any]], labels: Sequence[object], name: str, n_ordered: int, ax: Any = None
) -> Any:
    """Draw the scores of a column's bins: a line with a band over neighbours, points with bars for the others.

    Parameters
    ----------
    table : mapping of str to list
        What ``AdditiveClassifier.shape`` returns.
    labels : sequence
        The classes to draw.
    name : str
        The column.
    n_ordered : int
        How many of the first bins are neighbours.
    ax : matplotlib axes, optional
    """
    ax = axes_or_new(ax, 7.0, 3.2)
    places = np.arange(len(table["bin"]))
    near, alone = places[:n_ordered], places[n_ordered:]
    errors = ERRORS * np.array(table["standard error"])
    for c, label in enumerate(labels):
        scores = np.array(table[f"score of {label}"])
        low, high = scores - errors, scores + errors
        colour, text = COLOURS[(c + (len(labels) == 1)) % len(COLOURS)], plot_text(label)
        if near.size:
            ax.step(near, scores[near], where="mid", color=colour, label=text)
            ax.fill_between(near, low[near], high[near], step="mid", alpha=0.2, color=colour, linewidth=0)
        if alone.size:
            ax.errorbar(alone, scores[alone], errors[alone], fmt="o", color=colour, label=None if near.size else text)
    few = np.union1d(near[:: max(1, near.size // 8)], alone[:: max(1, alone.size // 8)])
    ax.set_xticks(few, [plot_text(table["bin"][place], 16) for place in few], rotation=30, ha="right")
    ax.set_title(plot_text(name), loc="left")
    ax.set_ylabel("score")
    ax.legend(frameon=False)
    without_frame(ax, "top", "right")
    return ax
