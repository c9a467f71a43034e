"""What all plots share: matplotlib, strings that it cannot misread, and colours."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cutwise.errors import SchemeError
from cutwise.report.bars import COLOURS
from cutwise.scheme import NumericAttribute, Scheme
from cutwise.scheme.attribute import interval_label, number_text, without_unknown_rows
from cutwise.scheme.text import counted, rows_text, shown

if TYPE_CHECKING:
    from cutwise.scheme import Attribute


OTHER = "#9aa4ae"
INK = "#1f2328"
SOFT = "#59636e"
LINE = "#d1d9e0"


def axes_or_new(ax: Any, width: float, height: float) -> Any:
    """Return the axes, or new ones of a size in inches."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot as plt  # noqa: PLC0415
    except ImportError:
        message = "Plots need matplotlib, which is not installed; pip install 'cutwise[plots]' brings it."
        raise ImportError(message) from None
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def plot_text(text: object, limit: int = 40) -> str:
    r"""Return a string that matplotlib shows as it is: a dollar sign would start a formula.

    Examples
    --------
    >>> plot_text("price in $ or $\x07")
    'price in \\$ or \\$⟨U+0007⟩'
    """
    plain = shown(text)
    short = plain if len(plain) <= limit else plain[: limit - 1] + "…"
    return short.replace("$", r"\$")


def without_frame(ax: Any, *sides: str) -> None:
    """Hide some sides of the frame and make the rest light."""
    for side, spine in ax.spines.items():
        spine.set_visible(side not in sides)
        spine.set_color(LINE)
    ax.tick_params(color=LINE, labelcolor=INK)


# Of more bars than this, only some are named.
MANY_BARS = 30


class ClassShare(NamedTuple):
    """A class, or the smallest of many, with its rows in each bar."""

    label: str
    counts: tuple[float, ...]
    colour: str


def plot_bins(scheme: Scheme, name: str, ax: Any = None) -> Any:
    """Draw the bins of an attribute: one bar for each, its parts the shares of the classes.

    Parameters
    ----------
    scheme : Scheme
    name : str
        The attribute.
    ax : matplotlib axes, optional
        Where to draw; new ones by default.

    Returns
    -------
    matplotlib axes
    """
    attribute = without_unknown_rows(scheme[name])
    labels, counts = _bars(attribute)
    ax = axes_or_new(ax, min(max(1.1 * len(labels) + 2.5, 5.0), 14.0), 4.2)
    rows = [sum(row) for row in counts]
    bottoms = [0.0] * len(rows)
    for part in _parts(scheme.classes, counts):
        shares = [count / n if n else 0.0 for count, n in zip(part.counts, rows, strict=True)]
        ax.bar(range(len(rows)), shares, 0.86, bottom=bottoms, color=part.colour, label=part.label, linewidth=0)
        bottoms = [low + share for low, share in zip(bottoms, shares, strict=True)]
    _finish(ax, attribute, labels, rows)
    return ax


def _bars(attribute: Attribute) -> tuple[list[str], list[tuple[float, ...]]]:
    """Return labels and rows by class of the bins, and of the missing values if there are any."""
    labels, counts = short_labels(attribute), [*attribute.class_counts]
    if any(attribute.missing_by_class):
        labels.append("missing")
        counts.append(attribute.missing_by_class)
    return labels, counts


def short_numbers(numbers: Sequence[float], fewest: int = 4) -> list[str]:
    """Return numbers with as few digits, but no fewer than some, as tell them apart.

    Examples
    --------
    >>> short_numbers([0.15000000000000002, 1332.564, 250000.0])
    ['0.15', '1333', '250000']
    """
    for digits in range(fewest, 18):
        texts = [number_text(float(f"{number:.{digits}g}")) for number in numbers]
        if len(set(texts)) == len(texts):
            break
    return texts


