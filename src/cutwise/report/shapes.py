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


def plot_shape(table: Mapping[str, list[Any]], labels: Sequence[object], name: str, ax: Any = None) -> Any:
    """Draw the scores of a column's bins with their bands; with two classes those of the second.

    Parameters
    ----------
    table : mapping of str to list
        What ``AdditiveClassifier.shape`` returns.
    labels : sequence
        The class labels.
    name : str
        The column.
    ax : matplotlib axes, optional
    """
    ax = axes_or_new(ax, 7.0, 3.2)
    places = np.arange(len(table["bin"]))
    errors = ERRORS * np.array(table["standard error"])
    for c in range(1 if len(labels) == 2 else 0, len(labels)):
        scores = np.array(table[f"score of {labels[c]}"])
        colour = COLOURS[c % len(COLOURS)]
        ax.step(places, scores, where="mid", color=colour, label=plot_text(labels[c]))
        ax.fill_between(places, scores - errors, scores + errors, step="mid", alpha=0.2, color=colour, linewidth=0)
    few = places[:: max(1, len(places) // 8)]
    ax.set_xticks(few, [plot_text(table["bin"][place], 16) for place in few], rotation=30, ha="right")
    ax.set_title(plot_text(name), loc="left")
    ax.set_ylabel("score")
    ax.legend(frameon=False)
    without_frame(ax, "top", "right")
    return ax
