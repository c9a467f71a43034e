"""The shapes of an additive classifier, and the scores of its pairs, as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.classify.additive.shapes import group_labels, pair_place
from cutwise.report.bars import COLOURS
from cutwise.report.plots import LINE, axes_or_new, plot_text, short_labels, short_numbers, without_frame
from cutwise.scheme import NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.scheme import Attribute

# A band of this many standard errors to either side holds the score in about 95 cases of 100.
ERRORS = 1.96
# The colours of scores below and above 0; full ones would swallow the numbers on them.
BELOW, ABOVE, FULLEST = COLOURS[0], COLOURS[5], 0.65
# Of more cells in a line or a column, numbers are left out.
MOST_NUMBERED = 10
# The letters of a bin that are shown.
LONGEST = 24


def plot_shape(model: Any, name: str, labels: Sequence[object], ax: Any = None) -> Any:
    """Draw the scores of a column's bins: a line with a band over neighbours, points with bars for the others.

    Parameters
    ----------
    model : AdditiveClassifier
    name : str
        The column.
    labels : sequence
        The classes to draw.
    ax : matplotlib axes, optional
    """
    ax = axes_or_new(ax, 7.0, 3.2)
    table, bins = model.shape(name), short_labels(model.scheme_[name])
    bins += table["bin"][len(bins) :]
    n_ordered = int(model.classifier_.tables_.counts.n_ordered[model.scheme_.names.index(name)])
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
    ax.set_xticks(few, [plot_text(bins[place], LONGEST) for place in few], rotation=30, ha="right")
    ax.set_title(plot_text(name), loc="left")
    ax.set_ylabel("score")
    ax.legend(frameon=False)
    without_frame(ax, "top", "right")
    return ax


def plot_pair(model: Any, pair: Sequence[str], labels: Sequence[object], ax: Any = None) -> Any:
    """Draw the scores of a pair as a heat map, of several classes those that differ most.

    Parameters
    ----------
    model : AdditiveClassifier
    pair : sequence of two str
        The columns, in any order.
    labels : sequence
        The classes, one of which is drawn.
    ax : matplotlib axes, optional
    """
    ax = axes_or_new(ax, 7.0, 4.6)
    columns, groups, scores = model.classifier_.grids_.described(pair_place(model, pair))
    places = [model.classes_.tolist().index(label) for label in labels]
    place = max(places, key=lambda c: float(np.var(scores[..., c])))
    scores = scores[..., place]
    most = float(np.abs(scores).max()) or 1.0
    image = ax.imshow(scores, cmap=_two_colours(), vmin=-most, vmax=most, aspect="auto")
    if max(scores.shape) <= MOST_NUMBERED:
        for (i, j), score in np.ndenumerate(scores):
            ax.text(j, i, f"{round(float(score), 2) + 0.0:+.2f}", ha="center", va="center", fontsize="small")
    one, two = (model.scheme_.attributes[j] for j in columns)
    lines, cells = short_group_labels(one, groups[0]), short_group_labels(two, groups[1])
    ax.set_xticks(range(len(cells)), [plot_text(text, LONGEST) for text in cells], rotation=30, ha="right")
    ax.set_yticks(range(len(lines)), [plot_text(text, LONGEST) for text in lines])
    ax.set_xlabel(plot_text(two.name))
    ax.set_ylabel(plot_text(one.name))
    ax.set_title(f"{plot_text(one.name)} with {plot_text(two.name)}", loc="left")
    bar = ax.figure.colorbar(image, ax=ax, label=f"score of {plot_text(model.classes_[place])}")
    bar.outline.set_edgecolor(LINE)
    without_frame(ax, "top", "right", "bottom", "left")
    return ax


def _two_colours() -> Any:
    """Return colours from one for scores below 0 over white to one for those above."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb  # noqa: PLC0415

    below, above = (1.0 - FULLEST + FULLEST * np.array(to_rgb(colour)) for colour in (BELOW, ABOVE))
    return LinearSegmentedColormap.from_list("scores", [below, np.ones(3), above])


def short_group_labels(attribute: Attribute, groups: NDArray[np.int64]) -> list[str]:
    """Return a text for each group of bins of a pair's column, with few digits."""
    cuts = attribute.cuts if isinstance(attribute, NumericAttribute) else ()
    return group_labels(attribute, groups, [float(text) for text in short_numbers(cuts)])