def short_labels(attribute: Attribute) -> list[str]:
    """Return the label of each bin, with no more digits than it takes to tell the cuts apart."""
    if not isinstance(attribute, NumericAttribute):
        return [*attribute.labels]
    ends = [-np.inf, *map(float, short_numbers(attribute.cuts, 5)), np.inf]
    intervals = [interval_label(low, high) for low, high in itertools.pairwise(ends)]
    return [*intervals, *attribute.labels[len(intervals) :]]


def _parts(classes: Sequence[object], counts: Sequence[Sequence[float]]) -> list[ClassShare]:
    """Return a part for each class; of more than eight, the smallest become one."""
    columns = list(zip(*counts, strict=True))
    largest = sorted(range(len(classes)), key=lambda place: -sum(columns[place]))
    own = sorted(largest if len(classes) <= len(COLOURS) else largest[: len(COLOURS) - 1])
    parts = [
        ClassShare(plot_text(classes[place], 24), columns[place], colour)
        for place, colour in zip(own, COLOURS, strict=False)
    ]
    rest = [columns[place] for place in range(len(classes)) if place not in own]
    if rest:
        total = tuple(map(sum, zip(*rest, strict=True)))
        parts.append(ClassShare(f"other ({counted(len(rest), 'class')})", total, OTHER))
    return parts


def _finish(ax: Any, attribute: Attribute, labels: Sequence[str], rows: Sequence[float]) -> None:
    """Write the names of the bars, their rows and the legend."""
    step = -(-len(labels) // MANY_BARS)
    places = range(0, len(labels), step)
    # Of two intervals with many digits the beginnings look alike.
    longest = 60 if isinstance(attribute, NumericAttribute) else 24
    texts = [plot_text(labels[place], longest) for place in places]
    tilted = max(map(len, texts)) * len(texts) > 8 * ax.get_figure().get_size_inches()[0]
    turn = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if tilted else {}
    ax.set_xticks(list(places), texts, **turn)
    if not any(rows):
        ax.text(0.5, 0.5, "no rows counted", transform=ax.transAxes, ha="center", va="center", color=SOFT)
    elif step == 1:
        for place, n in enumerate(rows):
            style = {"rotation": 90} if len(rows) > 16 else {}
            ax.text(place, 1.015, rows_text(n), ha="center", va="bottom", color=SOFT, fontsize="small", **style)
    ax.set_xlim(-0.6, len(labels) - 0.4)
    ax.set_ylim(0.0, 1.0)
    ax.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    ax.set_ylabel("share of the classes", color=SOFT)
    kind = "edited by hand" if attribute.edited else attribute.kind
    pad = 40 if step == 1 and len(rows) > 16 else 20
    facts = f"{kind}, {counted(sum(rows), 'row')}, relevance {attribute.relevance:.4f} bits"
    ax.set_title(f"{plot_text(attribute.name, 60)}\n{facts}", loc="left", color=INK, pad=pad, fontsize="medium")
    without_frame(ax, "top", "right", "bottom")
    ax.tick_params(axis="x", length=0)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, reverse=True)


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
    >>> from cutwise.report.plots import plot_relevance
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
    what = "relevance of the bins" if has_classes else "the number of bins"
    return f"{plot_text(scheme.method)}: {what}, {listed}"


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
    >>> from cutwise.report.plots import plot_compare
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
        raise SchemeError("There is nothing to compare; give at least one scheme or fitted discretizer.")
    return [_named_attribute(label, one, name) for label, one in pairs]


def _named_attribute(label: str | None, one: Any, name: str) -> tuple[str, NumericAttribute]:
    scheme = one if isinstance(one, Scheme) else getattr(one, "scheme_", None)
    if not isinstance(scheme, Scheme):
        raise SchemeError(f"Expected schemes or fitted discretizers, got {one!r}. Fit it first.")
    attribute = scheme[name]
    if not isinstance(attribute, NumericAttribute):
        raise SchemeError(f"Attribute {name!r} is nominal and has no cuts to compare. Name a numeric one.")
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
