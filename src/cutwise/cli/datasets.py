"""The commands of ``cutwise datasets``: list, show, fetch and check the paper's data sets."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from cutwise.cli.options import AsJson  # noqa: TC001  # typer reads the annotations
from cutwise.cli.output import in_options, write_json, write_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cutwise.paper.datasets import DatasetDescription
    from cutwise.paper.datasets.fetching import FetchResult

FAILED = 2
MAX_FAILURES = 3
"""After so many failures in a row the network is taken to be gone."""

app = typer.Typer(
    name="datasets",
    help="The 45 data sets of the paper, in a local folder.",
    no_args_is_help=True,
    add_completion=False,
)

Folder = Annotated[
    Path | None, typer.Option("--folder", help="Where the files are; by default CUTWISE_DATA or the user's cache.")
]


@app.command("list")
def list_sets(folder: Folder = None, *, as_json: AsJson = False) -> None:
    """List the data sets, and which of them are here."""
    from cutwise.paper import datasets

    place = folder or datasets.folder()
    sets = [datasets.describe(name) for name in datasets.names()]
    if as_json:
        write_json([{**_summary(item), "is_here": (place / item.file).exists()} for item in sets])
        return
    rows = [[*map(str, _summary(item).values()), "yes" if (place / item.file).exists() else ""] for item in sets]
    write_table(f"Data sets; those here are in {place}", (*_summary(sets[0]), "here"), rows)


@app.command()
def show(name: Annotated[str, typer.Argument(help="The paper's name.")], *, as_json: AsJson = False) -> None:
    """Show the description of a data set."""
    about = _describe(name)
    facts = {
        **asdict(about),
        "n_numeric": about.n_numeric,
        "n_nominal": len(about.nominal),
        "n_classes": about.n_classes,
    }
    del facts["rules"]
    if as_json:
        write_json(facts)
        return
    rows = [[key, _as_text(value)] for key, value in facts.items() if value not in (None, "", ())]
    write_table(about.name, ("what", "is known"), rows)


@app.command()
def fetch(
    names: Annotated[list[str] | None, typer.Argument(help="The paper's names; all by default.")] = None,
    into: Annotated[
        Path | None, typer.Option("--into", help="The folder; by default CUTWISE_DATA or the cache.")
    ] = None,
    *,
    openml: Annotated[str | None, typer.Option(help="Another address of OpenML; empty to leave it out.")] = None,
    uci: Annotated[str | None, typer.Option(help="Another address of UCI; empty to leave it out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Fetch data sets from OpenML and UCI; this uses the network."""
    from cutwise.errors import DatasetError
    from cutwise.paper import datasets
    from cutwise.paper.datasets.services import OPENML, UCI

    services = datasets.DataServices(OPENML if openml is None else openml, UCI if uci is None else uci)
    wanted = [_describe(name).name for name in names or datasets.names()]
    done: list[FetchResult] = []
    problems: list[dict[str, str]] = []
    failures = 0
    for name in wanted:
        if failures == MAX_FAILURES:
            problems.append(
                {"name": name, "error": f"The data set {name!r} was not tried: too many failures in a row."}
            )
            continue
        try:
            done.append(datasets.fetch(name, into, services=services, progress=_progress(name)))
            failures = 0
        except DatasetError as error:
            problems.append({"name": name, "error": in_options(str(error))})
            failures += 1
    if as_json:
        write_json({"sets": [{**asdict(item), "path": str(item.path)} for item in done], "errors": problems})
    elif done:
        rows = [[item.name, item.match, "already here" if not item.source else item.difference] for item in done]
        write_table("Fetched data sets", ("name", "match", "difference"), rows)
    _finish([problem["error"] for problem in problems])


@app.command()
def check(folder: Folder = None, *, as_json: AsJson = False) -> None:
    """Check every file that is here against what is known of it."""
    from cutwise.errors import DatasetError
    from cutwise.paper import datasets
    from cutwise.paper.datasets.loading import read_checked

    place = folder or datasets.folder()
    found = [about for about in map(datasets.describe, datasets.names()) if (place / about.file).exists()]
    if not found:
        _fail(f"There is no data set in {str(place)!r}. Fetch them: cutwise datasets fetch")
    results = []
    for about in found:
        try:
            checked = read_checked(about, place)
        except DatasetError as error:
            results.append({"name": about.name, "match": "", "difference": "", "error": in_options(str(error))})
        else:
            results.append({"name": about.name, "match": checked.match, "difference": checked.difference, "error": ""})
    if as_json:
        write_json(results)
    else:
        rows = [[item["name"], item["match"] or "wrong", item["difference"]] for item in results]
        write_table(f"Data sets in {place}", ("name", "match", "difference"), rows)
    _finish([item["error"] for item in results if item["error"]])


def _summary(about: DatasetDescription) -> dict[str, Any]:
    return {
        "name": about.name,
        "rows": about.n_rows,
        "numeric": about.n_numeric,
        "nominal": len(about.nominal),
        "classes": about.n_classes,
        "missing": about.n_missing,
    }


def _as_text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {item}" for key, item in value.items())
    if isinstance(value, tuple):
        return (" " if any(str(item).endswith(".") for item in value) else ", ").join(map(str, value))
    return str(value)


def _progress(name: str) -> Callable[[int, int | None], None]:
    """Return what shows on a terminal how far a download is; elsewhere it shows nothing."""

    def show_bytes(so_far: int, total: int | None) -> None:
        if typer.get_text_stream("stderr").isatty():
            typer.echo(f"\r{name}: {so_far:,}{f' of {total:,}' if total else ''} bytes ", nl=so_far == total, err=True)

    return show_bytes


def _describe(name: str) -> DatasetDescription:
    from cutwise.errors import DatasetError
    from cutwise.paper import datasets

    try:
        return datasets.describe(name)
    except DatasetError as error:
        _fail(str(error))


def _finish(problems: Sequence[str]) -> None:
    """Exit with 2 if there are problems, after one line for each."""
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(FAILED)


def _fail(problem: str) -> NoReturn:
    typer.echo(in_options(problem), err=True)
    raise typer.Exit(FAILED)
