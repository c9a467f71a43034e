"""All attributes of a scheme: how much their bins tell of the class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.plots.axes import COLOURS, INK, SOFT, axes_or_new, plot_text, without_frame
from cutwise.scheme.visible import counted

if TYPE_CHECKING:
    from cutwise.scheme import Scheme

# Of more attributes only the first are drawn.
MOST_SHOWN = 40


def plot_relevance(scheme: Scheme, ax: Any = None) -> Any:
    """Draw a bar for each attribute, the most relevant first, and how many bins it has.

    A bar is as long as the mutual information of bins and class in bits; in a scheme that was
    learned without classes, as the number of bins.

    Parameters
    ----------
    scheme : Scheme
    ax : matplotlib axes, optional
        Where to draw; new ones by default.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from cutwise import MRmDDiscretizer
    >>> from cutwise.plots import plot_relevance
    >>> X, y = [[1, 7], [2, 7], [3, 7], [4, 7]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> ax = plot_relevance(MRmDDiscretizer().fit(X, y).scheme_)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['x0', 'x1']
    """
    has_classes = len(scheme.classes) > 1
    pairs = [(one.relevance if has_classes else float(one.n_bins), one) for one in scheme.attributes]
    pairs.sort(key=lambda pair: -pair[0])
    drawn = pairs[:MOST_SHOWN]
    ax = axes_or_new(ax, 8.0, 1.4 + 0.3 * max(len(drawn), 2))
    ax.barh(range(len(drawn)), [length for length, _ in drawn], 0.7, color=COLOURS[0], linewidth=0)
    ax.set_ylim(max(len(drawn), 1) - 0.4, -0.6)
    ax.set_yticks(range(len(drawn)), [plot_text(one.name, 30) for _, one in drawn])
    if drawn and drawn[0][0] <= 0:
        ax.set_xlim(0, 1)
    for place, (_, one) in enumerate(drawn):
        bins = counted(one.n_bins, "bin")
        ax.text(1.01, place, bins, transform=ax.get_yaxis_transform(), va="center", color=SOFT, fontsize="small")
    ax.set_title(_title(scheme, len(drawn), has_classes=has_classes), loc="left", color=INK, fontsize="medium")
    ax.set_xlabel("relevance (bits)" if has_classes else "bins", color=SOFT)
    without_frame(ax, "top", "right", "left")
    ax.tick_params(axis="y", length=0)
    return ax


def _title(scheme: Scheme, n_drawn: int, *, has_classes: bool) -> str:
    n_all = len(scheme.attributes)
    listed = counted(n_all, "attribute") if n_drawn == n_all else f"the first {n_drawn} of {n_all:,} attributes"
    what = "what the bins tell of the class" if has_classes else "the number of bins"
    return f"{plot_text(scheme.method)}: {what}, {listed}"
