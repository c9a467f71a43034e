"""How a column is written, as a text that a scheme can keep: "1.234,5", "dd.mm.yyyy", "yes/no", "number", "text"."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cutwise.categories import category_text
from cutwise.errors import TableError
from cutwise.table.cleaning.dates import DATE_FORMATS, days, find_date_format, written_date
from cutwise.table.cleaning.numbers import PERCENT, NumberFormat, find_decimal, number_format, written_number
from cutwise.table.cleaning.words import boolean_words, find_booleans, is_no_word

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cutwise.table.cleaning.numbers import WrittenNumber

PLAIN, TEXT = "number", "text"
"""Formats of columns that hold numbers, and strings, as they are."""
# A column is one of numbers, or of dates, if so large a share of its values is, and so many different ones.
SHARE, FEWEST = 0.95, 20
_HALF = 0.5

Value = float | str | None


@dataclass(frozen=True)
class Reading:
    """What the texts of a column are read as.

    Parameters
    ----------
    format : str
    values : dict
        The number or the category of each text, None where it stands for no value or cannot be read.
    unread : tuple of str
        Texts that cannot be read.
    reason : str
        Why a column of which most values are numbers or dates was left as text.
    decimal : str
        The decimal sign, where numbers show it.
    doubtful : bool
        Whether the column does not tell which sign is the decimal one.
    """

    format: str
    values: Mapping[str, Value] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    reason: str = ""
    decimal: str = ""
    doubtful: bool = False


def is_format(text: object) -> bool:
    """Tell whether a text says how a column is written.

    Examples
    --------
    >>> is_format("1.234,5"), is_format("dd.mm.yyyy"), is_format("Yes/No"), is_format("text"), is_format("1234,5")
    (True, True, True, True, False)
    """
    if not isinstance(text, str):
        return False
    return text in (PLAIN, TEXT, *DATE_FORMATS) or number_format(text) is not None or _labels(text) is not None


def holds_numbers(form: str) -> bool:
    """Tell whether columns of a format become numbers."""
    return form != TEXT and _labels(form) is None


def _labels(form: str) -> tuple[str, str] | None:
    yes, slash, no = form.partition("/")
    return (yes, no) if slash and boolean_words((yes, no)) is not None else None


def recognise(counts: Counter[str], decimal: str = "") -> Reading:
    """Return how a column is written, and what its texts are.

    Parameters
    ----------
    counts : Counter
        How often each text occurs, without blanks around it.
    decimal : {".", ",", ""}
        The decimal sign to take if no number shows it beyond doubt.
    """
    known = Counter({text: n for text, n in counts.items() if not is_no_word(text, among_categories=False)})
    if not known:
        return _words(counts)
    for find in (_numbers, _dates):
        found = find(counts, known, decimal)
        if found is not None:
            return found
    among = Counter({text: n for text, n in counts.items() if not is_no_word(text, among_categories=True)})
    labels = find_booleans(among)
    return _words(counts) if labels is None else read_as(counts, "/".join(labels))


def _words(counts: Counter[str], reason: str = "", *, doubtful: bool = False) -> Reading:
    """Read a column of categories."""
    values = {text: None if is_no_word(text, among_categories=True) else text for text in counts}
    return Reading(TEXT, values, reason=reason, doubtful=doubtful)


def _numbers(counts: Counter[str], known: Counter[str], decimal: str) -> Reading | None:
    """Return the numbers of a column, None if it holds others."""
    found = {text: number for text in known if (number := written_number(text)) is not None}
    if not _are_most(found, known):
        return _mixed(found, counts, known, "numbers")
    units = {number.unit for number in found.values()}
    named = sorted(units - {""})
    if len(named) > 1:
        return _words(
            counts,
            f"left as text: units differ, such as {_example(found, named[0])} and "
            f"{_example(found, named[1])}. Turn them into one",
        )
    if PERCENT in units and "" in units:
        return _words(
            counts,
            f"left as text: some numbers are percents, such as {_example(found, PERCENT)}, and others, "
            f"such as {_example(found, '')}, are not. Write all of them alike",
        )
    sign = find_decimal(found.values(), decimal)
    if sign is None:
        marks = {number.mark[-1:]: text for text, number in found.items() if number.mark}
        return _words(
            counts,
            f"left as text: point and comma are both decimal signs, as in {marks['.']!r} and "
            f"{marks[',']!r}. Write all numbers alike",
        )
    if not sign:
        text = next(text for text, number in found.items() if number.mark)
        return _words(
            counts,
            f"left as text: {text!r} may be {_either(found[text], ',')} or {_either(found[text], '.')}. "
            "Set decimal='.' or decimal=','",
            doubtful=True,
        )
    read = read_as(counts, str(NumberFormat(sign, named[0] if named else "")))
    shown = sign if any(number.mark in {".", ","} for number in found.values()) else ""
    return Reading(read.format, read.values, read.unread, decimal=shown)


def _example(found: Mapping[str, WrittenNumber], unit: str) -> str:
    return repr(next(text for text, number in found.items() if number.unit == unit))


def _either(number: WrittenNumber, decimal: str) -> str:
    return category_text(NumberFormat(decimal, number.unit).value(number))


def _dates(counts: Counter[str], known: Counter[str], decimal: str) -> Reading | None:  # noqa: ARG001  # as _numbers
    """Return the days of a column of dates, None if it holds others."""
    found = {text: day for text in known if (day := written_date(text)) is not None}
    if not _are_most(found, known):
        return _mixed(found, counts, known, "dates")
    form = find_date_format(found.values())
    if form is None:
        return _words(
            counts,
            f"left as text: dates are written in several ways, such as {next(iter(found))!r}. "
            "Write all of them as 2024-12-31",
        )
    if not form:
        return _words(
            counts,
            f"left as text: in {next(iter(found))!r} and all others either part may be the month. "
            "Write dates as 2024-12-31",
        )
    real = {text: day for text, day in found.items() if days(day, form) is not None}
    return read_as(counts, form) if _are_most(real, known) else _mixed(real, counts, known, "dates")


def _mixed(found: Mapping[str, Any], counts: Counter[str], known: Counter[str], what: str) -> Reading | None:
    """Return a column of which most values are numbers or dates, but not enough, as text; None if few are."""
    n_found, n_known = sum(known[text] for text in found), known.total()
    if 2 * n_found <= n_known or len(found) < FEWEST:
        return None
    other = next(text for text in known if text not in found)
    return _words(
        counts, f"left as text: {n_found:,} of {n_known:,} values are {what}, but others, such as {other!r}, are not"
    )


def _are_most(found: Mapping[str, Any], known: Counter[str]) -> bool:
    if not found or len(found) == len(known):
        return bool(found)
    is_enough = sum(known[text] for text in found) >= SHARE * known.total()
    return is_enough and len(found) >= FEWEST and len(found) >= SHARE * len(known)


def read_as(counts: Counter[str], form: str) -> Reading:
    """Return what the texts of a column are, of which it is known how it is written.

    Of a column of numbers whose decimal sign is beyond doubt and another than that of the format, its own counts.
    """
    if form == TEXT:
        return _words(counts)
    labels = _labels(form)
    if labels is not None:
        words = boolean_words(labels) or {}
        return _read(counts, form, lambda text: words.get(text.lower()), among_categories=True)
    if form in DATE_FORMATS:
        return _read(counts, form, lambda text: _days(text, form))
    expected = NumberFormat() if form == PLAIN else number_format(form)
    if expected is None:
        raise TableError(f"There is no format {form!r}. Use those that clean_table returned.")
    found = {text: number for text in counts if (number := written_number(text)) is not None}
    used = NumberFormat(find_decimal(found.values(), expected.decimal) or expected.decimal, expected.unit)
    read = _read(counts, form, lambda text: used.value(found[text]) if text in found else None)
    bare = next((text for text in found if used.unit == PERCENT and not found[text].unit), None)
    if bare is not None:
        reason = f"numbers without a percent sign, such as {bare!r}, are read as percents"
        return Reading(form, read.values, read.unread, reason)
    if used != expected:
        text = next(text for text, number in found.items() if number.mark == used.decimal)
        reason = f"written otherwise than in fit: {text!r} is read as {category_text(read.values[text])}"
        return Reading(form, read.values, read.unread, reason, used.decimal)
    return read


def _days(text: str, form: str) -> float | None:
    found = written_date(text)
    return None if found is None else days(found, form)


def _read(counts: Counter[str], form: str, value: Callable[[str], Value], *, among_categories: bool = False) -> Reading:
    values: dict[str, Value] = {}
    unread = []
    for text in counts:
        values[text] = value(text)
        if values[text] is None and not is_no_word(text, among_categories=among_categories):
            unread.append(text)
    return Reading(form, values, tuple(unread))


def missing_as_nan(value: Value) -> float:
    """Return a number, NaN where there is none."""
    return math.nan if value is None else float(value)
