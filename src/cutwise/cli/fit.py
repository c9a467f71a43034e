"""``cutwise fit``: learn the bins of a table."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path  # noqa: TC003  # typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations
from cutwise.cli.options import ReadOptions, reads_tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.cli.inputs import LearningInputs
    from cutwise.counts import ColumnCounts
    from cutwise.scheme import Attribute

MOST_CUTS = 8
MOST_DIGITS = 10
# So many categories are told of.
MANY_CATEGORIES = 100


@dataclass(frozen=True, eq=False)
class FittedModel:
    """What was learned: a fitted discretizer, and a classifier on its bins if one was asked for."""

    discretizer: Any
    model: Any = None


class Learner(NamedTuple):
    """The classifier to learn; one that finds its bins may be told to learn from those of the method."""

    name: str
    with_bins: bool = True


@reads_tables
def fit_command(
    context: typer.Context,
    data: opt.Data,
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
    special: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBER", help="A special value such as -999, or age=-1 for one column; repeatable."),
    ] = None,
    max_bins: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N",
            help="Largest number of bins of an attribute; age=5 for one column, repeatable, as all up to --nominal.",
        ),
    ] = None,
    min_bins: Annotated[
        list[str] | None,
        typer.Option(metavar="N", help="Least number of bins."),
    ] = None,
    min_bin_size: Annotated[
        list[str] | None,
        typer.Option(metavar="N", help="Smallest number of rows of a bin, or their share."),
    ] = None,
    max_bin_size: Annotated[
        list[str] | None,
        typer.Option(metavar="N", help="Largest number of rows of a bin, or their share."),
    ] = None,
    min_events: Annotated[
        list[str] | None,
        typer.Option(metavar="N", help="Least rows of the event in a bin, and of the other classes."),
    ] = None,
    max_pvalue: Annotated[
        list[str] | None,
        typer.Option(
            metavar="P", help="Join neighbouring bins whose rates differ as much by chance with a higher probability."
        ),
    ] = None,
    monotonic: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WAY",
            help="Rate of the event over the bins: increasing, decreasing, peak, valley, concave, convex or auto.",
        ),
    ] = None,
    confirm: opt.Confirm = None,
    nominal: opt.Nominal = None,
    missing: Annotated[
        str | None, typer.Option(metavar="HOW", help="Missing values: code (-1) or bin (a bin of their own).")
    ] = None,
    place: Annotated[
        str | None,
        typer.Option(metavar="HOW", help="Where a cut lies between two values: midpoint, readable or value."),
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the scheme as JSON.")] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an HTML report.")] = None,
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Learn a classifier on the bins and write it as JSON.")
    ] = None,
    classifier: opt.Classifier = "rnb",
    seed: opt.Seed = 0,
    jobs: opt.Jobs = None,
    as_json: opt.AsJson = False,
    reading: ReadOptions,
) -> None:
    """Learn the bins of a table, and write them as a scheme.

    Numeric columns are cut, the others have a bin for each category, or for each group of them. `cutwise apply` puts
    other tables into the same bins.
    """
    from cutwise.cli.inputs import (
        make_method,
        read_inputs,
        special_values,
    )
    from cutwise.cli.output import JSON_ENDS, PAGE_ENDS, check_end, check_outputs

    check_outputs([data], [out, report, model])
    for path, ends, what in (
        (out, JSON_ENDS, "a scheme"),
        (report, PAGE_ENDS, "a report"),
        (model, JSON_ENDS, "a model"),
    ):
        check_end(path, ends, what)
    own = {
        "special_values": special_values(special or []),
        "max_bins": max_bins,
        "min_bins": min_bins,
        "min_bin_size": min_bin_size,
        "max_bin_size": max_bin_size,
        "min_events": min_events,
        "max_pvalue": max_pvalue,
        "monotonic": monotonic,
        "confirm": confirm,
        "nominal": nominal,
        "missing": missing,
        "place": place,
        "n_jobs": jobs,
        "weights": weights,
    }
    discretizer = make_method(method, param or [], own, seed)
    settings = reading.settings()
    inputs = read_inputs(
        data, settings, target=target, weight=weight, columns=columns or (), exclude=exclude or (), keep=keep or ()
    )
    kept = (*(keep or ()), *(columns or ()))
    # Classifiers that find their bins take those of a method that is named.
    is_named = getattr(context.get_parameter_source("method"), "name", "") != "DEFAULT"
    learner = None if model is None else Learner(classifier, with_bins=is_named)
    fitted, inputs = learn_without_giveaways(discretizer, inputs, kept, method, learner, event)
    _tell_of_many_categories(fitted.discretizer)
    files = _write(fitted, inputs, {"scheme": out, "report": report, "model": model}, data)
    if out is None or str(out) != "-":
        _show(fitted, files, inputs.left_out, as_json=as_json)


def learn_without_giveaways(
    discretizer: Any, inputs: LearningInputs, keep: Sequence[str], *options: Any
) -> tuple[FittedModel, LearningInputs]:
    """Fit as `learn` does, without columns that give the class away; return what was learned from too."""
    from cutwise.cli.cleaning import without_giveaways

    fitted = learn(discretizer, inputs, *options)
    honest = without_giveaways(inputs, fitted.discretizer.scheme_, keep)
    return (fitted if honest is inputs else learn(discretizer, honest, *options)), honest


def learn(
    discretizer: Any, inputs: LearningInputs, method: str, classifier: Learner | None = None, event: str | None = None
) -> FittedModel:
    """Fit a discretizer, and a classifier if one is named; the event is a class or its text."""
    from cutwise.cli.inputs import event_label, fill_others, plain_errors
    from cutwise.cli.options import SYSTEMS, make_classifier, make_system
    from cutwise.cli.progress import watch
    from cutwise.errors import CutwiseError
    from cutwise.table.frames import names_of

    needs_target = discretizer.__sklearn_tags__().target_tags.required or classifier is not None
    if inputs.y is None and needs_target:
        what = f"The method {method!r}" if classifier is None else "A classifier"
        raise CutwiseError(f"{what} learns from classes. Name their column: --target COLUMN.")
    if event is not None:
        if inputs.y is None:
            raise CutwiseError(f"The event {event!r} is a class. Name the column of the classes: --target COLUMN.")
        discretizer.set_params(event=event_label(event, inputs.y))
    fill_others(discretizer, names_of(inputs.X))
    options = {} if inputs.weights is None else {"sample_weight": inputs.weights}
    watch(discretizer)
    with plain_errors():
        if classifier is None:
            return _with_formats(FittedModel(discretizer.fit(inputs.X, inputs.y, **options)), inputs)
        if classifier.name in SYSTEMS:
            model = make_system(classifier.name, discretizer, with_its_bins=classifier.with_bins)
        else:
            from cutwise.classify import DiscretizedClassifier

            model = DiscretizedClassifier(discretizer, make_classifier(classifier.name), weights=discretizer.weights)
        model.fit(inputs.X, inputs.y, **options)
        if not hasattr(model, "discretizer_"):
            discretizer.fit(inputs.X, inputs.y, **options)
        return _with_formats(FittedModel(getattr(model, "discretizer_", discretizer), model), inputs)


def _with_formats(fitted: FittedModel, inputs: LearningInputs) -> FittedModel:
    """Let the scheme know how its columns are written in files."""
    from cutwise.cli.cleaning import with_formats

    scheme = with_formats(fitted.discretizer.scheme_, inputs.formats)
    fitted.discretizer._set_scheme(scheme)  # noqa: SLF001
    if hasattr(fitted.model, "members_"):
        members = fitted.model.members_
        schemes = {id(one.scheme): with_formats(one.scheme, inputs.formats) for one in members}
        fitted.model.members_ = tuple(replace(one, scheme=schemes[id(one.scheme)]) for one in members)
    elif fitted.model is not None:
        fitted.model.scheme_ = scheme
    return fitted


def counts_of(fitted: FittedModel, inputs: LearningInputs) -> list[ColumnCounts | None] | None:
    """Return the counts in which cuts can be edited; None without classes, when they can only be removed."""
    from cutwise.report import count_rows

    if inputs.y is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit has told
        return count_rows(fitted.discretizer, inputs.X, inputs.y, inputs.weights)


def _write(fitted: FittedModel, inputs: LearningInputs, paths: dict[str, Path | None], data: Path) -> dict[str, str]:
    """Write the files that were asked for; return what each holds."""
    from cutwise.cli.output import write_result

    asked = {what: path for what, path in paths.items() if path is not None}
    contents = {}
    if "scheme" in asked:
        contents["scheme"] = fitted.discretizer.scheme_.to_json()
    if "report" in asked:
        from cutwise.report import html_report

        contents["report"] = html_report(
            fitted.discretizer.scheme_, f"Bins of {data.name}", counts_of(fitted, inputs), left_out=inputs.left_out
        )
    if "model" in asked:
        contents["model"] = fitted.model.to_json()
    for what, content in contents.items():
        write_result(asked[what], content)
    return {what: str(path) for what, path in asked.items()}


def _show(fitted: FittedModel, files: dict[str, str], left_out: Mapping[str, str], *, as_json: bool) -> None:
    from cutwise.cli.output import write_json, write_table
    from cutwise.report.summary import ranked_attributes
    from cutwise.scheme.text import counted, rows_text, shown

    scheme = fitted.discretizer.scheme_
    if as_json:
        write_json({"scheme": scheme.to_dict(), "files": files, "left_out": dict(left_out)})
        return
    first = scheme.attributes[0]
    n_rows = sum(first.rows) + sum(first.missing_by_class)
    n_cuts = sum(len(getattr(attribute, "cuts", ())) for attribute in scheme.attributes)
    sizes = [counted(n_rows, "row"), counted(len(scheme.attributes), "attribute"), counted(n_cuts, "cut")]
    sizes += [] if scheme.event is None else [f"event {shown(scheme.event)}"]
    rows = [
        [
            attribute.name,
            attribute.kind,
            str(attribute.n_bins),
            _cuts_text(attribute),
            rows_text(sum(attribute.missing_by_class)) if any(attribute.missing_by_class) else "",
            f"{attribute.relevance:.4f}",
        ]
        for attribute in ranked_attributes(scheme)
    ]
    head = ("attribute", "kind", "bins", "cuts", "missing", "relevance")
    write_table(f"{scheme.method}: {', '.join(sizes)}", head, rows, numbers=("bins", "missing", "relevance"))
    for what, path in files.items():
        typer.echo(f"{what}: {path}")


def _cuts_text(attribute: Attribute) -> str:
    """Return the cuts in as many digits as people read, or of how many categories groups are made."""
    from cutwise.scheme import NominalAttribute
    from cutwise.scheme.attribute import number_text

    if isinstance(attribute, NominalAttribute):
        return f"groups of {len(attribute.categories):,} categories" if attribute.is_grouped else ""
    cuts = getattr(attribute, "cuts", ())
    listed = ", ".join(number_text(float(f"{cut:.{MOST_DIGITS}g}")) for cut in cuts[:MOST_CUTS])
    return listed if len(cuts) <= MOST_CUTS else f"{listed}, and {len(cuts) - MOST_CUTS} more"


def _tell_of_many_categories(discretizer: Any) -> None:
    """Print a line for each column with very many categories that might be grouped."""
    from cutwise.discretize.seen import is_grouped
    from cutwise.scheme.text import shown

    if not discretizer.groups_categories:
        return
    for attribute in discretizer.scheme_.attributes:
        is_many = attribute.kind == "nominal" and attribute.n_bins > MANY_CATEGORIES
        if is_many and not is_grouped(discretizer, attribute.name):
            message = f"{attribute.name}: each of its {attribute.n_bins:,} categories is a bin, many with few rows. "
            typer.echo(shown(f"{message}--nominal group joins those with like class rates."), err=True)
