"""``cutwise compare``: all methods on a table, cross-validated."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cutwise.cli import options as opt
from cutwise.cli.options import CLASSIFIERS, METHODS, ReadOptions, reads_tables
from cutwise.errors import CutwiseError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cutwise.cli.inputs import LearningInputs
    from cutwise.paper.evaluate import CellResult, RunSummary

CELLS_FAILED = 1
INTERRUPTED = 130
NOT_BY_DEFAULT = ("emd", "fixed-cuts")
DEFAULT_CLASSIFIERS = ("nb", "c45", "rnb")


@reads_tables
def compare_command(
    data: opt.Data,
    *,
    target: opt.Target = None,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            "-m",
            metavar="NAME",
            help=f"A method; repeatable. [default: all but {NOT_BY_DEFAULT[0]}]",
            autocompletion=opt.beginning_with(METHODS),
        ),
    ] = None,
    classifiers: Annotated[
        list[str] | None,
        typer.Option(
            "--classifier",
            metavar="NAME",
            help=f"{', '.join(CLASSIFIERS)}; repeatable. [default: nb, c45, rnb]",
            autocompletion=opt.beginning_with(CLASSIFIERS),
        ),
    ] = None,
    columns: opt.Columns = None,
    exclude: opt.Exclude = None,
    keep: opt.Keep = None,
    weight: opt.Weight = None,
    weights: opt.Weights = None,
    folds: Annotated[int, typer.Option(min=2, metavar="K", help="Folds of a cross-validation.")] = 10,
    repeats: Annotated[int, typer.Option(min=1, metavar="K", help="Repeats of the cross-validation.")] = 1,
    seed: opt.Seed = 0,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", metavar="N", help="Worker processes. [default: one per processor]")
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the results, so that the same command resumes an interrupted run."),
    ] = None,
    hold: Annotated[
        bool,
        typer.Option("--hold", help="Learn cuts from a half of the rows and judge by the other whether they hold."),
    ] = False,
    as_json: opt.AsJson = False,
    reading: ReadOptions,
) -> None:
    """Cross-validate methods and classifiers on a table.

    Everything is learned from the training rows of each fold: what replaces missing values, the bins and the
    classifier. The rank of a method is its mean rank by accuracy over the folds, 1 being the best. With
    --weight rows count as often as it says, in learning and in the figures; with --weights relative the weights
    are rescaled first, so that they add up to the number of rows.

    With --hold the cuts themselves are judged, without a classifier: each half of the rows is learned from and
    judged by the other. A cut is confirmed if the class rates move in the same direction across it in both halves.
    New bits are what the learned class rates of the bins are worth on new rows, in bits a row and added up over the
    columns; kept is their share of the relevance in the half that was learned from. IV lost is the share of the
    information value that is not there on new rows (two classes). Again is the share of the cuts that bootstrap
    samples of the half have, too, up to 5 % of the rows. Noise cut is the share of the numeric columns that are cut
    although their values were shuffled.
    """
    from cutwise import MRmDDiscretizer
    from cutwise.cli.comparison import as_data, show_comparison
    from cutwise.cli.fit import learn_without_giveaways
    from cutwise.cli.inputs import read_inputs
    from cutwise.cli.output import (
        check_outputs,
        write_json,
    )

    check_outputs([data], [journal])
    if target is None:
        message = "Methods are compared by how well classes are predicted. Name their column: --target COLUMN."
        raise CutwiseError(message)
    names = _known(methods, METHODS, [name for name in METHODS if name not in NOT_BY_DEFAULT], "method")
    learners = _known(classifiers, CLASSIFIERS, DEFAULT_CLASSIFIERS, "classifier")
    if weights not in (None, "count", "relative"):
        raise CutwiseError(f"--weights is 'count' or 'relative', not {weights!r}.")
    settings = reading.settings()
    inputs = read_inputs(
        data, settings, target=target, weight=weight, columns=columns or (), exclude=exclude or (), keep=keep or ()
    )
    _, inputs = learn_without_giveaways(MRmDDiscretizer(), inputs, (*(keep or ()), *(columns or ())), "mrmd")
    shown_name = data.name if weight is None else f"{data.name} weighted by {weight}"
    if hold:
        _refuse_with_hold(classifier=classifiers, journal=journal)
        _judge(inputs, names, (repeats, seed, weights or "count", jobs), shown_name, as_json=as_json)
        return
    with _journal_file(journal) as path:
        results, summary = _measure(
            inputs,
            (names, learners),
            (folds, repeats, seed),
            path,
            meaning=weights or "count",
            jobs=jobs,
            is_kept=journal is not None,
        )
    if as_json:
        write_json(as_data(results, folds, repeats))
    else:
        show_comparison(results, folds, repeats, shown_name)
    if summary.n_failed or any(result.error for result in results):
        raise typer.Exit(CELLS_FAILED)


def _refuse_with_hold(**options: Any) -> None:
    """Raise for options that have no meaning where cuts are judged without a classifier."""
    for name, value in options.items():
        if value is not None:
            raise CutwiseError(f"--hold judges cuts alone, without a classifier and in one go. Leave --{name} out.")


def _judge(
    inputs: LearningInputs,
    names: Sequence[str],
    protocol: tuple[int, int, str, int | None],
    name: str,
    *,
    as_json: bool,
) -> None:
    """Judge the cuts of methods by halves of the table, and show what came out."""
    from cutwise.cli.holding import holding_data, judge_methods, show_holding
    from cutwise.cli.output import write_json

    repeats, seed, meaning, jobs = protocol
    judged = judge_methods(inputs, names, repeats, seed, meaning=meaning, n_jobs=jobs)
    if as_json:
        write_json(holding_data(judged))
    else:
        show_holding(judged, repeats, name)
    if any(method.error for method in judged):
        raise typer.Exit(CELLS_FAILED)


def _known(asked: Sequence[str] | None, known: Collection[str], default: Sequence[str], what: str) -> list[str]:
    """Return the names that were asked for, which may be joined by commas."""
    from cutwise.table.frames import suggestion

    names = [part.strip() for text in asked or () for part in text.split(",") if part.strip()]
    for name in names:
        if name not in known or name == "fixed-cuts":
            message = f"There is no {what} {name!r} to compare{suggestion(name, [key for key in known if key != name])}"
            raise CutwiseError(message)
    return list(dict.fromkeys(names)) or list(default)


@contextlib.contextmanager
def _journal_file(asked: Path | None) -> Iterator[Path]:
    if asked is not None:
        yield asked
        return
    with tempfile.TemporaryDirectory(prefix="cutwise-") as folder:
        yield Path(folder) / "compare.journal"


def _measure(
    inputs: LearningInputs,
    names: tuple[Sequence[str], Sequence[str]],
    protocol: tuple[int, int, int],
    path: Path,
    *,
    meaning: str,
    jobs: int | None,
    is_kept: bool,
) -> tuple[list[CellResult], RunSummary]:
    """Measure what the journal does not hold yet; return all that was asked for."""
    from cutwise.cli.comparison import GivenTable, fingerprint, methods_by_name
    from cutwise.cli.progress import shown_progress
    from cutwise.paper.evaluate import CellTask, FoldProtocol, Journal, Measure, run

    n_folds, n_repeats, seed = protocol
    table = GivenTable.checked(inputs, n_folds, meaning)
    work = Measure(table, methods_by_name(), FoldProtocol(n_folds=n_folds, seed=seed))
    tasks = [
        CellTask("table", name, repeat, fold, tuple(names[1]))
        for repeat in range(n_repeats)
        for fold in range(n_folds)
        for name in names[0]
    ]
    header: dict[str, Any] = {"n_folds": n_folds, "seed": seed, "table": fingerprint(inputs)}
    if meaning != "count":
        header["weights"] = meaning
    with Journal(path, header) as file:
        for note in file.notes:
            typer.echo(note, err=True)
        try:
            with shown_progress() as progress:
                summary = run(tasks, work, file, n_jobs=jobs, progress=progress)
        except KeyboardInterrupt:
            hint = "the same command resumes it" if is_kept else "with --journal FILE it can be resumed next time"
            typer.echo(f"Interrupted; {hint}.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        cells = [cell for task in tasks for cell in task.cells()]
        return [file.results[cell] for cell in cells if cell in file.results], summary
