"""Queries in steps, each of which adds columns; numbers and strings as SQL, exact and safe in every dialect."""

from __future__ import annotations

import sys
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
SMALLEST_NORMAL = sys.float_info.min
# The exponent of the largest power of two that is a whole number in SQLite.
LARGEST_SHIFT = 62
# Larger whole numbers are written as doubles.
LARGEST_INTEGER = 10**38
# How many operands stand side by side; databases limit how deep expressions are nested.
GROUP_SIZE = 40
# With this many digits, a decimal that is a double is read as that double by any reader.
SAFE_DIGITS = 15
# What strings that are put together can have where they are cut off.
LONGEST_PUT_TOGETHER = 4000
# A limit that no table reaches, for MySQL.
NO_LIMIT = 2**64 - 1
# Of the blanks around a string, those that a query takes off.
ASCII_BLANKS = " \t\n\v\f\r"


def cast(value: exp.Expression, kind: str) -> exp.Expression:
    """Return a value as another type."""
    return exp.Cast(this=value, to=data_type(kind).copy())


@cache
def data_type(kind: str) -> exp.DataType:
    """Return a type by its name, which takes a while to read."""
    return exp.DataType.build(kind)


def as_double(value: exp.Expression, dialect: SQLDialect) -> exp.Expression:
    """Return a value as a double."""
    return _named_cast(value, dialect.double_type) if dialect.double_type else cast(value, DOUBLE)


def as_text(value: exp.Expression, dialect: SQLDialect) -> exp.Expression:
    """Return a value as a string."""
    return _named_cast(value, dialect.text_type) if dialect.text_type else cast(value, "text")


def _named_cast(value: exp.Expression, name: str) -> exp.Expression:
    """Return a value as a type that is written as it is named."""
    return exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=name))


def integer(number: int) -> exp.Expression:
    """Return a whole number."""
    literal = exp.Literal.number(abs(number))
    return exp.Neg(this=literal) if number < 0 else literal


def double(number: float, dialect: SQLDialect, *, exact: bool = True) -> exp.Expression:
    """Return a finite double.

    Mostly written as a cast of a string, because a plain decimal is a number of another type in many
    databases. Some readers of decimals may miss the nearest double; there an exact double is a whole number
    times a power of two.

    Parameters
    ----------
    number : float
    dialect : SQLDialect
    exact : bool
        Whether the last digit matters.
    """
    number = float(number) + 0.0  # no -0.0
    digits = repr(number)
    if dialect.doubles == "string":
        return as_double(exp.Literal.string(digits), dialect)
    is_plain = "e" not in digits
    if dialect.reads_doubles or (not exact and (is_plain or dialect.doubles != "cast")):
        return _literal(number, dialect)
    is_short = is_plain and len(digits) <= SAFE_DIGITS and Decimal(digits) == Decimal(number)
    return _literal(number, dialect) if is_short else _scaled(number, dialect)


def _literal(number: float, dialect: SQLDialect) -> exp.Expression:
    """Return a double by its decimal digits."""
    digits = repr(abs(number))
    if dialect.doubles == "exponent" and "e" not in digits:
        digits += "E0"
    literal: exp.Expression = exp.Literal.number(digits)
    literal = exp.Neg(this=literal) if number < 0 else literal
    return as_double(literal, dialect) if dialect.doubles == "cast" else literal


def nearest_below(number: float, dialect: SQLDialect) -> float:
    """Return the largest double of the database that is not above a double."""
    if is_double_of(number, dialect):
        return number
    return 0.0 if number > 0 else -SMALLEST_NORMAL


def is_double_of(number: float, dialect: SQLDialect) -> bool:
    """Tell whether a finite double can be stored in the database."""
    return dialect.has_subnormals or number == 0 or abs(number) >= SMALLEST_NORMAL


def _scaled(number: float, dialect: SQLDialect) -> exp.Expression:
    """Return a double as a whole number below 2**53, multiplied or divided by powers of two."""
    whole, divisor = number.as_integer_ratio()
    trailing = (whole & -whole).bit_length() - 1
    shift = trailing - (divisor.bit_length() - 1)
    value = as_double(integer(whole >> trailing), dialect)
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
    return _written(value, dialect) if is_text_of(value, dialect) else None


def _written(value: str, dialect: SQLDialect) -> exp.Expression:
    runs: list[exp.Expression] = []
    plain = ""
    for char in value:
        if char in "'\\$" or ord(char) < 32 or ord(char) == 127:
            if plain:
                runs.append(_plain_text(plain, dialect))
            runs.append(_character(ord(char), dialect))
            plain = ""
        else:
            plain += char
    if plain or not runs:
        runs.append(_plain_text(plain, dialect))
    if dialect.long_texts and len(value) > LONGEST_PUT_TOGETHER:
        runs = [_named_cast(run, dialect.long_texts) for run in runs]
    return _put_together(runs, dialect)


