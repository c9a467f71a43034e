"""``cutwise apply``: put the rows of a table into known bins, or predict their classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations
from cutwise.cli.options import ReadOptions, reads_tables
from cutwise.errors import CutwiseError

if TYPE_CHECKING:
    from cutwise.scheme import Scheme

PREDICTED = "predicted"
N_REASONS = 4
STANDARD = Path("-")
ENDS = (".csv", ".tsv", ".parquet")

Table = dict[str, list[Any]]


@reads_tables
def apply_command(
    scheme: opt.Scheme,
    data: opt.Data,
    *,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="A .csv, .tsv or .parquet file; - for standard output.")
    ] = STANDARD,
    labels: Annotated[bool, typer.Option("--labels", help="Write (37.5, 42] in place of the code 2.")] = False,
    only: Annotated[bool, typer.Option("--only", help="Leave out all other columns of the table.")] = False,
    raw: Annotated[
        bool,
        typer.Option("--raw", help="Write strings unchanged, even those that a spreadsheet would take for formulas."),
    ] = False,
    as_json: opt.AsJson = False,
    reading: ReadOptions,
) -> None:
    """Encode the values of a table by their bins, or predict the class label of each row with a model.

    A scorecard also gives the score and, in order, the columns that cost a row most points (`reason_1` and so on).

    The columns are found by name. A category that was never seen has the code -1, and so has a missing value, unless
    `cutwise fit --missing bin` made a bin for it.
    """
    from cutwise.cli.inputs import plain_errors
    from cutwise.cli.output import (
        check_outputs,
        read_scheme_or_model,
        write_json,
        write_result,
    )
    from cutwise.scheme import Scheme

    check_outputs([scheme, data], [out])
    if str(out) != "-" and out.suffix.lower() not in ENDS:
        raise CutwiseError(f"Unknown file extension: {str(out)!r}. Use one of {', '.join(ENDS)}.")
    found = read_scheme_or_model(scheme)
    with plain_errors():
        if isinstance(found, Scheme):
            table = _binned(found, data, reading, labels=labels, only=only)
        else:
            table = _predicted(found, data, reading, only=only)
    if as_json:
        names = list(table)
        write_json([dict(zip(names, row, strict=True)) for row in zip(*table.values(), strict=True)])
        return
    write_result(out, _content(table, out, raw=raw))


def _binned(scheme: Scheme, data: Path, reading: ReadOptions, *, labels: bool, only: bool) -> Table:
    """Return the table with codes or labels in place of values."""
    from cutwise.cli.inputs import read_for_scheme
    from cutwise.scheme import encode_columns, labels_of_codes
    from cutwise.table.frames import names_of

    frame, inputs = read_for_scheme(data, reading.settings(), scheme)
    codes = encode_columns(scheme, inputs.X)
    values = labels_of_codes(codes, scheme) if labels else codes
    bins: Table = {name: values[:, j].tolist() for j, name in enumerate(names_of(inputs.X))}
    return bins if only else _with_columns(frame, bins)


def _predicted(model: Any, data: Path, reading: ReadOptions, *, only: bool) -> Table:
    """Return the table with the predicted class and the probabilities beside it."""
    from cutwise.cli.inputs import read_for_scheme
    from cutwise.cli.output import columns_of_model
    from cutwise.table.frames import names_of

    if hasattr(model, "without_dropped"):
        model = model.without_dropped()
    frame, inputs = read_for_scheme(data, reading.settings(), columns_of_model(model))
    probabilities = model.predict_proba(inputs.X)
    classes = model.classes_.tolist()
    found: Table = {PREDICTED: [classes[place] for place in probabilities.argmax(axis=1)]}
    found |= {f"P({label})": probabilities[:, place].tolist() for place, label in enumerate(classes)}
    if hasattr(model, "reasons"):
        found["score"] = model.points(inputs.X).tolist()
        reasons = model.reasons(inputs.X, N_REASONS)
        found |= {f"reason_{place + 1}": reasons[:, place].tolist() for place in range(N_REASONS)}
    if only:
        return found
    taken = [name for name in found if name in names_of(frame)]
    if taken:
        raise CutwiseError(f"The table has a column {taken[0]!r} already. Rename it, or use --only.")
    return _with_columns(frame, found)


def _with_columns(frame: Any, new: Table) -> Table:
    """Return the columns of a frame, those of the same name replaced, then the others that are new."""
    from cutwise.table.columns import is_missing
    from cutwise.table.frames import items_of, names_of

    names = names_of(frame)
    before = {
        name: new[name] if name in new else [None if is_missing(item) else item for item in items_of(frame, name)]
        for name in names
    }
    return {**before, **new}


def _content(table: Table, out: Path, *, raw: bool) -> str | bytes:
    from cutwise.table.writing import csv_text, parquet_bytes

    end = out.suffix.lower()
    if end == ".parquet":
        return parquet_bytes(table)
    return csv_text(table, delimiter="\t" if end == ".tsv" else ",", raw=raw)
