"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cutwise.cli.names import CLASSIFIERS, METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def beginning_with(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return what completes the beginning of a name in a shell."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return complete


_DATA = "A CSV, Parquet, Excel, ARFF or KEEL file; - for the standard input."
Data = Annotated[Path, typer.Argument(metavar="DATA", help=_DATA)]
Scheme = Annotated[
    Path, typer.Argument(metavar="SCHEME", help="The scheme that `cutwise fit -o` wrote, or a model (--model).")
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="The model that `cutwise fit --model` wrote.")]
Target = Annotated[str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The column of the classes.")]
Weight = Annotated[str | None, typer.Option("--weight", metavar="COLUMN", help="How often each row counts.")]
Weights = Annotated[
    str | None,
    typer.Option("--weights", metavar="HOW", help="count: how often rows count; relative: only the ratios matter."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option("--columns", "-c", metavar="COLUMN", help="A column to use; again for more. [default: all]"),
]
Exclude = Annotated[
    list[str] | None, typer.Option("--exclude", "-x", metavar="COLUMN", help="A column to leave out; again for more.")
]
Method = Annotated[
    str,
    typer.Option("--method", "-m", metavar="NAME", help=", ".join(METHODS), autocompletion=beginning_with(METHODS)),
]
Classifier = Annotated[
    str,
    typer.Option(metavar="NAME", help=", ".join(CLASSIFIERS), autocompletion=beginning_with(CLASSIFIERS)),
]
Param = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", metavar="KEY=VALUE", help="A parameter of the method; again for more."),
]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="The beginning of all random numbers.")]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="N", help="Columns worked on at the same time.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
