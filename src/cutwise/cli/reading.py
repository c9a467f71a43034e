"""The options about files that hold tables, which every command has that reads one."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from cutwise.table.reading import ReadSettings

SETTINGS = "reading"
"""The parameter of a command that `reads_tables` fills."""


@dataclass(frozen=True)
class ReadOptions:
    """What the options say, before anything is loaded."""

    form: str | None
    encoding: str
    delimiter: str | None
    decimal: str | None
    null: list[str] | None
    as_text: list[str] | None
    sheet: str | None

    def settings(self) -> ReadSettings:
        r"""Return how a file is read; ``\t`` stands for a tab."""
        from cutwise.table.reading import ReadSettings  # noqa: PLC0415  # the command line starts without it
        from cutwise.table.reading.settings import MISSING  # noqa: PLC0415

        return ReadSettings(
            format=self.form,
            encoding=self.encoding,
            delimiter="\t" if self.delimiter in {r"\t", "tab"} else self.delimiter,
            decimal=self.decimal,
            missing=("", *self.null) if self.null else MISSING,
            texts=frozenset(self.as_text or ()),
            sheet=self.sheet,
        )


def _options(
    *,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="csv, parquet, excel, arff or keel. [default: by the name]"),
    ] = None,
    encoding: Annotated[str, typer.Option(metavar="NAME", help="The encoding of a text file.")] = "utf-8",
    delimiter: Annotated[
        str | None, typer.Option(metavar="CHARACTER", help="Between the values of a CSV file. [default: found out]")
    ] = None,
    decimal: Annotated[
        str | None, typer.Option(metavar="CHARACTER", help="The decimal sign of a CSV file. [default: found out]")
    ] = None,
    null: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="No value; again for more. [default: empty, NA, NaN, ?, null]"),
    ] = None,
    as_text: Annotated[
        list[str] | None,
        typer.Option("--as-text", metavar="COLUMN", help="Categories that look like numbers; again for more."),
    ] = None,
    sheet: Annotated[
        str | None, typer.Option(metavar="NAME", help="The sheet of an Excel file. [default: the first]")
    ] = None,
) -> ReadOptions:
    return ReadOptions(form, encoding, delimiter, decimal, null, as_text, sheet)


def reads_tables(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options about files; it gets them as ReadOptions in its parameter ``reading``."""
    own = inspect.signature(command).parameters
    added = inspect.signature(_options).parameters

    @functools.wraps(command)
    def with_options(**values: Any) -> None:
        options = {name: values.pop(name) for name in added}
        command(**values, **{SETTINGS: _options(**options)})

    kept = [parameter for name, parameter in own.items() if name != SETTINGS]
    both = [*kept, *added.values()]
    hints = {**get_type_hints(command, include_extras=True), **get_type_hints(_options, include_extras=True)}
    typed = [parameter.replace(annotation=hints[parameter.name]) for parameter in both]
    with_options.__signature__ = inspect.Signature(typed)  # type: ignore[attr-defined]
    with_options.__annotations__ = {parameter.name: hints[parameter.name] for parameter in both}
    return with_options
