"""A query in steps: each adds columns to those of the step before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from cutwise.errors import ExportError
from cutwise.export.dialects import check_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.export.dialects import SQLDialect

PREFIX = "cutwise_"
# sqlglot puts it in place of line breaks while it indents.
SENTINEL = "__SQLGLOT__"


class StepQuery:
    """A query that reads the columns of a table first and works with names of its own then.

    Names that come from outside appear in the first step, where columns are read, and in
    the last one, where results are named.

    Parameters
    ----------
    dialect : Dialect
    table : str or sequence of str
        The table; with several parts, such as a schema and a name, a sequence.
    keep : sequence of str
        Columns of the table to hand through.
    """

    def __init__(self, dialect: SQLDialect, table: str | Sequence[str], keep: Sequence[str]) -> None:
        self.dialect = dialect
        self.parts = [table] if isinstance(table, str) else list(table)
        if not 1 <= len(self.parts) <= 3:
            message = f"A table has a name of one to three parts, not {table!r}."
            raise ExportError(message)
        for part in self.parts:
            check_names([part], dialect)
        if isinstance(keep, str):
            message = f"'keep' must be a list of names, not the text {keep!r}."
            raise ExportError(message)
        self.kept = {f"k{i}": name for i, name in enumerate(keep)}
        check_names(list(self.kept.values()), dialect)
        self.steps: list[tuple[str, exp.Select]] = []

    def read(self, columns: Mapping[str, exp.Expression]) -> None:
        """Begin: read columns of the table; they are made by ``column``."""
        kept = {own: self.column(name) for own, name in self.kept.items()}
        names = [exp.to_identifier(part, quoted=True) for part in self.parts]
        table = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(names), strict=False)))
        table.set("alias", exp.TableAlias(this=exp.to_identifier(f"{PREFIX}input")))
        self._add("values", exp.select(*_named({**kept, **columns})).from_(table))

    def column(self, name: str) -> exp.Column:
        """Return a column of the table.

        It is named with its table, because SQLite takes an unknown name in quotes for a text.
        """
        return exp.column(exp.to_identifier(name, quoted=True), table=f"{PREFIX}input")

    def add(self, step: str, columns: Mapping[str, exp.Expression]) -> None:
        """Add columns that are computed from those of earlier steps."""
        self._add(step, exp.select("*", *_named(columns)).from_(self.steps[-1][0]))

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
        named = [exp.alias_(value, name, quoted=True) for value, name in zip(values, names, strict=True)]
        query = exp.select(*named, copy=False).from_(self.steps[-1][0])
        once = self.dialect.repeats_steps and len(self.steps) > 1
        for name, select in self.steps:
            query = query.with_(name, as_=select, materialized=True if once else None, copy=False)
        indent = all(_is_one_line(node.name) for node in query.find_all(exp.Literal, exp.Identifier))
        return str(query.sql(dialect=self.dialect.parser, pretty=indent))


def _is_one_line(name: str) -> bool:
    """Tell whether indenting leaves a name or a text as it is."""
    return SENTINEL not in name and len(name.splitlines()) <= 1


def _named(columns: Mapping[str, exp.Expression]) -> list[exp.Expression]:
    return [exp.alias_(value, name) for name, value in columns.items()]
