"""The commands of ``cutwise``, and how errors become messages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cutwise import __version__
from cutwise.cli import (
    FAULT,
    WRONG_USE,
    apply,
    check,
    compare,
    datasets,
    explain,
    export,
    fit,
    paper,
    report,
    scorecard,
)
from cutwise.cli.output import show_error, show_fault
from cutwise.errors import CutwiseError

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(
    help="Turn numbers into categories that hold on new data.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("fit")(fit.fit_command)
app.command("apply", short_help="Encode a table by its bins, or predict class labels.")(apply.apply_command)
app.command("explain", short_help="Explain the prediction of a row.")(explain.explain_command)
app.command("check")(check.check_command)
app.command("report")(report.report_command)
app.command("scorecard")(scorecard.scorecard_command)
app.command("export")(export.export_command)
app.command("compare")(compare.compare_command)
app.add_typer(paper.app, name="paper")
app.add_typer(datasets.app, name="datasets")


@app.command("demo", short_help="Fit an example and write a report.")
def demo_command(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Where the report is written.")] = "demo-report",
) -> None:
    """Fit the breast cancer table of scikit-learn, show what was found, and write a report."""
    from cutwise.demo import main

    raise typer.Exit(main(["--", folder]))


@app.command("warm-up", short_help="Compile everything, so that no fit has to wait.")
def warm_up_command() -> None:
    """Compile what any method needs; once on a machine, it takes one or two minutes.

    Without it, each method compiles what it needs when it is first used. The code is kept in numba's cache: beside
    the installed files, or where NUMBA_CACHE_DIR says.
    """
    from time import perf_counter

    from cutwise.cli.progress import shown_steps
    from cutwise.warming import compile_all, estimators

    start = perf_counter()
    with shown_steps(len(estimators())) as show:
        n_compiled = compile_all(show)
    if n_compiled:
        typer.echo(f"{n_compiled} loops compiled in {perf_counter() - start:.0f} s.")
    else:
        typer.echo("Everything was compiled before.")


def _show_version(value: bool) -> None:  # noqa: FBT001  # typer calls it so
    if value:
        typer.echo(f"cutwise {__version__}")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Turn numbers into categories that hold on new data."""


def answer(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; an error is one sentence, not a traceback.

    Errors that nobody foresaw are faults of the program and say so.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    command = typer.main.get_command(app)
    try:
        if arguments[1:] and arguments[-1] == "--help" and _show_help(command, arguments[:-1]):
            return 0
        command.main(args=arguments, prog_name="cutwise")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except (CutwiseError, OSError) as error:
        show_error(error)
        return WRONG_USE
    except MemoryError:
        show_error(CutwiseError("There is not enough memory. Take part of the rows or columns of the table."))
        return WRONG_USE
    except Exception as error:  # noqa: BLE001  # whatever nobody foresaw
        show_fault(error)
        return FAULT
    return 0


def _show_help(command: Any, names: Sequence[str]) -> bool:
    """Show the help of a command by its names; return False if there is no such command.

    typer would first read the options of the commands before it, for which it loads a large library.
    """
    context = typer.Context(command, info_name="cutwise")
    for name in names:
        found = command.get_command(context, name) if hasattr(command, "get_command") else None
        if found is None:
            return False
        command, context = found, typer.Context(found, info_name=name, parent=context)
    typer.echo(command.get_help(context))
    return True
