"""``cutwise check``: do the bins hold on new rows."""

from __future__ import annotations

from typing import Annotated

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations
from cutwise.cli.reading import ReadOptions, reads_tables

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
        typer.Option("--attribute", "-a", metavar="NAME", help="Show the bins of an attribute; again for more."),
    ] = None,
    fail: Annotated[bool, typer.Option("--fail", help="Exit with 1 if anything changed.")] = False,
    as_json: opt.AsJson = False,
    reading: ReadOptions,
) -> None:
    """Compare the bins of a scheme in training with those of new rows.

    A change counts if it is large and beyond chance. With --target the class rates within the bins are
    compared too.
    """
    from cutwise.cli.files import read_scheme  # noqa: PLC0415  # the command line starts without it
    from cutwise.cli.inputs import read_for_scheme  # noqa: PLC0415
    from cutwise.cli.parameters import plain_errors  # noqa: PLC0415
    from cutwise.cli.show import write_json  # noqa: PLC0415
    from cutwise.errors import CutwiseError  # noqa: PLC0415
    from cutwise.table.choosing import suggestion  # noqa: PLC0415

    learned = read_scheme(scheme)
    for name in attribute or ():
        if name not in learned.names:
            message = f"The scheme has no attribute {name!r}{suggestion(name, learned.names)}"
            raise CutwiseError(message)
    _, inputs = read_for_scheme(data, reading.settings(), learned, target, weight)
    with plain_errors():
        found = learned.evaluate(inputs.X, inputs.y, inputs.weights)
    if as_json:
        write_json(found.to_dict())
    else:
        typer.echo("\n\n".join([str(found), *(str(found[name]) for name in attribute or ())]))
    if fail and not found.is_stable:
        raise typer.Exit(CHANGED)
