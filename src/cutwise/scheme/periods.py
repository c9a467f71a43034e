"""The period of each row: what a column or a list says, or the months, quarters or years of dates."""

from __future__ import annotations

from datetime import date, timedelta
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import TableError
from cutwise.scheme.attribute import number_text
from cutwise.table import as_frame, is_frame
from cutwise.table.cleaning.dates import ISO, days, find_date_format, written_date
from cutwise.table.columns import is_missing
from cutwise.table.frames import items_of, names_of, suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

UNITS = ("month", "quarter", "year")
NO_PERIOD = "no period"
FIRST_DAY = date(1970, 1, 1)
MOST_PERIODS = 1000
# So many rows tell whether a column holds dates.
MOST_LOOKED_AT = 1000


def read_periods(X: Any, by: Any, n_rows: int, taken: Collection[str] = ()) -> tuple[list[str], NDArray[np.int64]]:
    """Return the names of the periods in order, and the place of each row's period among them.

    Parameters
    ----------
    X : table or array
    by : str, array-like, or pair of one of these and a unit
        A column of the table or the periods themselves. Dates are taken by their unit: "month" (the default),
        "quarter" or "year"; a unit alone means the only column of dates. Dates may be texts.
    n_rows : int
    taken : collection of str
        Columns that are no periods when the column of dates is sought.

    Examples
    --------
    >>> names, places = read_periods(None, (["2025-01-31", "2025-04-01", None], "quarter"), 3)
    >>> names, places.tolist()
    (['2025-Q1', '2025-Q2', 'no period'], [0, 1, 2])
    """
    source, unit = by if _is_pair(by) else (by, None)
    if isinstance(source, str):
        source, unit = period_column(X, source, unit, taken)
    items = _items(source)
    if len(items) != n_rows:
        raise TableError(f"'by' has {len(items)} entries for {n_rows} rows; give one for each row.")
    told = [item for item in items if not is_missing(item)]
    form = _format(told)
    if unit is None and _are_dates(told, form):
        unit = "month"
    keys = [None if is_missing(item) else _key(item, unit, form) for item in items]
    ordered = sorted({key for key in keys if key is not None}, key=_sortable)
    if len(ordered) > MOST_PERIODS:
        raise TableError(
            f"'by' has {len(ordered):,} different periods, first {ordered[0]!r}; at most {MOST_PERIODS:,} can be. "
            "Give dates with a unit, such as by=(dates, 'month')."
        )
    places = {key: place for place, key in enumerate(ordered)}
    found = np.array([len(ordered) if key is None else places[key] for key in keys], dtype=np.int64)
    return [*map(_name, ordered), *([] if len(told) == len(items) else [NO_PERIOD])], found


def _is_pair(by: Any) -> bool:
    return isinstance(by, tuple) and len(by) == 2 and isinstance(by[1], str) and by[1] in UNITS


def period_column(X: Any, name: str, unit: str | None, taken: Collection[str]) -> tuple[list[Any], str | None]:
    """Return the values of a column, and their unit; a unit as name means the only column of dates."""
    names = names_of(X) if is_frame(X) else []
    if name in names:
        return items_of(X, name), unit
    if name not in UNITS:
        known = suggestion(name, names) if names else "; an array has no names."
        raise TableError(
            f"There is no column {name!r} for 'by'{known} Name a column of the table, give the period of each row, or "
            f"one of {', '.join(map(repr, UNITS))} for the only column of dates."
        )
    heads = {column: as_frame(X)[column].head(MOST_LOOKED_AT).to_list() for column in names if column not in taken}
    dates = [column for column, items in heads.items() if _holds_dates(items)]
    if len(dates) != 1:
        told = f"has several: {', '.join(map(repr, dates[:5]))}" if dates else "has none"
        how = f"by=(column, {name!r})"
        raise TableError(f"by={name!r} needs one column of dates, and the table {told}. Name it: {how}.")
    return items_of(X, dates[0]), name


def _holds_dates(items: Sequence[Any]) -> bool:
    known = [item for item in items if not is_missing(item)]
    return _are_dates(known, _format(known))


def _are_dates(known: Sequence[Any], form: str) -> bool:
    return bool(known) and all(_date(item, form) is not None for item in known)


def _format(known: Sequence[Any]) -> str:
    """Return how texts write dates, that of dates that begin with the year if they do or if it is open."""
    texts = (written_date(item) for item in known if isinstance(item, str))
    written = [found for found in texts if found is not None and found.mark]
    return (find_date_format(written) if written else None) or ISO


def _items(source: Any) -> list[Any]:
    """Return periods as Python objects; numpy's dates without their times."""
    if isinstance(source, np.ndarray) and source.dtype.kind == "M":
        source = source.astype("datetime64[D]")
    for method in ("to_list", "to_pylist", "tolist"):
        if hasattr(source, method):
            return list(getattr(source, method)())
    return list(source)


def _date(item: Any, form: str) -> date | None:
    """Return a date, or the one that a text is, with or without a time; None for anything else."""
    if isinstance(item, date):
        return item
    written = written_date(item) if isinstance(item, str) else None
    day = None if written is None else days(written._replace(time=0.0), form)
    return None if day is None else FIRST_DAY + timedelta(days=day)


def _key(item: Any, unit: str | None, form: str) -> Any:
    if unit is None:
        return item
    day = _date(item, form)
    if day is None:
        raise TableError(f"'by' has the value {item!r}, which is no date. Write dates as 2025-01-31, or give periods.")
    if unit == "year":
        return f"{day.year:04d}"
    if unit == "quarter":
        return f"{day.year:04d}-Q{(day.month + 2) // 3}"
    return f"{day.year:04d}-{day.month:02d}"


def _name(key: Any) -> str:
    return number_text(key) if isinstance(key, float) else str(key)


def _sortable(key: Any) -> tuple[int, Any]:
    """Return what sorts numbers by size, before texts."""
    return (0, key) if isinstance(key, Real) else (1, str(key))
