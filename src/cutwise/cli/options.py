"""Options that several commands have."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from cutwise import registry
from cutwise.errors import CutwiseError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cutwise.registry import Entry
    from cutwise.table.reading import ReadSettings


METHODS = registry.aliases(registry.DISCRETIZERS)
# Classifiers that find bins of their own, and those of given bins.
_EVERY = registry.aliases(registry.CLASSIFIERS)
SYSTEMS = {name: _EVERY[name] for name in ("cutwise", "additive")}
CLASSIFIERS = {name: entry for name, entry in _EVERY.items() if name not in SYSTEMS}


def method_class(name: str) -> type[Any]:
    """Return the discretizer of a name."""
    return _class(name, METHODS, "method")


def make_classifier(name: str) -> Any:
    """Return the classifier of codes of a name."""
    cls = _class(name, CLASSIFIERS, "classifier")
    return cls(nominal="all") if "nominal" in cls._get_param_names() else cls()


def make_system(name: str, discretizer: Any, *, with_its_bins: bool) -> Any:
    """Return a classifier that finds its bins, or learns from those of a discretizer if it can and is told to."""
    cls = _class(name, SYSTEMS, "classifier")
    shared = {key: getattr(discretizer, key) for key in ("special_values", "missing", "place", "weights", "n_jobs")}
    if not with_its_bins:
        return cls(**shared)
    if "bins" not in cls._get_param_names():
        raise CutwiseError(f"The classifier {name!r} finds its bins by itself. Leave --method out.")
    return cls(bins=discretizer, weights=discretizer.weights)


def _class(name: str, known: Mapping[str, Entry], what: str) -> type[Any]:
    if name not in known:
        from cutwise.table.frames import suggestion

        raise CutwiseError(f"There is no {what} {name!r}{suggestion(name, list(known))}")
    return registry.load(known[name])


def beginning_with(known: Mapping[str, Entry]) -> Callable[[str], list[tuple[str, str]]]:
    """Return what completes the beginning of a name in a shell, with what each stands for."""

    def complete(incomplete: str) -> list[tuple[str, str]]:
        return [(name, entry.text) for name, entry in known.items() if name.startswith(incomplete)]

    return complete


_DATA = "A CSV, Parquet, Excel, ARFF or KEEL file; - for the standard input."
Data = Annotated[Path, typer.Argument(metavar="DATA", help=_DATA)]
Scheme = Annotated[
    Path, typer.Argument(metavar="SCHEME", help="The scheme that `cutwise fit -o` wrote, or a model (--model).")
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="The model that `cutwise fit --model` wrote.")]
Target = Annotated[str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The column of the class labels.")]
Event = Annotated[
    str | None,
    typer.Option(
        "--event", metavar="CLASS", help="The class that rates and weights are about. [default: the rarer of two]"
    ),
]
Weight = Annotated[str | None, typer.Option("--weight", metavar="COLUMN", help="The column of the sample weights.")]
Weights = Annotated[
    str | None,
    typer.Option(
        "--weights", metavar="HOW", help="count: weights are numbers of rows; relative: only their ratios matter."
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option("--columns", "-c", metavar="COLUMN", help="A column to use; repeatable. [default: all]"),
]
Exclude = Annotated[
    list[str] | None, typer.Option("--exclude", "-x", metavar="COLUMN", help="A column to leave out; repeatable.")
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep",
        metavar="COLUMN",
        help="Use a column although it is constant, names the rows, hardly repeats or gives the class away; * for all.",
    ),
]
Method = Annotated[
    str,
    typer.Option("--method", "-m", metavar="NAME", help=", ".join(METHODS), autocompletion=beginning_with(METHODS)),
]
Classifier = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help=f"{', '.join(CLASSIFIERS)}; or with bins of their own: {', '.join(SYSTEMS)}.",
        autocompletion=beginning_with(_EVERY),
    ),
]
Param = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", metavar="KEY=VALUE", help="A parameter of the method; repeatable."),
]
Confirm = Annotated[
    list[str] | None,
    typer.Option(
        metavar="P",
        help="Make only cuts that chance makes with at most this probability; none: all; age=0.05 for one column. "
        "[default: 0.01]",
    ),
]
Nominal = Annotated[
    list[str] | None,
    typer.Option(metavar="HOW", help="Categories: bin (each a bin) or group (like class rates share a bin)."),
]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Random seed.")]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="N", help="Columns processed in parallel.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

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
    clean: bool

    def settings(self) -> ReadSettings:
        r"""Return how a file is read; ``\t`` stands for a tab."""
        from cutwise.table.reading import ReadSettings
        from cutwise.table.reading.settings import MISSING

        return ReadSettings(
            format=self.form,
            encoding=self.encoding,
            delimiter="\t" if self.delimiter in {r"\t", "tab"} else self.delimiter,
            decimal=self.decimal,
            missing=("", *self.null) if self.null else MISSING,
            texts=frozenset(self.as_text or ()),
            sheet=self.sheet,
            clean=self.clean,
        )


def _options(
    *,
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", help="csv, parquet, excel, arff or keel. [default: by file extension]"
        ),
    ] = None,
    encoding: Annotated[str, typer.Option(metavar="NAME", help="The encoding of a text file.")] = "utf-8",
    delimiter: Annotated[
        str | None, typer.Option(metavar="CHARACTER", help="Delimiter of a CSV file. [default: detected]")
    ] = None,
    decimal: Annotated[
        str | None, typer.Option(metavar="CHARACTER", help="Decimal mark of a CSV file. [default: detected]")
    ] = None,
    null: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Text treated as missing; repeatable. [default: empty, NA, NaN, ?, null]"),
    ] = None,
    as_text: Annotated[
        list[str] | None,
        typer.Option("--as-text", metavar="COLUMN", help="Column read as text although it looks numeric; repeatable."),
    ] = None,
    sheet: Annotated[
        str | None, typer.Option(metavar="NAME", help="The sheet of an Excel file. [default: the first]")
    ] = None,
    clean: Annotated[
        bool,
        typer.Option(
            "--clean/--no-clean",
            help="Recognise numbers such as $1,200, dates, booleans and n/a, or leave them as text.",
        ),
    ] = True,
) -> ReadOptions:
    return ReadOptions(form, encoding, delimiter, decimal, null, as_text, sheet, clean)


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
