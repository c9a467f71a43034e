"""``cutwise check``: do the bins hold on new rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path  # noqa: TC003  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations
from cutwise.cli.options import ReadOptions, reads_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import Evaluation, Monitoring, Scheme

CHANGED = 1


@reads_tables
def check_command(
    scheme: opt.Scheme,
    data: opt.Data,
    *,
    target: opt.Target = None,
    weight: opt.Weight = None,
    attribute: Annotated[
        list[str] | None,
        typer.Option("--attribute", "-a", metavar="NAME", help="Show the bins of an attribute; repeatable."),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="PERIOD", help="Compare each period: month, quarter or year of the dates, or a column of periods."
        ),
    ] = None,
    date: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of the dates, if there are several.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an HTML report of the bins in both samples.")
    ] = None,
    fail: Annotated[bool, typer.Option("--fail", help="Exit with 1 if anything changed.")] = False,
    as_json: opt.AsJson = False,
    reading: ReadOptions,
) -> None:
    """Compare the bins of a scheme in training with those of new rows.

    A change counts if it is large and beyond chance. With --target the class rates within the bins are
    compared too. With --by each period is compared with training: PSI, rate of the event and Gini.
    """
    from cutwise.cli.inputs import (
        plain_errors,
        read_for_scheme,
    )
    from cutwise.cli.output import PAGE_ENDS, check_end, check_outputs, read_scheme
    from cutwise.errors import CutwiseError
    from cutwise.table.frames import suggestion

    check_outputs([scheme, data], [report])
    check_end(report, PAGE_ENDS, "a report")
    learned = read_scheme(scheme)
    for name in attribute or ():
        if name not in learned.names:
            raise CutwiseError(f"The scheme has no attribute {name!r}{suggestion(name, learned.names)}")
    if by is None and date is not None:
        raise CutwiseError("--date names the dates of periods. Give --by month, quarter or year too.")
    if by is not None and attribute:
        raise CutwiseError("--attribute shows bins and --by periods. Give one of them.")
    settings = reading.settings()
    texts = settings.texts if date is None else settings.texts | {date}
    frame, inputs = read_for_scheme(data, replace(settings, texts=texts), learned, target, weight)
    with plain_errors():
        found = (
            learned.evaluate(inputs.X, inputs.y, inputs.weights)
            if by is None
            else learned.evaluate(
                inputs.X, inputs.y, inputs.weights, by=_periods(frame, by, date, {*learned.names, target or ""})
            )
        )
    if report is not None:
        _write_page(report, learned, found, f"Bins of {scheme.name} on {data.name}")
    if report is None or str(report) != "-":
        _show(found, attribute or (), report, as_json=as_json)
    if fail and not found.is_stable:
        raise typer.Exit(CHANGED)


def _periods(frame: Any, by: str, date: str | None, taken: set[str]) -> Any:
    """Return the period of each row of a file, or its dates and their unit."""
    from cutwise.errors import CutwiseError
    from cutwise.scheme.periods import UNITS, period_column
    from cutwise.table.frames import check_column

    if date is not None:
        check_column(frame, date)
        if by not in UNITS:
            raise CutwiseError(f"--by must be {', '.join(UNITS[:-1])} or {UNITS[-1]} of the dates, not {by!r}.")
    items, unit = period_column(frame, date or by, None if date is None else by, taken)
    return items if unit is None else (items, unit)


def _write_page(path: Path, scheme: Scheme, found: Evaluation | Monitoring, title: str) -> None:
    from cutwise.cli.output import write_result
    from cutwise.report import html_report, monitoring_report
    from cutwise.scheme import Monitoring

    if isinstance(found, Monitoring):
        write_result(path, monitoring_report(found, title))
    else:
        write_result(path, html_report(scheme, title, evaluation=found))


def _show(found: Evaluation | Monitoring, names: Sequence[str], report: Path | None, *, as_json: bool) -> None:
    from cutwise.cli.output import write_json

    if as_json:
        write_json(found.to_dict())
        return
    typer.echo("\n\n".join([str(found), *(str(found[name]) for name in names)]))
    if report is not None:
        typer.echo(f"report: {report}")
