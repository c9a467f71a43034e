"""``cutwise export``: a scheme or a model for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations
from cutwise.errors import CutwiseError

if TYPE_CHECKING:
    from collections.abc import Callable

STANDARD = Path("-")


def export_command(
    scheme: opt.Scheme,
    *,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="sql, dbt, pmml or onnx.")],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="PATH", help="A file, for dbt a project; - for standard output.")
    ] = STANDARD,
    dialect: Annotated[str, typer.Option(metavar="NAME", help="sql, dbt: the database.")] = "duckdb",
    table: Annotated[str, typer.Option(metavar="NAME", help="sql: the table.")] = "data",
    keep: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="sql: a column to hand through; repeatable.")
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="dbt: how the names of seed and macro begin.")] = "cutwise",
) -> None:
    """Write a scheme or a model for a database, dbt, PMML or ONNX.

    A scheme gives codes, a model gives classes and probabilities, a scorecard scores. dbt takes schemes: a seed with
    the bins and a macro that looks them up.
    """
    from cutwise.cli.output import check_outputs, read_scheme_or_model, scheme_of, write_result

    if to not in FORMATS and to != "dbt":
        raise CutwiseError(f"There is no format {to!r}. Choose one of dbt, {', '.join(FORMATS)}.")
    found = read_scheme_or_model(scheme)
    if to != "dbt":
        check_outputs([scheme], [out])
        method = getattr(found, f"to_{to}", None)
        if method is None:
            raise CutwiseError(f"A {type(found).__name__} cannot be written as {to}. Name another file or format.")
        write_result(out, FORMATS[to](method, {"dialect": dialect, "table": table, "keep": keep or ()}))
        return
    if out == STANDARD:
        raise CutwiseError("dbt gets several files. Name the folder of the project: --out FOLDER.")
    for path in scheme_of(found, scheme).to_dbt(out, name=name, dialect=dialect):
        typer.echo(path)


def _sql(method: Callable[..., str], options: dict[str, Any]) -> str:
    return method(**options) + "\n"


def _onnx(method: Callable[..., Any], _: dict[str, Any]) -> bytes:
    return bytes(method().SerializeToString())


def _pmml(method: Callable[..., str], _: dict[str, Any]) -> str:
    return method()


FORMATS: dict[str, Callable[..., str | bytes]] = {"sql": _sql, "pmml": _pmml, "onnx": _onnx}
