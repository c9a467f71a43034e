"""``cutwise paper``: measure the paper's methods, make its tables, and see how far that is."""

from __future__ import annotations

import contextlib
import json
import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cutwise.cli import options as opt  # noqa: TC001  # typer reads the annotations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cutwise.paper.evaluate import CellTask, FoldProtocol, Journal, Measure, RunSummary

CELLS_FAILED = 1
INTERRUPTED = 130
DATA = "CUTWISE_DATA"
N_SHOWN = 5
NAMES = ("discretizer", "classifier", "dataset")

app = typer.Typer(help="The paper's evaluation.", no_args_is_help=True, rich_markup_mode=None)
JournalPath = Annotated[Path, typer.Option("--journal", metavar="FILE", help="The file of the results.")]
JOURNAL = Path("paper.journal")


class TableFormat(StrEnum):
    """What tables are written as."""

    md = "md"
    html = "html"
    latex = "latex"
    csv = "csv"


@app.command("run")
def run_command(
    *,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="A name, or dataset/discretizer/classifier with *; repeatable."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Ten small data sets, without EMD and the yardsticks.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="Worker processes. [default: one per processor]")
    ] = None,
    journal: JournalPath = JOURNAL,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder of the data sets.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Measure failed cells again.")] = False,
    skip: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="What to leave out, as for --only; repeatable.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, metavar="K", help="Repeats of the cross-validation.")] = 1,
    seed: opt.Seed = 0,
    folds: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder with your own folds, a file for each data set.")
    ] = None,
) -> None:
    """Measure what the journal does not hold yet.

    It can be interrupted at any time: the same command resumes it. Nearly all of the
    time goes to EMD; --skip emd leaves it for later. The networks resnet, ftt and rvfl-tuned,
    which take hours without a GPU, and rnb-published and MRmD with other N_D (mrmd-nd-2 to
    mrmd-nd-200, mrmd-tuned, mrmd-tuned-c45, mrmd-auto, mrmd-auto-c45), joint and joint-nb are measured only if --only
    names them.
    """
    from cutwise.paper import registry
    from cutwise.paper.evaluate import FoldProtocol, Journal
    from cutwise.scheme.text import counted

    protocol = FoldProtocol(seed=seed, folder=None if folds is None else str(folds.resolve()))
    with _data_folder(data):
        tasks = _tasks(quick=quick, repeats=repeats, only=only or [], skip=skip or [])
        _check_data(tasks, journal, retry_failed=retry_failed)
        with Journal(journal, _header(protocol)) as file:
            for note in file.notes:
                typer.echo(note, err=True)
            summary = _run(tasks, registry.work(protocol), file, journal, jobs=jobs, retry_failed=retry_failed)
    typer.echo(f"{counted(summary.n_done, 'cell')} measured, {summary.n_before} were there before: {journal}")
    for line in time_lines(status(journal)) if summary.n_done else ():
        typer.echo(line)
    if summary.n_failed:
        hint = "`cutwise paper status` shows why, --retry-failed measures them again."
        typer.echo(f"{counted(summary.n_failed, 'cell')} failed: {hint}", err=True)
        raise typer.Exit(CELLS_FAILED)


@app.command("tables")
def tables_command(
    *,
    journals: Annotated[
        list[Path] | None,
        typer.Option("--journal", metavar="FILE", help="Results; repeatable. [default: paper.journal]"),
    ] = None,
    into: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the tables.")] = Path("tables"),
    form: Annotated[list[TableFormat] | None, typer.Option("--format", help="Repeatable. [default: all]")] = None,
    figures: Annotated[bool, typer.Option(help="Draw ranks and differences too; that needs matplotlib.")] = True,
) -> None:
    """Write the paper's tables, ours beside the published figures, and pictures of them."""
    from cutwise.paper.evaluate import Journal
    from cutwise.paper.figures import write_figures
    from cutwise.paper.tables import write_tables

    results = [result for path in journals or [JOURNAL] for result in Journal.read(path)]
    paths = write_tables(results, into, tuple(item.value for item in form or TableFormat))
    for path in [*paths, *(write_figures(results, into) if figures else ())]:
        typer.echo(path)


@app.command("status")
def status_command(
    *,
    journal: JournalPath = JOURNAL,
    as_json: opt.AsJson = False,
) -> None:
    """Show what the journal holds, what failed, and where the time went."""
    found = status(journal)
    typer.echo(json.dumps(found, indent=2) if as_json else status_text(found))


