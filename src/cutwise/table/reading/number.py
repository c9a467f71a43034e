"""Numbers as files write them."""

from __future__ import annotations

import math
import re

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_INFINITE = {"inf": math.inf, "infinity": math.inf}
_LONGEST = 400


def read_number(text: str) -> float | None:
    """Return the finite number that a text is, None if it is none.

    Examples
    --------
    >>> read_number("-1.5e3"), read_number("1_000"), read_number("1e999")
    (-1500.0, None, None)
    """
    number = float(text) if len(text) <= _LONGEST and NUMBER.fullmatch(text) else math.nan
    return number if math.isfinite(number) else None


def read_any_number(text: str) -> float | None:
    """Return the number that a text is, infinities among them; None if it is none.

    Examples
    --------
    >>> read_any_number("-inf"), read_any_number("1e999"), read_any_number("nan")
    (-inf, inf, None)
    """
    if NUMBER.fullmatch(text):
        return float(text)
    size = _INFINITE.get(text.lstrip("+-").lower())
    if size is None or len(text) - len(text.lstrip("+-")) > 1:
        return None
    return -size if text.startswith("-") else size
