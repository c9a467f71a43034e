"""``cutwise report``: an HTML report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations
from cutwise.cli.options import ReadOptions, reads_tables

if TYPE_CHECKING:
    from cutwise.cli.inputs import LearningInputs
    from cutwise.counts import ColumnCounts
    from cutwise.scheme import Evaluation, Scheme
    from cutwise.table.reading import ReadSettings

ALL_ROWS = ("all rows",)
BOOK_END = ".xlsx"


@reads_tables
def report_command(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SCHEME|MODEL|DATA", help="A scheme or a model (.json), or a table whose bins are learned first."
        ),
    ],
    data: Annotated[
        Path | None, typer.Argument(metavar="DATA", help="The table that the scheme was learned from.")
    ] = None,
    *,
    target: opt.Target = None,
    event: opt.Event = None,
    method: opt.Method = "mrmd",
    param: opt.Param = None,
    columns: opt.Columns = None,
    exclude: opt.Exclude = None,
    keep: opt.Keep = None,
    weight: opt.Weight = None,
    weights: opt.Weights = None,
    confirm: opt.Confirm = None,
    nominal: opt.Nominal = None,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="The HTML file, or an .xlsx workbook.")
    ] = Path("report.html"),
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help="New rows; the report shows whether the bins hold on them.")
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title of the report.")] = None,
    seed: opt.Seed = 0,
    jobs: opt.Jobs = None,
    reading: ReadOptions,
) -> None:
    """Write an HTML report of the bins, in which cuts can be edited.

    The edited scheme can be downloaded from the report; `cutwise apply` takes it. Without its table, cuts of a
    scheme can only be removed. The new rows of --check need no class labels; if there are some they are compared too.
    An additive model without a table gives a report of its shapes, a scorecard one of its points and, with a table, of
    how well its score does there. A name that ends in .xlsx gives a workbook with
    tables and charts.
    """
    from cutwise.cli.fit import counts_of, learn_without_giveaways
    from cutwise.cli.inputs import make_method, plain_errors, read_for_scheme, read_inputs
    from cutwise.cli.output import (
        PAGE_ENDS,
        check_end,
        check_outputs,
        read_scheme_or_model,
        scheme_of,
    )
    from cutwise.errors import CutwiseError
    from cutwise.report import html_report, shapes_report

    check_outputs([source, data, check], [out])
    check_end(out, (*PAGE_ENDS, BOOK_END), "a report")
    is_book = out.suffix.lower() == BOOK_END
    if is_book and check is not None:
        raise CutwiseError("A workbook shows no new rows. Write an HTML report (-o report.html), or leave --check out.")
    settings = reading.settings()
    if source.suffix.lower() == ".json":
        model = read_scheme_or_model(source)
        if hasattr(model, "plot_shape") and data is None and check is None and not is_book:
            _write(out, shapes_report(model, title or f"Shapes of {source.name}"))
            return
        if hasattr(model, "rounding_error_"):
            from cutwise.cli.scorecard import card_output

            card = card_output(model, [data, check], reading, target, weight)
            _write(out, card.workbook() if is_book else card.page(title or f"Scorecard {source.name}"))
            return
        scheme = with_event(scheme_of(model, source), event)
        inputs = None if data is None else read_for_scheme(data, settings, scheme, target, weight)[1]
        with plain_errors():
            tables = _counts_of_scheme(scheme, inputs)
    elif data is not None:
        message = f"The file {str(source)!r} is no scheme: its name does not end in .json. Name a single table."
        raise CutwiseError(message)
    else:
        own = {"n_jobs": jobs, "weights": weights, "confirm": confirm, "nominal": nominal}
        discretizer = make_method(method, param or [], own, seed)
        inputs = read_inputs(
            source,
            settings,
            target=target,
            weight=weight,
            columns=columns or (),
            exclude=exclude or (),
            keep=keep or (),
        )
        kept = (*(keep or ()), *(columns or ()))
        fitted, inputs = learn_without_giveaways(discretizer, inputs, kept, method, None, event)
        scheme, tables = fitted.discretizer.scheme_, counts_of(fitted, inputs)
    if is_book:
        _write(out, _workbook(scheme))
        return
    found = None if check is None else _on_new_rows(scheme, check, settings, target, weight)
    left_out = {} if inputs is None else inputs.left_out
    _write(out, html_report(scheme, title or f"Bins of {(data or source).name}", tables, found, left_out=left_out))


def with_event(scheme: Scheme, event: str | None) -> Scheme:
    """Return a scheme with another event, if one is named."""
    from dataclasses import replace

    from cutwise.cli.inputs import event_label, plain_errors
    from cutwise.scheme.event import place_of_event

    if event is None:
        return scheme
    with plain_errors():
        place = place_of_event(event_label(event, scheme.classes), scheme.classes)
    return replace(scheme, event=scheme.classes[place])


def _workbook(scheme: Scheme) -> bytes:
    """Return the workbook of a scheme."""
    from cutwise.table.engines.source import require

    require("openpyxl", "excel")
    from cutwise.report.workbook import workbook_bytes

    return workbook_bytes(scheme)


def _write(out: Path, page: str | bytes) -> None:
    """Write a page or a workbook and say where it is."""
    from cutwise.cli.output import write_result

    write_result(out, page)
    if str(out) != "-":
        typer.echo(f"report: {out}")


def _on_new_rows(
    scheme: Scheme, path: Path, settings: ReadSettings, target: str | None, weight: str | None
) -> Evaluation:
    """Return what new rows say; columns of classes and weights that they lack are named in a note."""
    from cutwise.cli.inputs import (
        plain_errors,
        read_for_scheme,
    )

    if scheme.classes == ALL_ROWS:
        target = None
    _, inputs = read_for_scheme(path, settings, scheme, target, weight, may_lack=True)
    if target is not None and inputs.y is None:
        typer.echo(f"Note: {path.name} has no column {target!r}, so class rates are not compared.", err=True)
    if weight is not None and inputs.weights is None:
        typer.echo(f"Note: {path.name} has no column {weight!r}, so each of its rows counts once.", err=True)
    with plain_errors():
        return scheme.evaluate(inputs.X, inputs.y, inputs.weights)


def _counts_of_scheme(scheme: Scheme, inputs: LearningInputs | None) -> list[ColumnCounts | None] | None:
    """Return the counts that a scheme was learned from; None if it has no table or no classes."""
    from cutwise.errors import CutwiseError
    from cutwise.report import count_rows

    if inputs is None or scheme.classes == ALL_ROWS:
        return None
    if inputs.y is None:
        raise CutwiseError(
            "The report of a scheme and its table needs the class labels. Name their column: --target COLUMN."
        )
    return count_rows(_fitted(scheme), inputs.X, inputs.y, inputs.weights)


def _fitted(scheme: Scheme) -> Any:
    """Return a discretizer that has learned a scheme."""
    from cutwise.discretize import MRmDDiscretizer

    discretizer = MRmDDiscretizer(weights=str(scheme.parameters.get("weights", "count")))
    discretizer._set_scheme(scheme)  # noqa: SLF001
    return discretizer
