"""What a caller may say about a file."""

from __future__ import annotations

from dataclasses import dataclass, field

from cutwise.categories import NO_VALUE

MISSING = NO_VALUE
"""Strings that stand for no value, if the caller does not say otherwise."""


@dataclass(frozen=True)
class ReadSettings:
    """How a file is read; None leaves it to the file itself.

    Parameters
    ----------
    format : str or None
        One of FORMATS; by default the end of the name decides.
    encoding : str, default="utf-8"
        The encoding of CSV, ARFF and KEEL files.
    delimiter : str or None
        The character between the values of a CSV file.
    decimal : {".", ","} or None
        The decimal sign of a CSV file.
    missing : tuple of str
        Strings of CSV and Excel files that stand for no value.
    texts : frozenset of str
        Columns that hold strings even if all of them look like numbers.
    sheet : str or None
        The sheet of an Excel file; by default the first one.
    clean : bool, default=False
        Whether numbers, dates, booleans and missing values that columns hold as strings are recognised: see
        `cutwise.clean_table`.
    written : frozenset of str
        Columns of CSV and Excel files that are left as they are written even if all values look like numbers, for a
        reader that knows how they are written.
    """

    format: str | None = None
    encoding: str = "utf-8"
    delimiter: str | None = None
    decimal: str | None = None
    missing: tuple[str, ...] = MISSING
    texts: frozenset[str] = field(default_factory=frozenset)
    sheet: str | None = None
    clean: bool = False
    written: frozenset[str] = field(default_factory=frozenset)


MAX_BYTES = 1 << 29
"""Of a file, and of what a compressed one expands to."""
MAX_COLUMNS = 10_000
MAX_CELLS = 100_000_000
MAX_LINE = 1 << 24
MAX_RATIO = 200
"""A compressed file that expands more often than this, beyond FREE_BYTES, is taken for an attack."""
FREE_BYTES = 1 << 26
FREE_CELLS = 1 << 22
"""A compressed file may have so many cells, however small it is."""