def _put_together(items: Sequence[exp.Expression], dialect: SQLDialect) -> exp.Expression:
    """Return strings as one."""
    if not dialect.has_concat:
        return chain(exp.DPipe, items)
    return joined(items, lambda group: exp.Anonymous(this="CONCAT", expressions=group))


def _plain_text(value: str, dialect: SQLDialect) -> exp.Expression:
    return exp.National(this=value) if dialect.national else exp.Literal.string(value)


def _character(number: int, dialect: SQLDialect) -> exp.Expression:
    """Return the character of a number."""
    literal = exp.Literal.number(number)
    if dialect.character_set:
        return exp.Chr(expressions=[literal], charset=exp.Var(this=dialect.character_set))
    return exp.Anonymous(this=dialect.character_of, expressions=[literal])


def trimmed(value: exp.Expression, dialect: SQLDialect) -> exp.Expression:
    """Return a string without the blanks, tabs and line ends around it, to be compared character by character."""
    blanks = _written(ASCII_BLANKS, dialect)
    if dialect.trim == "ends":
        for function in ("RTRIM", "LTRIM"):
            value = exp.Anonymous(this=function, expressions=[value, blanks.copy()])
    elif dialect.trim == "pattern":
        ends = [_plain_text("^[", dialect), blanks, _plain_text("]+|[", dialect), blanks.copy()]
        pattern = _put_together([*ends, _plain_text("]+$", dialect)], dialect)
        value = exp.Anonymous(this="REGEXP_REPLACE", expressions=[value, pattern, _plain_text("", dialect)])
    else:
        value = exp.Trim(this=value, expression=blanks)
    return exp.Collate(this=value, expression=exp.Var(this=dialect.collation)) if dialect.collation else value


def largest(items: Sequence[exp.Expression], dialect: SQLDialect) -> exp.Expression:
    """Return the largest of some values, none of which is missing."""
    return joined(items, lambda group: _largest_of_group(group, dialect))


def _largest_of_group(items: list[exp.Expression], dialect: SQLDialect) -> exp.Expression:
    if dialect.largest_of:
        return exp.Anonymous(this=dialect.largest_of, expressions=items)
    name = exp.TableAlias(this=exp.to_identifier(f"{PREFIX}items"), columns=[exp.to_identifier("item")])
    values = exp.Values(expressions=[exp.Tuple(expressions=[item]) for item in items], alias=name)
    return exp.select(exp.Max(this=exp.column("item"))).from_(values, copy=False).subquery()


def is_text_of(value: str, dialect: SQLDialect) -> bool:
    """Tell whether a string can be stored in the database."""
    if (
        has_half_character(value)
        or (not dialect.holds_nul and "\0" in value)
        or (not dialect.holds_empty and not value)
    ):
        return False
    return dialect.longest_text is None or len(value.encode()) <= dialect.longest_text


def label(value: Any, dialect: SQLDialect) -> exp.Expression | None:
    """Return a category or a class label, or None if the database has no such value."""
    if isinstance(value, str):
        return text(value, dialect)
    if isinstance(value, bool):
        return exp.Boolean(this=value) if dialect.has_booleans else integer(int(value))
    if isinstance(value, int) and abs(value) < LARGEST_INTEGER:
        return integer(value)
    try:
        return double(value, dialect) if is_double_of(value, dialect) else None
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
        before = self.steps[-1][0]
        everything = exp.Column(this=exp.Star(), table=exp.to_identifier(before))
        self._add(step, exp.select(everything, *_named(columns)).from_(before, copy=False))

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
        if self.dialect.aliases_hide:
            _name_table(query, self.steps[-1][0])
        way = self.dialect.keeps_steps if len(self.steps) > 1 else ""
        for name, select in self.steps:
            kept = True if way == "keyword" else None
            query = query.with_(name, as_=_kept_step(select, way), materialized=kept, copy=False)
        indent = all(_is_one_line(node.name) for node in query.find_all(exp.Literal, exp.National, exp.Identifier))
        return str(query.sql(dialect=self.dialect.parser, pretty=indent, copy=False))


def _name_table(query: exp.Select, table: str) -> None:
    """Say of each column of a query that it is the table's."""
    for column in query.find_all(exp.Column):
        column.set("table", exp.to_identifier(table))


def _kept_step(select: exp.Select, way: str) -> exp.Select:
    """Return a step that is computed once, where a part of the step itself says so."""
    if way == "limit":
        return select.limit(NO_LIMIT, copy=False)
    if way == "hint":
        select.set("hint", exp.Hint(expressions=[exp.Var(this="MATERIALIZE")]))
    return select


def _is_one_line(name: str) -> bool:
    """Tell whether indenting leaves a name or a string as it is."""
    return SENTINEL not in name and len(name.splitlines()) <= 1


def _named(columns: Mapping[str, exp.Expression]) -> list[exp.Expression]:
    return [exp.alias_(value, name, copy=False) for name, value in columns.items()]
