"""``cutwise check``: do the bins hold on new rows."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations
from cutwise.cli.options import ReadOptions, reads_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import Evaluation, Scheme

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
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an HTML report of the bins in both samples.")
    ] = None,
    fail: Annotated[bool, typer.Option("--fail", help="Exit with 1 if anything changed.")] = False,
    as_json: opt.AsJson = False,
    reading: ReadOptions,
) -> None:
    """Compare the bins of a scheme in training with those of new rows.

    A change counts if it is large and beyond chance. With --target the class rates within the bins are
    compared too.
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
    _, inputs = read_for_scheme(data, reading.settings(), learned, target, weight)
    with plain_errors():
        found = learned.evaluate(inputs.X, inputs.y, inputs.weights)
    if report is not None:
        _write_page(report, learned, found, f"Bins of {scheme.name} on {data.name}")
    if report is None or str(report) != "-":
        _show(found, attribute or (), report, as_json=as_json)
    if fail and not found.is_stable:
        raise typer.Exit(CHANGED)


def _write_page(path: Path, scheme: Scheme, found: Evaluation, title: str) -> None:
    from cutwise.cli.output import write_result
    from cutwise.report import html_report

    write_result(path, html_report(scheme, title, evaluation=found))


def _show(found: Evaluation, names: Sequence[str], report: Path | None, *, as_json: bool) -> None:
    from cutwise.cli.output import write_json

    if as_json:
        write_json(found.to_dict())
        return
    typer.echo("\n\n".join([str(found), *(str(found[name]) for name in names)]))
    if report is not None:
        typer.echo(f"report: {report}")
