"""The cuts of several methods on one attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cutwise.errors import SchemeError
from cutwise.plots.axes import COLOURS, INK, LINE, SOFT, axes_or_new, plot_text, without_frame
from cutwise.scheme import NumericAttribute, Scheme
from cutwise.scheme.visible import counted


def plot_compare(schemes: Mapping[str, Any] | Sequence[Any], name: str, ax: Any = None) -> Any:
    """Draw the cuts of several schemes on one attribute, a row for each.

    Parameters
    ----------
    schemes : list or dict
        Schemes or fitted discretizers; a dict names the rows, which are otherwise called by
        their methods.
    name : str
        A numeric attribute that all of them have.
    ax : matplotlib axes, optional
        Where to draw; new ones by default.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from cutwise import EqualFrequencyDiscretizer, EqualWidthDiscretizer
    >>> from cutwise.plots import plot_compare
    >>> X = [[1], [2], [3], [9]]
    >>> ax = plot_compare([EqualWidthDiscretizer(2).fit(X), EqualFrequencyDiscretizer(2).fit(X)], "x0")
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['EqualWidth', 'EqualFrequency']
    """
    rows = _named_attributes(schemes, name)
    ax = axes_or_new(ax, 8.0, 1.3 + 0.42 * len(rows))
    low, high = _ends([attribute for _, attribute in rows])
    margin = 0.02 * (high - low)
    ax.set_xlim(low - margin, high + margin)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    for place, (_, attribute) in enumerate(rows):
        ax.hlines(place, low, high, color=LINE, linewidth=6, capstyle="round", zorder=1)
        ax.vlines(
            np.clip(attribute.cuts, low, high), place - 0.3, place + 0.3, color=COLOURS[0], linewidth=1.6, zorder=2
        )
        bins = counted(len(attribute.cuts) + 1, "bin")
        ax.text(1.01, place, bins, transform=ax.get_yaxis_transform(), va="center", color=SOFT, fontsize="small")
    ax.set_yticks(range(len(rows)), [plot_text(label, 30) for label, _ in rows])
    ax.set_title(f"Cuts of {plot_text(name, 60)}", loc="left", color=INK, fontsize="medium")
    without_frame(ax, "top", "right", "left")
    ax.tick_params(axis="y", length=0)
    return ax


def _named_attributes(schemes: Mapping[str, Any] | Sequence[Any], name: str) -> list[tuple[str, NumericAttribute]]:
    pairs = list(schemes.items()) if isinstance(schemes, Mapping) else [(None, one) for one in schemes]
    if not pairs:
        message = "There is nothing to compare; give at least one scheme or fitted discretizer."
        raise SchemeError(message)
    return [_named_attribute(label, one, name) for label, one in pairs]


def _named_attribute(label: str | None, one: Any, name: str) -> tuple[str, NumericAttribute]:
    scheme = one if isinstance(one, Scheme) else getattr(one, "scheme_", None)
    if not isinstance(scheme, Scheme):
        message = f"Expected schemes or fitted discretizers, got {one!r}. Fit it first."
        raise SchemeError(message)
    attribute = scheme[name]
    if not isinstance(attribute, NumericAttribute):
        message = f"Attribute {name!r} is nominal and has no cuts to compare. Name a numeric one."
        raise SchemeError(message)
    return scheme.method if label is None else label, attribute


def _ends(attributes: Sequence[NumericAttribute]) -> tuple[float, float]:
    """Return where the values or the cuts begin and end; a little apart if they are all one."""
    numbers = [end for a in attributes for end in (a.minimum, a.maximum, *a.cuts) if end is not None]
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
    if low == high:
        room = max(abs(low), 1.0) * 0.5
        return low - room, high + room
    # matplotlib cannot draw much larger numbers.
    most = np.finfo(float).max / 8
    return max(low, -most), min(high, most)
