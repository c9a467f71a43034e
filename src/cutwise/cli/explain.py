"""``cutwise explain``: why a row gets its class."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations
from cutwise.cli.options import ReadOptions, reads_tables
from cutwise.errors import CutwiseError


@reads_tables
def explain_command(
    model: opt.Model,
    data: opt.Data,
    *,
    row: Annotated[int, typer.Option(min=1, metavar="N", help="The row, from 1; the header is not counted.")] = 1,
    label: Annotated[
        str | None,
        typer.Option("--class", metavar="CLASS", help="The class label to explain. [default: the most probable]"),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS",
            help="The class label to compare it with; mean for the mean of all. [default: the second most probable]",
        ),
    ] = None,
    as_json: opt.AsJson = False,
    reading: ReadOptions,
) -> None:
    """Show what each attribute of a row adds to the log-odds of its class label."""
    from cutwise.cli.inputs import (
        plain_errors,
        read_for_scheme,
    )
    from cutwise.cli.output import (
        columns_of_model,
        read_scheme_or_model,
        write_json,
    )
    from cutwise.scheme.text import counted
    from cutwise.table.frames import items_of, n_rows_of, names_of

    found = read_scheme_or_model(model)
    if not hasattr(found, "explain"):
        message = f"The file {str(model)!r} holds no model that explains. Make one: cutwise fit … --model model.json."
        raise CutwiseError(message)
    _, inputs = read_for_scheme(data, reading.settings(), columns_of_model(found))
    n_rows = n_rows_of(inputs.X)
    if row > n_rows:
        raise CutwiseError(f"There is no row {row}: the table has {counted(n_rows, 'row')}. Name another row or table.")
    values = [items_of(inputs.X, name)[row - 1] for name in names_of(inputs.X)]
    with plain_errors():
        explanation = found.explain(values, _label(label, found), _label(against, found))
    if as_json:
        write_json(explanation.to_dict())
    else:
        typer.echo(str(explanation))


def _label(text: str | None, model: Any) -> Any:
    """Return the class that a string names; other strings are left to the model, which refuses them."""
    return next((label for label in model.classes_.tolist() if str(label) == text), text)
