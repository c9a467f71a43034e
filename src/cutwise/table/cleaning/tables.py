"""Tables with numbers, dates and gaps as people write them, turned into numbers and categories."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from cutwise.categories import category_text
from cutwise.errors import ColumnWarning, TableError
from cutwise.table.cleaning.dates import DATE_FORMATS, ISO, days_of
from cutwise.table.cleaning.formats import (
    PLAIN,
    TEXT,
    Reading,
    holds_numbers,
    is_format,
    missing_as_nan,
    read_as,
    recognise,
)
from cutwise.table.columns import is_missing
from cutwise.table.frames import as_frame, dates_of, holds_strings, with_columns

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from narwhals.stable.v2 import Series

MOST_SHOWN = 3
_SHOWN = 40


@dataclass(frozen=True, eq=False)
class CleanTable:
    """A table whose columns hold what their strings say.

    Parameters
    ----------
    table : table
        Of the same library.
    formats : dict of str to str
        How each column is written, for `clean_table` on other rows: "number" and "text" for columns that are what
        they look like, else an example such as "1,234.5%", "dd.mm.yyyy" or "yes/no".
    notes : tuple of str
        A line for each column that was read as something else than it looks like, or was left as it is in doubt.
    """

    table: Any
    formats: dict[str, str]
    notes: tuple[str, ...]


def clean_table(
    table: Any, formats: Mapping[str, str] | None = None, *, texts: Collection[str] = (), decimal: str | None = None
) -> CleanTable:
    r"""Read numbers, dates, booleans and missing values that a table holds as strings.

    Numbers may have separators of thousands, a decimal comma, a currency or a percent sign. Dates become days since
    1970-01-01. Words such as "n/a" and "-" are missing. A whole column decides how it is written; one that leaves it
    open stays as it is, and a note says so. Columns of numbers, booleans and categorical types are not touched.

    Parameters
    ----------
    table : table
        A frame of pandas, polars or pyarrow. It is not changed.
    formats : mapping of str to str, optional
        How columns are written, as an earlier table showed: its rows and these are read alike.
    texts : collection of str
        Columns that are left as they are.
    decimal : {".", ","}, optional
        The decimal sign of columns that leave it open.

    Returns
    -------
    CleanTable

    Raises
    ------
    TableError
        If no value of a column can be read as it was written before.

    Warns
    -----
    ColumnWarning
        If values of a column cannot be read; they are missing.

    Examples
    --------
    >>> import pandas as pd
    >>> raw = pd.DataFrame({"income": ["10,936.81", "n/a", "$9,200"], "since": ["31.1.2023", "1.2.2023", "-"]})
    >>> clean = clean_table(raw)
    >>> clean.table
         income    since
    0  10936.81  19388.0
    1       NaN  19389.0
    2   9200.00      NaN
    >>> print(*clean.notes, sep="\n")
    income: 2 numbers written as text, read as numbers ('10,936.81' as 10936.81); 1 'n/a' as missing
    since: 2 dates written as text (dd.mm.yyyy), read as days since 1970-01-01 ('31.1.2023' as 19388); 1 '-' as missing
    >>> clean_table(pd.DataFrame({"income": ["1,200"]}), clean.formats).table["income"].tolist()
    [1200.0]
    """
    if decimal not in {None, ".", ","}:
        raise TableError(f"The decimal sign is {decimal!r}. It must be '.' or ','.")
    frame = as_frame(table)
    given = dict(formats or {})
    for name, form in given.items():
        if not is_format(form):
            raise TableError(f"Column {name!r}: there is no format {form!r}. Use those that clean_table returned.")
    columns = [_Column(frame[name], given.get(name)) for name in frame.columns if name not in texts]
    for column in columns:
        column.read(decimal or "")
    signs = {column.decimal for column in columns} - {""}
    if len(signs) == 1:
        for column in columns:
            if column.is_doubtful:
                column.read(min(signs))
    changed = {column.name: values for column in columns if (values := column.values()) is not None}
    return CleanTable(
        with_columns(table, changed, [column.name for column in columns if not holds_numbers(column.format)]),
        {name: TEXT for name in frame.columns if name in texts} | {column.name: column.format for column in columns},
        tuple(note for column in columns if (note := column.note())),
    )


class _Column:
    """A column of a table, and what it is read as.

    Parameters
    ----------
    series : narwhals Series
    form : str or None
        How it is written; None if its values are to tell.
    """

    def __init__(self, series: Series[Any], form: str | None) -> None:
        self.name: str = series.name
        self._series = series
        self._given = form
        self._items: Sequence[Any] = ()
        self._counts: Counter[str] = Counter()
        self._reading: Reading | None = None
        self.format = PLAIN if series.dtype.is_numeric() else TEXT
        dates = dates_of(series)
        self._days = None if dates is None else days_of(dates)
        if dates is None and holds_strings(series):
            self._items = series.to_list()
            self._counts = _texts(self._items) or Counter()

    def read(self, decimal: str) -> None:
        """Read the strings; of a column without any, check that it holds what it held before."""
        if self._days is not None:
            self._check_days()
            self.format = ISO if self._given is None else self._given
        elif self._counts:
            self._reading = (
                recognise(self._counts, decimal) if self._given is None else read_as(self._counts, self._given)
            )
            self.format = self._reading.format
            self._tell_unread(self._reading)
        elif self._given is not None:
            if self._given in DATE_FORMATS and self._series.dtype.is_numeric():
                message = f"Column {self.name!r} held dates in fit; its numbers are taken for days since 1970-01-01."
                warnings.warn(message, ColumnWarning, stacklevel=3)
            self.format = self._given

    def _check_days(self) -> None:
        if self._given is not None and self._given not in DATE_FORMATS:
            before = "numbers" if holds_numbers(self._given) else "categories"
            raise TableError(f"Column {self.name!r} holds dates, and held {before} in fit. Turn them into the same.")

    def _tell_unread(self, reading: Reading) -> None:
        """Warn of values that cannot be read; raise TableError if there are no others."""
        if not reading.unread:
            return
        n_unread = sum(self._counts[text] for text in reading.unread)
        what = _WHAT.get(reading.format, "numbers" if holds_numbers(reading.format) else f"{reading.format}")
        shown = _short(reading.unread[0])
        if self._given is not None and all(value is None for value in reading.values.values()):
            known = "" if reading.format == PLAIN else f" ({reading.format})"
            raise TableError(
                f"Column {self.name!r} held {what}{known} in fit; none of its values can be read as such, "
                f"such as {shown}. Write them as in fit, or fit again."
            )
        message = (
            f"Column {self.name!r}: {n_unread:,} of {len(self._items):,} values cannot be read as {what}, such as "
            f"{shown}. They are missing. Mend them, or leave the column as text."
        )
        warnings.warn(message, ColumnWarning, stacklevel=4)

    @property
    def decimal(self) -> str:
        """The decimal sign that the column shows, or nothing."""
        return "" if self._reading is None else self._reading.decimal

    @property
    def is_doubtful(self) -> bool:
        """Whether the column does not tell which sign is the decimal one."""
        return self._reading is not None and self._reading.doubtful

    def values(self) -> list[Any] | None:
        """Return the values of the new column; None if the old one stays."""
        if self._days is not None:
            return self._days
        if self._reading is None:
            return None
        if holds_numbers(self._reading.format):
            return [missing_as_nan(self._value(item)) for item in self._items]
        return None if self._is_as_it_was(self._reading) else [self._value(item) for item in self._items]

    def _value(self, item: Any) -> Any:
        if isinstance(item, str):
            return self._reading.values[item.strip()] if self._reading is not None else item
        return None if is_missing(item) else item

    def _is_as_it_was(self, reading: Reading) -> bool:
        if not all(isinstance(item, str) or is_missing(item) for item in self._items):
            return True
        return all(text == value or (value is None and not text) for text, value in reading.values.items())

    def note(self) -> str:
        """Return what was done, in one line; nothing if the column is what it looks like."""
        reading = self._reading
        if self._days is not None:
            return f"{self.name}: dates read as days since 1970-01-01"
        if reading is None:
            return ""
        gaps = [text for text, value in reading.values.items() if value is None and text and text not in reading.unread]
        parts = [part for part in (self._done(reading), reading.reason, self._gaps(gaps)) if part]
        return f"{self.name}: {'; '.join(parts)}" if parts else ""

    def _done(self, reading: Reading) -> str:
        read = {text: value for text, value in reading.values.items() if value is not None}
        if self._given is not None or not read:
            return ""
        n_read = sum(self._counts[text] for text in read)
        text = next((text for text in read if text != category_text(read[text])), next(iter(read)))
        if not holds_numbers(reading.format):
            others = [
                text for text, value in read.items() if text != value and category_text(text) != category_text(value)
            ]
            if reading.format == TEXT or not others:
                return ""
            return f"{_listed(others)} read as {' or '.join(map(repr, reading.format.split('/')))}"
        example = f"({_short(text)} as {category_text(read[text])})"
        if reading.format in DATE_FORMATS:
            dates = f"{n_read:,} dates written as text ({reading.format})"
            return f"{dates}, read as days since 1970-01-01 {example}"
        return f"{n_read:,} numbers written as text, read as numbers {example}"

    def _gaps(self, texts: Sequence[str]) -> str:
        if not texts or self._given is not None:
            return ""
        n_gaps = sum(self._counts[text] for text in texts)
        return f"{n_gaps:,} {_listed(texts)} as missing"


_WHAT = dict.fromkeys(DATE_FORMATS, "dates")


def _texts(items: Sequence[Any]) -> Counter[str] | None:
    """Return how often each string occurs, without blanks; None if something else than strings and numbers does."""
    counts: Counter[str] = Counter()
    for item, n in _counted(items):
        if isinstance(item, str):
            counts[item.strip()] += n
        elif not is_missing(item) and (isinstance(item, bool) or not isinstance(item, Real)):
            return None
    return counts


def _counted(items: Sequence[Any]) -> Sequence[tuple[Any, int]]:
    try:
        return list(Counter(items).items())
    except TypeError:  # a list or another thing that cannot be counted
        return [([], 1)]


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(_short, texts[:MOST_SHOWN])) + (", …" if len(texts) > MOST_SHOWN else "")
