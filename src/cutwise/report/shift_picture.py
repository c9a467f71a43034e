"""The bins of an attribute in two samples as a picture: shares side by side, the rates of the event as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.report.bars import MANY_BARS
from cutwise.report.markup import Markup, grouped, joined, shortened, tag, text_width
from cutwise.report.picture import (
    EDGE,
    LEFT,
    RATE_RIGHT,
    RIGHT,
    PlacedLabel,
    arrange,
    framed_picture,
    percent_text,
    rate_top,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import AttributeEvaluation, BinEvaluation

HEIGHT = 130.0
TOP = 48.0
# The samples and the colours of their bars and lines.
SIDES = (("training rows", "other"), ("new rows", "1"))


def shift_picture(one: AttributeEvaluation, order: Sequence[int]) -> Markup | None:
    """Return the shares of the bins in both samples side by side; None where they are too many or not known.

    Parameters
    ----------
    one : AttributeEvaluation
    order : sequence of int
        The bins to draw, from left to right.
    """
    bins = [one.bins[place] for place in order]
    if not 0 < len(bins) <= MANY_BARS or any(each.training_share is None for each in bins):
        return None
    rates = _rates(one, bins)
    right = RATE_RIGHT if rates else RIGHT
    step = (right - LEFT) / len(bins)
    centres = [LEFT + step * (place + 0.5) for place in range(len(bins))]
    shares = [(each.training_share or 0.0, each.new_share) for each in bins]
    top = rate_top([share for pair in shares for share in pair])
    names = [grouped(each.label) if one.kind == "numeric" else each.label for each in bins]
    below = arrange([PlacedLabel(x, shortened(name, 28)) for x, name in zip(centres, names, strict=True)], 8.0, RIGHT)
    bottom = TOP + HEIGHT
    return framed_picture(
        bottom + below.height + 14,
        [
            tag("title", f"{shortened(one.name)}: shares of the rows in training and in the new rows"),
            tag("desc", " ".join(_words(name, *pair) for name, pair in zip(names, shares, strict=True))),
        ],
        _legend(one, has_rates=bool(rates)),
        _scale(top, LEFT - 10, "end"),
        _bars(centres, shares, step, top),
        *([_lines(centres, rates, [_is_apart(each, one.kind) for each in bins], right)] if rates else []),
        below.draw(bottom, 1),
    )


def _words(name: str, before: float, after: float) -> str:
    return f"{shortened(name, 60)}: {percent_text(before)} of the training rows, {percent_text(after)} of the new rows."


def _rates(one: AttributeEvaluation, bins: Sequence[BinEvaluation]) -> list[tuple[float | None, float | None]]:
    """Return the rates of the event in both samples; nothing without an event or without new classes."""
    if one.event is None or one.class_p_value is None:
        return []
    place = one.classes.index(one.event)
    return [
        (
            each.training_counts[place] / each.training_rows if each.training_rows else None,
            each.new_counts[place] / each.new_rows if each.new_rows else None,
        )
        for each in bins
    ]


def _scale(top: float, x: float, anchor: str) -> Markup:
    return joined(
        [
            tag(
                "text",
                percent_text(part * top),
                class_="soft",
                x=x,
                y=TOP + HEIGHT * (1 - part) + 4,
                text_anchor=anchor,
            )
            for part in (0.0, 0.5, 1.0)
        ]
    )


def _bars(centres: Sequence[float], shares: Sequence[tuple[float, float]], step: float, top: float) -> Markup:
    width = min(step * 0.36, 40.0)
    parts = [
        tag(
            "rect",
            class_=f"fill-{colour}",
            x=x + (side - 1) * width + (1 if side else -1),
            y=TOP + HEIGHT * (1 - share / top),
            width=width,
            height=HEIGHT * share / top,
        )
        for x, pair in zip(centres, shares, strict=True)
        for side, ((_, colour), share) in enumerate(zip(SIDES, pair, strict=True))
    ]
    axis = tag("path", class_="lines", d=f"M{LEFT} {TOP + HEIGHT:.1f}H{centres[-1] + step / 2:.1f}")
    return joined([*parts, axis])


def _is_apart(each: BinEvaluation, kind: str) -> bool:
    """Return whether a bin is no interval and no category, so that no line leads to it."""
    return each.label in ("missing", "unseen categories") or (kind == "numeric" and not each.label.startswith("("))


def _lines(
    centres: Sequence[float], rates: Sequence[tuple[float | None, float | None]], apart: Sequence[bool], right: float
) -> Markup:
    """Return both rates of the event as lines, with their scale on the right."""
    top = rate_top([rate for pair in rates for rate in pair if rate is not None])
    parts: list[Markup] = [_scale(top, right + 8, "start")]
    for side, style in enumerate(("rate-line dashed", "rate-line")):
        known = [
            (x, TOP + HEIGHT * (1 - rate / top), is_apart)
            for x, rate, is_apart in zip(centres, (pair[side] for pair in rates), apart, strict=True)
            if rate is not None
        ]
        d = "L".join(f"{x:.1f} {y:.1f}" for x, y, is_apart in known if not is_apart)
        parts += [tag("path", class_=name, d=f"M{d}") for name in ("rate-back", style) if d]
        parts += [tag("circle", class_="rate-dot", cx=x, cy=y, r=3.0) for x, y, _ in known]
    return joined(parts)


def _legend(one: AttributeEvaluation, *, has_rates: bool) -> Markup:
    """Return what bars and lines stand for."""
    parts, x = [], EDGE
    for name, colour in SIDES:
        parts.append(tag("rect", class_=f"fill-{colour}", x=x, y=14.0, width=12.0, height=12.0, rx=2.0))
        parts.append(tag("text", f"share of the {name}", x=x + 18, y=24.0))
        x += 18 + text_width(f"share of the {name}", 12) + 20
    if has_rates:
        words = f"lines: rate of {shortened(one.event, 20)}, training dashed, right scale"
        parts.append(tag("text", words, class_="soft", x=RIGHT, y=24.0, text_anchor="end"))
    return joined(parts)
