"""``cutwise scorecard``: a scorecard with its report and its query, in one go."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations
from cutwise.cli.options import ReadOptions, reads_tables
from cutwise.errors import CutwiseError

if TYPE_CHECKING:
    from cutwise.cli.inputs import LearningInputs
    from cutwise.scheme import Scheme
    from cutwise.table.reading import ReadSettings

TRAINING = "training rows"
MODELS = ("logistic", "additive")
METHOD = "mrmd"
N_REASONS = 4


@reads_tables
def scorecard_command(
    data: opt.Data,
    *,
    target: opt.Target = None,
    event: opt.Event = None,
    columns: opt.Columns = None,
    exclude: opt.Exclude = None,
    keep: opt.Keep = None,
    weight: opt.Weight = None,
    weights: opt.Weights = None,
    scheme: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The bins: a scheme, such as one from a report. [default: they are learned]"),
    ] = None,
    method: opt.Method = METHOD,
    param: opt.Param = None,
    special: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBER", help="A special value such as -999, or age=-1 for one column; repeatable."),
    ] = None,
    max_bins: Annotated[str | None, typer.Option(metavar="N", help="Largest number of bins of an attribute.")] = None,
    min_bin_size: Annotated[
        str | None, typer.Option(metavar="N", help="Smallest number of rows of a bin, or their share.")
    ] = None,
    monotonic: Annotated[
        str | None, typer.Option(metavar="WAY", help="Class rate over the bins: auto, increasing or decreasing.")
    ] = None,
    confirm: opt.Confirm = None,
    model: Annotated[
        str, typer.Option(metavar="NAME", help="logistic: a coefficient a column; additive: a score a bin.")
    ] = "logistic",
    forward: Annotated[
        bool, typer.Option("--forward", help="Take columns while the loss of rows that are left out falls.")
    ] = False,
    min_iv: Annotated[float, typer.Option(metavar="NUMBER", help="Least information value of a column.")] = 0.02,
    max_correlation: Annotated[
        float, typer.Option(metavar="NUMBER", help="Largest correlation of two columns that are used.")
    ] = 0.9,
    pdo: Annotated[float, typer.Option(metavar="POINTS", help="Points that double the odds.")] = 20.0,
    base_score: Annotated[float, typer.Option(metavar="POINTS", help="Score at the base odds.")] = 600.0,
    base_odds: Annotated[float, typer.Option(metavar="ODDS", help="Other rows for each event.")] = 50.0,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help="New rows with classes, on which the score is measured too.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="NAME", help="Beginning of the names of the files. [default: DATA-scorecard]"
        ),
    ] = None,
    excel: Annotated[bool, typer.Option("--excel", help="Write an Excel workbook too.")] = False,
    dialect: Annotated[str, typer.Option(metavar="NAME", help="The database of the query.")] = "duckdb",
    table: Annotated[str, typer.Option(metavar="NAME", help="The table of the query.")] = "data",
    seed: opt.Seed = 0,
    as_json: opt.AsJson = False,
    reading: ReadOptions,
) -> None:
    """Learn a scorecard, and write it as a model, a report and an SQL query.

    Columns are cut and grouped, weighed by their evidence, and chosen; each bin has points, and their sum is the score.
    `cutwise apply` gives score, probability and reasons of other tables.
    """
    from cutwise.cli.cleaning import ALL, without_giveaways
    from cutwise.cli.inputs import make_method, read_inputs, special_values
    from cutwise.cli.output import check_outputs

    if target is None:
        raise CutwiseError("A scorecard learns from classes. Name their column: --target COLUMN.")
    if model not in MODELS:
        raise CutwiseError(f"There is no model {model!r}. Choose one of {', '.join(MODELS)}.")
    paths = _paths(out or Path(f"{'table' if str(data) == '-' else data.stem}-scorecard"), excel=excel)
    check_outputs([data, check, scheme], list(paths.values()))
    own = {
        "special_values": special_values(special or []),
        "max_bins": max_bins,
        "min_bin_size": min_bin_size,
        "monotonic": monotonic,
        "confirm": confirm,
        "weights": weights,
    }
    settings, chosen = reading.settings(), {"columns": columns, "exclude": exclude, "keep": keep}
    if scheme is None:
        bins = make_method(method, ["place=readable", "nominal=group", *(param or [])], own, seed)
        names = {option: values or () for option, values in chosen.items()}
        inputs = read_inputs(data, settings, target=target, weight=weight, **names)
    else:
        _refuse_beside_scheme({"method": method != METHOD, "param": param, **chosen, **own, "weights": None})
        bins, inputs = _agreed(scheme, data, settings, target, weight)
    of_card = {
        "model": model,
        "selection": "forward" if forward else None,
        "min_iv": min_iv,
        "max_correlation": max_correlation,
        "pdo": pdo,
        "base_score": base_score,
        "base_odds": base_odds,
        "weights": weights or "count",
    }
    card = _learn(bins, inputs, event, of_card)
    kept = (*(keep or ()), *(columns or ())) if scheme is None else ALL
    honest = without_giveaways(inputs, card.scheme_, kept)
    if honest is not inputs:
        inputs, card = honest, _learn(bins, honest, event, of_card)
    found = {TRAINING: card.evaluate(inputs.X, inputs.y, inputs.weights)}
    if check is not None:
        found[check.name] = on_rows(card, check, reading, target, weight)
    _write(CardOutput(card, found), paths, (f"Scorecard of {data.name}", dialect, table))
    if as_json:
        _show_json(card, found, paths)
    else:
        _show(card, found, paths, f"Scorecard of {data.name}")


def _refuse_beside_scheme(options: dict[str, Any]) -> None:
    """Raise an error if an option about bins is given, which a scheme has already."""
    for name, value in options.items():
        if value:
            option = {"special_values": "special"}.get(name, name).replace("_", "-")
            raise CutwiseError(f"--scheme has columns and bins, so --{option} has no effect. Leave one of them out.")


def _agreed(
    path: Path, data: Path, settings: ReadSettings, target: str, weight: str | None
) -> tuple[Scheme, LearningInputs]:
    """Return a scheme, and the rows of its columns."""
    from cutwise.cli.inputs import read_for_scheme
    from cutwise.cli.output import read_scheme

    scheme = read_scheme(path)
    return scheme, read_for_scheme(data, settings, scheme, target, weight)[1]


def _paths(start: Path, *, excel: bool) -> dict[str, Path]:
    """Return the file of each result."""
    ends = {"model": ".json", "report": ".html", "sql": ".sql", **({"workbook": ".xlsx"} if excel else {})}
    return {what: start.with_name(start.name + end) for what, end in ends.items()}


def _learn(bins: Any, inputs: LearningInputs, event: str | None, settings: dict[str, Any]) -> Any:
    from cutwise.classify import ScorecardClassifier
    from cutwise.cli.cleaning import with_formats
    from cutwise.cli.inputs import event_label, plain_errors
    from cutwise.cli.progress import watch
    from cutwise.scheme import Scheme

    named = None if event is None else event_label(event, inputs.y or ())
    options = {} if inputs.weights is None else {"sample_weight": inputs.weights}
    is_given = isinstance(bins, Scheme)
    if not is_given:
        watch(bins)
    with plain_errors():
        card = ScorecardClassifier(bins, event=named, **settings).fit(inputs.X, inputs.y, **options)
    if not is_given:
        card.scheme_ = with_formats(card.scheme_, inputs.formats)
        card.discretizer_._set_scheme(card.scheme_)  # noqa: SLF001
    return card


def on_rows(card: Any, path: Path, reading: ReadOptions, target: str, weight: str | None) -> Any:
    """Return how well a scorecard does on the rows of a file."""
    from cutwise.cli.inputs import plain_errors, read_for_scheme

    used = card.without_dropped()
    _, inputs = read_for_scheme(path, reading.settings(), used.scheme_, target, weight)
    with plain_errors():
        return used.evaluate(inputs.X, inputs.y, inputs.weights)


@dataclass(frozen=True, eq=False)
class CardOutput:
    """A scorecard and how well it does, by the name of the rows."""

    card: Any
    found: dict[str, Any]

    def page(self, title: str) -> str:
        """Return the report."""
        from cutwise.report import card_report

        return card_report(self.card, title, self.found)

    def workbook(self) -> bytes:
        """Return the workbook."""
        from cutwise.table.engines.source import require

        require("openpyxl", "excel")
        from cutwise.report.card_workbook import card_workbook

        return card_workbook(self.card, self.found)


def card_output(
    card: Any, files: list[Path | None], reading: ReadOptions, target: str | None, weight: str | None
) -> CardOutput:
    """Return a scorecard with its performance on the rows of some files."""
    named = [path for path in files if path is not None]
    if named and target is None:
        raise CutwiseError("How well a score does is seen from classes. Name their column: --target COLUMN.")
    return CardOutput(card, {path.name: on_rows(card, path, reading, str(target), weight) for path in named})


def _write(output: CardOutput, paths: dict[str, Path], names: tuple[str, str, str]) -> None:
    """Write model, report, query and workbook."""
    from cutwise.cli.output import write_result

    title, dialect, table = names
    card = output.card
    contents: dict[str, str | bytes] = {"model": card.to_json(), "report": output.page(title)}
    if card.columns_:
        contents["sql"] = card.to_sql(dialect, table, reasons=N_REASONS) + "\n"
    else:
        typer.echo("Note: no column is used, so there is no query.", err=True)
        paths.pop("sql")
    if "workbook" in paths:
        contents["workbook"] = output.workbook()
    for what, content in contents.items():
        write_result(paths[what], content)


def _show_json(card: Any, found: dict[str, Any], paths: dict[str, Path]) -> None:
    from cutwise.cli.output import write_json

    figures = {
        name: {
            word: {"value": one.value, "low": one.low, "high": one.high}
            for word, one in (("auc", rows.auc), ("gini", rows.gini), ("ks", rows.ks))
        }
        for name, rows in found.items()
    }
    names = card._point_names()  # noqa: SLF001
    points = [dict(zip(names, line, strict=True)) for line in card._point_lines()]  # noqa: SLF001
    files = {what: str(path) for what, path in paths.items()}
    write_json({"points": points, "dropped": card.dropped_, "performance": figures, "files": files})


def _show(card: Any, found: dict[str, Any], paths: dict[str, Path], title: str) -> None:
    from cutwise.cli.output import write_table
    from cutwise.scheme.attribute import number_text
    from cutwise.scheme.text import counted, shown

    counts = card.classifier_.card_.counts.of_class
    rate = counts[card.classifier_.card_.event] / counts.sum()
    facts = [counted(float(counts.sum()), "row"), f"event {shown(card.event_)} ({rate:.1%})"]
    values = dict(zip(card.scheme_.names, card.information_values_.tolist(), strict=True))
    lines = card._point_lines()  # noqa: SLF001
    rows = []
    for name in card.columns_:
        own = [line for line in lines if line[0] == name]
        points, coefficient = [line[-1] for line in own], own[0][-2]
        rows.append(
            [
                name,
                str(sum(line[2] > 0 for line in own)),
                f"{values[name]:.3f}",
                "" if coefficient is None else f"{coefficient:.3f}",
                f"{number_text(min(points))} to {number_text(max(points))}",
            ]
        )
    head = ("column", "bins", "IV", "coefficient", "points")
    write_table(f"{title}: {', '.join(facts)}", head, rows, numbers=head[1:])
    for name, why in card.dropped_.items():
        typer.echo(f"not used: {shown(name)}: {shown(why)}")
    typer.echo(
        f"{card.base_score:g} points at odds of {card.base_odds:g} to 1, {card.pdo:g} points double the odds; "
        f"rounding moves a score by at most {card.rounding_error_:.2f}"
    )
    for name, one in found.items():
        figures = f"AUC {_figure(one.auc)}, Gini {_figure(one.gini)}, KS {_figure(one.ks)}"
        typer.echo(f"{shown(name)}: {figures}")
    for what, path in paths.items():
        typer.echo(f"{what}: {path}")


def _figure(one: Any) -> str:
    return f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})"
