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
    nan : {"equals", "function", "hidden", "condition", "none"}
        How this database represents and tests NaN: it equals itself, a function finds it, a function that must
        not see that the value is a column, the condition IS NAN, or it does not exist. DuckDB takes a Parquet file's
        word for the largest value of a column, which says nothing about NaN, and then finds none.
    folds_case : bool
        Whether names that differ in case only are the same name, quoted or not.
    forbidden : tuple of str
        What a name cannot hold, however it is quoted.
    longest_name : int or None
        The bytes that a name can have, or the characters where these are counted.
    counts_characters : bool
        Whether the length of a name is that in characters (of UTF-16).
    plain_names : bool
        Whether a name can neither end with a blank nor hold characters beyond U+FFFF.
    holds_nul : bool
        Whether strings can hold the character NUL.
    holds_empty : bool
        Whether an empty string is a string; otherwise it is NULL.
    longest_text : int or None
        The bytes that a string can have.
    has_booleans : bool
        Whether there is a type of its own for true and false.
    casts_booleans : bool
        Whether true and false can be cast to strings.
    doubles : {"string", "literal", "exponent", "cast"}
        How a double is written: as a cast of a string; as a literal; as one with an exponent, because others are
        decimals; as a cast of a literal, because all literals are decimals.
    reads_doubles : bool
        Whether decimals of 17 digits are read as the nearest double.
    has_subnormals : bool
        Whether there are doubles between 0 and 2.2e-308.
    double_type, text_type : str or None
        The names of the types, where they are not those that sqlglot takes.
    national : bool
        Whether the letter N must stand before a string, lest letters are lost.
    long_texts : str or None
        The type of strings so long that they are cut off when they are put together, if there is one.
    collation : str or None
        The collation under which strings are equal if they are the same characters, where the usual one is not.
    has_concat : bool
        Whether a function puts strings together; otherwise an operator does.
    trim : {"set", "ends", "pattern"}
        How a set of characters is taken off both ends: by TRIM; by RTRIM and LTRIM; by a regular expression.
    largest_of : str or None
        The function for the largest of several values; None for a query of them.
    character_of : str
        The function for the character of a number.
    character_set : str or None
        The character set that this function must be told.
    aliases_hide : bool
        Whether a name that a query gives hides a column of that name in the rest of the query.
    keeps_steps : {"", "keyword", "hint", "limit"}
        Where the text of a step may be pasted wherever a later step uses it, so that work is repeated, what forbids
        that: MATERIALIZED, a hint, or a limit that no table reaches.
    """

    title: str
    parser: str
    nan: str = "equals"
    folds_case: bool = False
    forbidden: tuple[str, ...] = ("\0",)
    longest_name: int | None = None
    counts_characters: bool = False
    plain_names: bool = False
    holds_nul: bool = True
    holds_empty: bool = True
    longest_text: int | None = None
    has_booleans: bool = True
    casts_booleans: bool = True
    doubles: str = "string"
    reads_doubles: bool = True
    has_subnormals: bool = True
    double_type: str | None = None
    text_type: str | None = None
    national: bool = False
    long_texts: str | None = None
    collation: str | None = None
    has_concat: bool = False
    trim: str = "set"
    largest_of: str | None = "GREATEST"
    character_of: str = "CHR"
    character_set: str | None = None
    aliases_hide: bool = False
    keeps_steps: str = ""


LAST_PLAIN = "\uffff"
BLANK_ENDS = " \t\n\v\f\r"
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
    # A number in quotes is read by a faster reader, which may miss the nearest double.
    "clickhouse": SQLDialect(
        title="ClickHouse",
        parser="clickhouse",
        nan="function",
        forbidden=("\0", "\\"),
        doubles="literal",
        character_of="CHAR",
        aliases_hide=True,
    ),
    # Notebooks put the value of a parameter wherever a query says ${name}, in quotes or not.
    "databricks": SQLDialect(
        title="Databricks", parser="databricks", folds_case=True, forbidden=("\0", "${"), longest_name=255
    ),
    "duckdb": SQLDialect(title="DuckDB", parser="duckdb", nan="hidden", folds_case=True),
    # NaN and infinity cannot be stored. The usual collations compare without regard to case and accents.
    "mysql": SQLDialect(
        title="MySQL",
        parser="mysql",
        nan="none",
        folds_case=True,
        longest_name=64,
        counts_characters=True,
        plain_names=True,
        has_booleans=False,
        text_type="CHAR CHARACTER SET utf8mb4",
        collation="utf8mb4_bin",
        has_concat=True,
        trim="pattern",
        character_of="CHAR",
        character_set="utf8mb4",
        keeps_steps="limit",
    ),
    # NUMBER and FLOAT are decimals there, within 1e-130 and 1e126; the decimal mark of a number in quotes is that of
    # the session.
    "oracle": SQLDialect(
        title="Oracle",
        parser="oracle",
        nan="condition",
        forbidden=("\0", '"'),
        longest_name=128,
        holds_empty=False,
        longest_text=4000,
        has_booleans=False,
        doubles="cast",
        reads_doubles=False,
        double_type="BINARY_DOUBLE",
        text_type="VARCHAR2(4000)",
        trim="ends",
        keeps_steps="hint",
    ),
    "postgresql": SQLDialect(
        title="PostgreSQL", parser="postgres", longest_name=63, holds_nul=False, keeps_steps="keyword"
    ),
    "redshift": SQLDialect(
        title="Redshift",
        parser="redshift",
        folds_case=True,
        longest_name=127,
        holds_nul=False,
        longest_text=65535,
        casts_booleans=False,
        trim="ends",
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
        doubles="literal",
        reads_doubles=False,
        largest_of="MAX",
        character_of="CHAR",
        keeps_steps="keyword",
    ),
    # NaN, infinity and subnormal numbers cannot be stored. GREATEST came with the version of 2022.
    "sqlserver": SQLDialect(
        title="SQL Server",
        parser="tsql",
        nan="none",
        folds_case=True,
        longest_name=128,
        counts_characters=True,
        has_booleans=False,
        doubles="exponent",
        reads_doubles=False,
        has_subnormals=False,
        double_type="FLOAT(53)",
        text_type="NVARCHAR(MAX)",
        national=True,
        long_texts="NVARCHAR(MAX)",
        collation="Latin1_General_100_BIN2",
        has_concat=True,
        largest_of=None,
        character_of="NCHAR",
    ),
    "trino": SQLDialect(title="Trino", parser="trino", nan="function", folds_case=True),
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
    return _fault_of_plain(name, dialect) or _fault_of_length(name, n_bytes, dialect)


def _fault_of_plain(name: str, dialect: SQLDialect) -> str:
    if dialect.plain_names and name[-1] in BLANK_ENDS:
        return "ends with a blank"
    return f"holds {max(name)!r}" if dialect.plain_names and max(name) > LAST_PLAIN else ""


def _fault_of_length(name: str, n_bytes: int, dialect: SQLDialect) -> str:
    length, unit = n_bytes, "bytes"
    if dialect.counts_characters:
        length, unit = len(name.encode("utf-16-le")) // 2, "characters"
    if dialect.longest_name is None or length <= dialect.longest_name:
        return ""
    return f"has {length} {unit}, at most {dialect.longest_name} are allowed"
