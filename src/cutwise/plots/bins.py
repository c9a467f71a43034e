"""The bins of one attribute as bars, stacked by class."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

from cutwise.plots.axes import COLOURS, INK, OTHER, SOFT, axes_or_new, plot_text, without_frame
from cutwise.scheme import NumericAttribute
from cutwise.scheme.by_hand import without_unknown_rows
from cutwise.scheme.visible import counted, rows_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import Attribute, Scheme

# Of more bars than this, only some are named.
MANY_BARS = 30


class Part(NamedTuple):
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
    labels, counts = _labels(attribute), [*attribute.class_counts]
    if any(attribute.missing_by_class):
        labels.append("missing")
        counts.append(attribute.missing_by_class)
    return labels, counts


def _labels(attribute: Attribute) -> list[str]:
    """Return the label of each bin, with no more digits than it takes to tell the cuts apart."""
    if not isinstance(attribute, NumericAttribute):
        return [*attribute.labels]
    numbers = attribute.cuts
    digits = next((d for d in range(5, 17) if len({f"{cut:.{d}g}" for cut in numbers}) == len(numbers)), 17)
    edges = ["-inf", *(f"{cut:.{digits}g}" for cut in numbers), "inf"]
    intervals = [f"({low}, {high}]" for low, high in itertools.pairwise(edges)]
    intervals[-1] = intervals[-1][:-1] + ")"
    return [*intervals, *attribute.labels[len(intervals) :]]


def _parts(classes: Sequence[object], counts: Sequence[Sequence[float]]) -> list[Part]:
    """Return a part for each class; of more than eight, the smallest become one."""
    columns = list(zip(*counts, strict=True))
    largest = sorted(range(len(classes)), key=lambda place: -sum(columns[place]))
    own = sorted(largest if len(classes) <= len(COLOURS) else largest[: len(COLOURS) - 1])
    parts = [
        Part(plot_text(classes[place], 24), columns[place], colour) for place, colour in zip(own, COLOURS, strict=False)
    ]
    rest = [columns[place] for place in range(len(classes)) if place not in own]
    if rest:
        total = tuple(map(sum, zip(*rest, strict=True)))
        parts.append(Part(f"other ({counted(len(rest), 'class')})", total, OTHER))
    return parts


def _finish(ax: Any, attribute: Attribute, labels: Sequence[str], rows: Sequence[float]) -> None:
    """Write the names of the bars, their rows and the legend."""
    step = -(-len(labels) // MANY_BARS)
    places = range(0, len(labels), step)
    texts = [plot_text(labels[place], 24) for place in places]
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
    kind = "edited by hand" if isinstance(attribute, NumericAttribute) and attribute.edited else attribute.kind
    pad = 40 if step == 1 and len(rows) > 16 else 20
    facts = f"{kind}, {counted(sum(rows), 'row')}, relevance {attribute.relevance:.4f} bits"
    ax.set_title(f"{plot_text(attribute.name, 60)}\n{facts}", loc="left", color=INK, pad=pad, fontsize="medium")
    without_frame(ax, "top", "right", "bottom")
    ax.tick_params(axis="x", length=0)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, reverse=True)
