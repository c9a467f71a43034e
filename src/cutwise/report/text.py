"""Texts and numbers as people should see them."""

from __future__ import annotations

import unicodedata

from cutwise.scheme.visible import shown


def shortened(text: object, limit: int = 120) -> str:
    """Return a visible text of at most so many characters, the middle left out.

    Examples
    --------
    >>> shortened("mean radius of the largest cells", 16)
    'mean rad…t cells'
    """
    # A long text is cut before it is made visible, so that the work has a bound.
    raw = str(text)
    plain = shown(raw if len(raw) <= 2 * limit else raw[:limit] + raw[-limit:])
    if len(plain) <= limit:
        return plain
    tail = (limit - 1) // 2
    return f"{plain[: limit - 1 - tail]}…{plain[-tail:]}"


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is in a common sans-serif font."""
    ems = (1.0 if unicodedata.east_asian_width(char) in "WF" else 0.58 for char in text)
    return size * sum(ems)


def percent(part: float, whole: float) -> str:
    """Return a share with one decimal, or a dash if there is nothing to share."""
    return f"{part / whole:.1%}" if whole else "-"


def round_percent(share: float) -> str:
    """Return a share without decimals, which never claims all or nothing wrongly.

    Examples
    --------
    >>> round_percent(0.999), round_percent(1.0), round_percent(0.001)
    ('>99%', '100%', '<1%')
    """
    if 0.995 <= share < 1:
        return ">99%"
    if 0 < share < 0.005:
        return "<1%"
    return f"{share:.0%}"