def _tasks(*, quick: bool, repeats: int, only: list[str], skip: list[str]) -> list[CellTask]:
    from cutwise.paper import registry
    from cutwise.paper.datasets import names
    from cutwise.paper.evaluate.cells import choose, fits, leave_out

    datasets = registry.QUICK if quick else names()
    chosen = tasks = registry.tasks(datasets, repeats=repeats)
    if only:
        more = registry.tasks(datasets, plan=registry.REQUEST_PLAN, repeats=repeats)
        usual = [pattern for pattern in only if fits(tasks, pattern)]
        asked = [pattern for pattern in only if pattern not in usual]
        chosen = choose(tasks, usual) + choose(tasks + more, asked)
    if quick and not only:
        skip = [*registry.NOT_QUICK, *skip]
    return leave_out(chosen, skip) if skip else chosen


def _check_data(tasks: list[CellTask], journal: Path, *, retry_failed: bool) -> None:
    """Raise DatasetError before anything is written if a data set that is still to be measured is not there."""
    from cutwise.paper.datasets.loading import check_present
    from cutwise.paper.evaluate import Journal
    from cutwise.paper.evaluate.runner import remaining

    known = {result.cell: result for result in Journal.read(journal)} if journal.exists() else {}
    check_present(dict.fromkeys(task.dataset for task in remaining(tasks, known, retry_failed=retry_failed)))


def _header(protocol: FoldProtocol) -> dict[str, int | str]:
    """Return what must be the same in all runs of a journal."""
    fixed: dict[str, int | str] = {"n_folds": protocol.n_folds, "seed": protocol.seed}
    return fixed if protocol.folder is None else {**fixed, "folds": protocol.folder}


def _run(
    tasks: list[CellTask], work: Measure, file: Journal, path: Path, *, jobs: int | None, retry_failed: bool
) -> RunSummary:
    from cutwise.cli.progress import shown_progress
    from cutwise.paper.evaluate import run
    from cutwise.scheme.text import counted

    try:
        with shown_progress() as progress:
            return run(tasks, work, file, n_jobs=jobs, retry_failed=retry_failed, progress=progress)
    except KeyboardInterrupt:
        message = f"Interrupted: {path} holds {counted(len(file.results), 'cell')}; the same command resumes it."
        typer.echo(message, err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextlib.contextmanager
def _data_folder(folder: Path | None) -> Iterator[None]:
    """Name the folder of the data sets for this process and those that it starts."""
    before = os.environ.get(DATA)
    if folder is not None:
        os.environ[DATA] = str(folder.resolve())
    try:
        yield
    finally:
        if before is not None:
            os.environ[DATA] = before
        elif folder is not None:
            del os.environ[DATA]


def status(journal: Path) -> dict[str, Any]:
    """Return what a journal holds as plain data."""
    from cutwise.paper.evaluate.journal import notes_of, read_content
    from cutwise.paper.evaluate.runner import seconds_by

    content = read_content(journal)
    results = [content.results[cell][0] for cell in sorted(content.results)]
    return {
        "journal": str(journal),
        "protocol": content.protocol or {},
        "n_results": len(results),
        "failed": {str(result.cell): result.error for result in results if result.error},
        "seconds": sum(result.seconds for result in results),
        "seconds_by": {what: seconds_by(results, what) for what in NAMES},
        "sessions": {str(number): versions for number, versions in content.sessions.items()},
        "notes": notes_of(content),
    }


def status_text(found: dict[str, Any]) -> str:
    """Return the same as text."""
    from cutwise.scheme.text import counted

    lines = [f"{found['journal']}: {counted(found['n_results'], 'cell')}, {len(found['failed'])} of them failed."]
    lines += found["notes"]
    lines += [f"  {line}" for line in _first([f"{cell}: {error}" for cell, error in found["failed"].items()])]
    return "\n".join(lines + time_lines(found))


def time_lines(found: dict[str, Any]) -> list[str]:
    """Return where the time went; nothing if no time was taken."""
    from cutwise.cli.progress import duration

    if not found["seconds"]:
        return []
    parts = [_times(what, found["seconds_by"][what], found["seconds"]) for what in NAMES]
    return [f"Time: {duration(found['seconds'])} of one processor.", *parts]


def _times(what: str, seconds: dict[str, float], total: float) -> str:
    from cutwise.cli.progress import duration

    shares = [f"{name} {duration(part)} ({part / total:.0%})" for name, part in seconds.items()]
    return f"  by {what}: " + ", ".join(_first(shares))


def _first(parts: list[str]) -> list[str]:
    return parts if len(parts) <= N_SHOWN else [*parts[:N_SHOWN], f"and {len(parts) - N_SHOWN} more"]
