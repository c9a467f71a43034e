"""How a score ranks and foresees, as pictures: the ROC curve, and expected beside seen rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.report.markup import Markup, joined, tag
from cutwise.report.picture import LEFT, RIGHT, framed_picture
from cutwise.report.shape_picture import nice_ticks
from cutwise.scheme.attribute import number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

TOP, HEIGHT, BELOW = 44.0, 240.0, 52.0
# Of more points some are left out, so that the file stays small.
MOST_POINTS = 400


def roc_picture(found: Any) -> Markup:
    """Return an SVG image of the ROC curve of a `Performance`."""
    bad, good = (np.array([0.0, *found.roc[name]]) for name in ("share_of_events", "share_of_others"))
    step = max(bad.size // MOST_POINTS, 1)
    places = np.unique(np.append(np.arange(0, bad.size, step), bad.size - 1))
    points = [(_x(good[place]), _y(bad[place], 1.0)) for place in places]
    at = found.roc["score"].index(found.ks_score) + 1
    x, low, high = _x(good[at]), _y(good[at], 1.0), _y(bad[at], 1.0)
    title = f"ROC curve: AUC {found.auc.value:.3f}, Gini {found.gini.value:.3f}, KS {found.ks.value:.3f}"
    return framed_picture(
        TOP + HEIGHT + BELOW,
        [tag("title", title), tag("desc", "The share of events against the share of other rows, up to each score.")],
        tag("text", title, class_="name", x=LEFT, y=28.0),
        _frame([0.0, 0.25, 0.5, 0.75, 1.0], 1.0),
        joined([_label(_x(share), f"{share:.0%}") for share in (0.0, 0.25, 0.5, 0.75, 1.0)]),
        tag("path", class_="zero", d=f"M{_x(0.0):.1f} {_y(0.0, 1.0):.1f}L{_x(1.0):.1f} {_y(1.0, 1.0):.1f}"),
        tag("path", class_="zero", d=f"M{x:.1f} {low:.1f}V{high:.1f}"),
        tag("text", f"KS at score {number_text(found.ks_score)}", class_="soft", x=x + 8, y=(low + high) / 2),
        tag("path", class_="curve line-1", d=_path(points)),
        _label((LEFT + RIGHT) / 2, "share of other rows", 40.0),
    )


def calibration_picture(found: Any) -> Markup:
    """Return an SVG image of the expected and the seen rate of each band of scores of a `Performance`."""
    bands = found.bands
    highest = max([*bands["rate_high"], *bands["expected_rate"]], default=1.0) or 1.0
    width = (RIGHT - LEFT) / max(len(bands["rows"]), 1)
    centres = [LEFT + (place + 0.5) * width for place in range(len(bands["rows"]))]
    parts = []
    for x, rate, low, high in zip(centres, bands["rate"], bands["rate_low"], bands["rate_high"], strict=True):
        line = f"M{x:.1f} {_y(low, highest):.1f}V{_y(high, highest):.1f}"
        parts.append(tag("path", class_="curve line-2", d=line))
        parts.append(tag("circle", class_="fill-2", cx=x, cy=_y(rate, highest), r=4.0))
    expected = [(x, _y(rate, highest)) for x, rate in zip(centres, bands["expected_rate"], strict=True)]
    every = max(len(centres) // 10, 1)
    spans = [f"{number_text(low)}…{number_text(high)}" for low, high in zip(bands["low"], bands["high"], strict=True)]
    title = "Rate of events by band of scores: expected (line) and seen (points, with intervals)"
    return framed_picture(
        TOP + HEIGHT + BELOW,
        [tag("title", title), tag("desc", f"{len(spans)} bands of scores, the lowest first.")],
        tag("text", title, class_="soft", x=LEFT, y=28.0),
        _frame(nice_ticks(0.0, highest), highest),
        joined([_label(x, span) for x, span in list(zip(centres, spans, strict=True))[::every]]),
        tag("path", class_="curve line-1", d=_path(expected)),
        *parts,
        _label((LEFT + RIGHT) / 2, "score", 40.0),
    )


def _x(share: float) -> float:
    return LEFT + (RIGHT - LEFT) * float(share)


def _y(rate: float, highest: float) -> float:
    return TOP + HEIGHT * (1.0 - float(rate) / highest)


def _frame(ticks: Sequence[float], highest: float) -> Markup:
    parts = []
    for tick in ticks:
        y = _y(tick, highest)
        parts.append(tag("path", class_="grid", d=f"M{LEFT:.0f} {y:.1f}H{RIGHT:.0f}"))
        parts.append(tag("text", f"{tick:.6g}", class_="soft", x=LEFT - 8, y=y + 4, text_anchor="end"))
    return joined(parts)


def _label(x: float, text: str, below: float = 20.0) -> Markup:
    return tag("text", text, class_="soft", x=x, y=TOP + HEIGHT + below, text_anchor="middle")


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
