"""Queries in steps, each of which adds columns; numbers and strings as SQL, exact and safe in every dialect."""

from __future__ import annotations

from decimal import Decimal
from functools import cache, reduce
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from cutwise.errors import ExportError
from cutwise.export.contents import has_half_character
from cutwise.export.dialects import check_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cutwise.export.dialects import SQLDialect

DOUBLE = "double"
# The exponent of the largest power of two that is a whole number in SQLite.
LARGEST_SHIFT = 62
# Larger whole numbers are written as doubles.
LARGEST_INTEGER = 10**38
# How many operands stand side by side; databases limit how deep expressions are nested.
GROUP_SIZE = 40
# With this many digits, a decimal that is a double is read as that double by any reader.
SAFE_DIGITS = 15
# Of the blanks around a string, those that a query takes off.
ASCII_BLANKS = " \t\n\v\f\r"


def cast(value: exp.Expression, kind: str) -> exp.Expression:
    """Return a value as another type."""
    return exp.Cast(this=value, to=data_type(kind).copy())


@cache
def data_type(kind: str) -> exp.DataType:
    """Return a type by its name, which takes a while to read."""
    return exp.DataType.build(kind)


def integer(number: int) -> exp.Expression:
    """Return a whole number."""
    literal = exp.Literal.number(abs(number))
    return exp.Neg(this=literal) if number < 0 else literal


def double(number: float, dialect: SQLDialect, *, exact: bool = True) -> exp.Expression:
    """Return a finite double.

    Written as a cast of a string, because a plain decimal is a number of another type in many
    databases. SQLite's reader of decimals may miss the nearest double, so there an exact
    double is a whole number times a power of two.

    Parameters
    ----------
    number : float
    dialect : SQLDialect
    exact : bool
        Whether the last digit matters.
    """
    number = float(number) + 0.0  # no -0.0
    digits = repr(number)
    if dialect.reads_doubles:
        return cast(exp.Literal.string(digits), DOUBLE)
    if not exact or (Decimal(digits) == Decimal(number) and len(digits) <= SAFE_DIGITS and "e" not in digits):
        literal = exp.Literal.number(digits.removeprefix("-"))
        return exp.Neg(this=literal) if number < 0 else literal
    return _scaled(number)


def _scaled(number: float) -> exp.Expression:
    """Return a double as a whole number below 2**53, multiplied or divided by powers of two."""
    whole, divisor = number.as_integer_ratio()
    trailing = (whole & -whole).bit_length() - 1
    shift = trailing - (divisor.bit_length() - 1)
    value = cast(integer(whole >> trailing), DOUBLE)
    operator = exp.Mul if shift > 0 else exp.Div
    flags = {} if shift > 0 else {"typed": True, "safe": False}
    shift = abs(shift)
    while shift:
        step = min(shift, LARGEST_SHIFT)
        value = operator(this=value, expression=exp.Literal.number(1 << step), **flags)
        shift -= step
    next(value.find_all(exp.Literal)).add_comments([f" {number!r} "])
    return value


def text(value: str, dialect: SQLDialect) -> exp.Expression | None:
    """Return a string, or None if no string of the database can be this one.

    Quotes, backslashes, dollars and control characters are given by their number, so that
    nothing in the literal itself needs an escape, whatever the settings of the database.
    """
    if not is_text_of(value, dialect):
        return None
    runs: list[exp.Expression] = []
    plain = ""
    for char in value:
        if char in "'\\$" or ord(char) < 32 or ord(char) == 127:
            if plain:
                runs.append(exp.Literal.string(plain))
            runs.append(exp.Anonymous(this=dialect.character_of, expressions=[exp.Literal.number(ord(char))]))
            plain = ""
        else:
            plain += char
    if plain or not runs:
        runs.append(exp.Literal.string(plain))
    return chain(exp.DPipe, runs)


def trimmed(value: exp.Expression, dialect: SQLDialect) -> exp.Expression:
    """Return a string without the blanks, tabs and line ends around it."""
    return exp.Trim(this=value, expression=text(ASCII_BLANKS, dialect))


def is_text_of(value: str, dialect: SQLDialect) -> bool:
    """Tell whether a string can be stored in the database."""
    return not has_half_character(value) and (dialect.holds_nul or "\0" not in value)


def label(value: Any, dialect: SQLDialect) -> exp.Expression | None:
    """Return a category or a class label, or None if the database has no such value."""
    if isinstance(value, str):
        return text(value, dialect)
    if isinstance(value, bool):
        return exp.Boolean(this=value) if dialect.has_booleans else integer(int(value))
    if isinstance(value, int) and abs(value) < LARGEST_INTEGER:
        return integer(value)
    try:
        return double(value, dialect)
    except OverflowError:
        return None


