"""What the databases differ in, as data, and the names that each of them takes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutwise.errors import ExportError
from cutwise.table.frames import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class SQLDialect:
    """One database's SQL.

    Parameters
    ----------
    title : str
        What people call it.
    parser : str
        What sqlglot calls it.
    nan : {"equals", "function", "hidden", "none"}
        How this database represents and tests NaN: it equals itself, a function finds it, a function that must
        not see that the value is a column, or it does not exist. DuckDB takes a Parquet file's word for the largest
        value of a column, which says nothing about NaN, and then finds none.
    folds_case : bool
        Whether names that differ in case only are the same name, quoted or not.
    forbidden : tuple of str
        What a name cannot hold, however it is quoted.
    longest_name : int or None
        The bytes that a name can have.
    holds_nul : bool
        Whether strings can hold the character NUL.
    has_booleans : bool
        Whether there is a type of its own for true and false.
    reads_doubles : bool
        Whether decimals of 17 digits are read as the nearest double.
    largest_of : str
        The function for the largest of several values.
    character_of : str
        The function for the character of a number.
    repeats_steps : bool
        Whether the text of a step may be pasted wherever a later step uses it, so that work is
        repeated unless the query forbids it.
    """

    title: str
    parser: str
    nan: str = "equals"
    folds_case: bool = False
    forbidden: tuple[str, ...] = ("\0",)
    longest_name: int | None = None
    holds_nul: bool = True
    has_booleans: bool = True
    reads_doubles: bool = True
    largest_of: str = "GREATEST"
    character_of: str = "CHR"
    repeats_steps: bool = False


CONTROLS = tuple(map(chr, (*range(32), 127)))
DIALECTS = {
    "bigquery": SQLDialect(
        title="BigQuery",
        parser="bigquery",
        nan="function",
        folds_case=True,
        forbidden=(*CONTROLS, "`", "\\"),
        longest_name=300,
    ),
    "duckdb": SQLDialect(title="DuckDB", parser="duckdb", nan="hidden", folds_case=True),
    "postgresql": SQLDialect(
        title="PostgreSQL", parser="postgres", longest_name=63, holds_nul=False, repeats_steps=True
    ),
    "snowflake": SQLDialect(title="Snowflake", parser="snowflake", longest_name=255),
    # Spark puts the value of a variable wherever a query says ${name}, in quotes or not.
    "spark": SQLDialect(title="Spark", parser="spark", folds_case=True, forbidden=("\0", "${")),
    "sqlite": SQLDialect(
        title="SQLite",
        parser="sqlite",
        nan="none",
        folds_case=True,
        has_booleans=False,
        reads_doubles=False,
        largest_of="MAX",
        character_of="CHAR",
        repeats_steps=True,
    ),
}


def find_dialect(name: str) -> SQLDialect:
    """Return the dialect of that name."""
    if name not in DIALECTS:
        message = f"The dialect {name!r} is unknown; choose one of {', '.join(map(repr, DIALECTS))}."
        message += did_you_mean(name, list(DIALECTS))
        raise ExportError(message)
    return DIALECTS[name]


def check_names(names: Sequence[str], dialect: SQLDialect) -> None:
    """Raise ExportError if a database cannot have columns of these names side by side."""
    for name in names:
        _check_name(name, dialect)
    keys = [name.lower() if dialect.folds_case else name for name in names]
    counts = Counter(keys)
    repeated = [name for name, key in zip(names, keys, strict=True) if counts[key] > 1]
    if repeated:
        shown = ", ".join(map(repr, repeated[:4]))
        message = f"{dialect.title} cannot tell the columns {shown} apart. Rename one of them, or do not keep it."
        raise ExportError(message)


def _check_name(name: object, dialect: SQLDialect) -> None:
    if not isinstance(name, str):
        raise ExportError(f"A name must be a string, not {name!r}.")
    reason = _fault(name, dialect)
    if reason:
        raise ExportError(f"{dialect.title} cannot use the name {name[:80]!r}: it {reason}. Rename it.")


def _fault(name: str, dialect: SQLDialect) -> str:
    """Return what is wrong with a name; nothing if it is good."""
    if not name:
        return "is empty"
    try:
        n_bytes = len(name.encode())
    except UnicodeEncodeError:
        return "holds half a character"
    for text in dialect.forbidden:
        if text in name:
            return f"holds {text!r}"
    if dialect.longest_name is not None and n_bytes > dialect.longest_name:
        return f"has {n_bytes} bytes, at most {dialect.longest_name} are allowed"
    return ""
