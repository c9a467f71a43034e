"""Dates as people write them, as numbers of days since 1970-01-01."""

from __future__ import annotations

import math
import re
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

ISO = "yyyy-mm-dd"
DATE_FORMATS = (ISO, "dd.mm.yyyy", "dd/mm/yyyy", "mm/dd/yyyy", "dd-mm-yyyy", "mm-dd-yyyy")
_FIRST_DAY = date(1970, 1, 1).toordinal()
_TIME = (
    r"(?:(?:T|\ +)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}(?:\.[0-9]{1,9})?))?"
    r"(?:\ ?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2}))?)?"
)
_ISO = re.compile(rf"(?P<year>[0-9]{{4}})([-/])(?P<month>[0-9]{{1,2}})\2(?P<day>[0-9]{{1,2}}){_TIME}", re.ASCII)
_OTHER = re.compile(
    rf"(?P<first>[0-9]{{1,2}})(?P<mark>[./-])(?P<second_part>[0-9]{{1,2}})(?P=mark)(?P<year>[0-9]{{4}}){_TIME}",
    re.ASCII,
)
_LONGEST = 64


class WrittenDate(NamedTuple):
    """A date before it is known whether the day or the month comes first.

    Parameters
    ----------
    first, second, year : int
        Of a date that begins with the year, first is the day and second the month.
    mark : str
        The sign between them; "" if the year comes first.
    time : float
        The part of the day.
    """

    first: int
    second: int
    year: int
    mark: str
    time: float


def written_date(text: str) -> WrittenDate | None:
    """Return the date that a string is, None if it is none.

    Examples
    --------
    >>> written_date("2024-02-29 06:00")
    WrittenDate(first=29, second=2, year=2024, mark='', time=0.25)
    >>> written_date("31.1.2023").mark, written_date("1/2/23")
    ('.', None)
    """
    plain = text.strip() if len(text) <= _LONGEST else ""
    found = _ISO.fullmatch(plain)
    if found is not None:
        return WrittenDate(int(found["day"]), int(found["month"]), int(found["year"]), "", _time(found))
    found = _OTHER.fullmatch(plain)
    if found is None:
        return None
    return WrittenDate(int(found["first"]), int(found["second_part"]), int(found["year"]), found["mark"], _time(found))


def _time(found: re.Match[str]) -> float:
    if found["hour"] is None:
        return 0.0
    seconds = 3600.0 * int(found["hour"]) + 60.0 * int(found["minute"]) + float(found["second"] or 0)
    if found["zone"] not in {None, "Z"}:
        zone = found["zone"].replace(":", "")
        offset = 3600.0 * int(zone[1:3]) + 60.0 * int(zone[3:])
        seconds -= offset if zone[0] == "+" else -offset
    return seconds / 86400


def days(written: WrittenDate, form: str) -> float | None:
    """Return the days since 1970-01-01, None if there is no such day or it is written otherwise.

    A date that begins with the year is the same in every format.
    """
    day, month = written.first, written.second
    if written.mark:
        if form == ISO or form[2] != written.mark:
            return None
        if form.startswith("mm"):
            day, month = month, day
    try:
        return date(written.year, month, day).toordinal() - _FIRST_DAY + written.time
    except ValueError:
        return None


def find_date_format(dates: Iterable[WrittenDate]) -> str | None:
    """Return how the dates of a column are written, "" if it does not tell, None if it contradicts itself."""
    marks, day_first, month_first = set(), False, False
    for found in dates:
        marks.add(found.mark)
        if found.mark:
            day_first = day_first or found.first > 12
            month_first = month_first or found.second > 12
    if len(marks) > 1 or (day_first and month_first):
        return None
    mark = marks.pop()
    if not mark:
        return ISO
    if mark == ".":
        return None if month_first else "dd.mm.yyyy"
    if not day_first and not month_first:
        return ""
    return f"dd{mark}mm{mark}yyyy" if day_first else f"mm{mark}dd{mark}yyyy"


def days_of(items: Iterable[Any]) -> list[float]:
    """Return the days since 1970-01-01 of datetime's dates and times, NaN where one is missing."""
    return [math.nan if item is None else _days_of(item) for item in items]


def _days_of(item: Any) -> float:
    days = item.toordinal() - _FIRST_DAY
    if not hasattr(item, "hour"):
        return float(days)
    offset = item.utcoffset()
    seconds = item.hour * 3600 + item.minute * 60 + item.second + item.microsecond / 1e6
    return float(days + (seconds - (offset.total_seconds() if offset is not None else 0.0)) / 86400)