def class_label(value: Any, dialect: SQLDialect) -> exp.Expression:
    """Return a class label; raise ExportError if the database has no such value."""
    found = label(value, dialect) if isinstance(value, str | bool | int | float) else None
    if found is None:
        raise ExportError(f"The class label {value!r} cannot be a value of {dialect.title}.")
    return found


def joined(items: Sequence[exp.Expression], join: Callable[[list[exp.Expression]], exp.Expression]) -> exp.Expression:
    """Join items in groups of at most a few dozen, and the groups likewise, so that nothing is nested deeply."""
    level = list(items)
    while len(level) > GROUP_SIZE:
        groups = [level[i : i + GROUP_SIZE] for i in range(0, len(level), GROUP_SIZE)]
        level = [join(group) for group in groups]
    return join(level) if len(level) > 1 else level[0]


def chain(operator: type[exp.Expression], items: Sequence[exp.Expression]) -> exp.Expression:
    """Put an operator between items."""

    def put_between(group: list[exp.Expression]) -> exp.Expression:
        whole = reduce(lambda left, right: operator(this=left, expression=right), group)
        return exp.Paren(this=whole) if len(items) > GROUP_SIZE else whole

    return joined(items, put_between)


LARGEST_WHOLE_DOUBLE = 2**53


PREFIX = "cutwise_"
# sqlglot puts it in place of line breaks while it indents.
SENTINEL = "__SQLGLOT__"


class StepQuery:
    """A query that reads the columns of a table first and works with names of its own then.

    Names that come from outside appear in the first step, where columns are read, and in
    the last one, where results are named.

    Parameters
    ----------
    dialect : SQLDialect
    table : str or sequence of str
        The table; with several parts, such as a schema and a name, a sequence.
    keep : sequence of str
        Columns of the table to hand through.
    """

    def __init__(self, dialect: SQLDialect, table: str | Sequence[str], keep: Sequence[str]) -> None:
        self.dialect = dialect
        self.parts = [table] if isinstance(table, str) else list(table)
        if not 1 <= len(self.parts) <= 3:
            raise ExportError(f"A table has a name of one to three parts, not {table!r}.")
        for part in self.parts:
            check_names([part], dialect)
        if isinstance(keep, str):
            raise ExportError(f"'keep' must be a list of names, not the string {keep!r}.")
        self.kept = {f"k{i}": name for i, name in enumerate(keep)}
        check_names(list(self.kept.values()), dialect)
        self.steps: list[tuple[str, exp.Select]] = []

    def read(self, columns: Mapping[str, exp.Expression]) -> None:
        """Begin: read columns of the table; they are made by ``column``."""
        kept = {own: self.column(name) for own, name in self.kept.items()}
        names = [exp.to_identifier(part, quoted=True) for part in self.parts]
        table = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(names), strict=False)))
        table.set("alias", exp.TableAlias(this=exp.to_identifier(f"{PREFIX}input")))
        self._add("values", exp.select(*_named({**kept, **columns})).from_(table, copy=False))

    def column(self, name: str) -> exp.Column:
        """Return a column of the table.

        It is named with its table, because SQLite takes an unknown name in quotes for a string.
        """
        return exp.column(exp.to_identifier(name, quoted=True), table=f"{PREFIX}input")

    def add(self, step: str, columns: Mapping[str, exp.Expression]) -> None:
        """Add columns that are computed from those of earlier steps."""
        self._add(step, exp.select("*", *_named(columns)).from_(self.steps[-1][0], copy=False))

    def _add(self, step: str, select: exp.Select) -> None:
        name = PREFIX + step
        while any(part.lower() == name for part in self.parts):
            name += "_"
        self.steps.append((name, select))

    def text(self, columns: Mapping[str, exp.Expression]) -> str:
        """End: return the query for the kept columns and these, by their names for the reader."""
        names = [*self.kept.values(), *columns]
        check_names(names, self.dialect)
        values = [*map(exp.column, self.kept), *columns.values()]
        named = [exp.alias_(value, name, quoted=True, copy=False) for value, name in zip(values, names, strict=True)]
        query = exp.select(*named, copy=False).from_(self.steps[-1][0], copy=False)
        once = self.dialect.repeats_steps and len(self.steps) > 1
        for name, select in self.steps:
            query = query.with_(name, as_=select, materialized=True if once else None, copy=False)
        indent = all(_is_one_line(node.name) for node in query.find_all(exp.Literal, exp.Identifier))
        return str(query.sql(dialect=self.dialect.parser, pretty=indent, copy=False))


def _is_one_line(name: str) -> bool:
    """Tell whether indenting leaves a name or a string as it is."""
    return SENTINEL not in name and len(name.splitlines()) <= 1


def _named(columns: Mapping[str, exp.Expression]) -> list[exp.Expression]:
    return [exp.alias_(value, name, copy=False) for name, value in columns.items()]
