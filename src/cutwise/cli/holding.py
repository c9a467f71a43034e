"""What `cutwise compare --hold` measures with, and how it shows what came out."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import typer

from cutwise.cli.comparison import GivenTable, methods_by_name
from cutwise.cli.output import write_table
from cutwise.cli.progress import shown_progress
from cutwise.errors import CutwiseError
from cutwise.paper.evaluate import RunProgress
from cutwise.paper.evaluate.holding import HalvedTable, HoldingFigures, numeric_columns
from cutwise.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.cli.inputs import LearningInputs


class JudgedMethod(NamedTuple):
    """A method, how its cuts hold, and what went wrong, if anything did."""

    name: str
    figures: HoldingFigures
    error: str = ""


def judge_methods(
    inputs: LearningInputs, names: Sequence[str], n_repeats: int, seed: int, *, meaning: str, n_jobs: int | None
) -> list[JudgedMethod]:
    """Judge methods by halves of the table, those with the largest share of confirmed cuts first."""
    table = GivenTable.checked(inputs, 2, meaning)
    if not numeric_columns(table.X):
        message = "The table has no numeric column, so there are no cuts to judge."
        raise CutwiseError(message)
    halved = [HalvedTable(table.X, table.y, table.weights, seed + repeat) for repeat in range(n_repeats)]
    tasks = [(name, halved, seed) for name in names]
    judged: list[JudgedMethod] = []
    began = time.monotonic()
    with closing(in_threads(_judge, tasks, n_jobs)) as found, shown_progress() as progress:
        progress(RunProgress(len(tasks), 0))
        for method in found:
            judged.append(method)
            progress(_progress(judged, len(tasks), time.monotonic() - began))
    return sorted(judged, key=_from_best)


def _progress(judged: Sequence[JudgedMethod], n_methods: int, seconds: float) -> RunProgress:
    """Return how far a run is, as if each method took the same time."""
    n_failed = sum(bool(method.error) for method in judged)
    left = seconds / len(judged) * (n_methods - len(judged))
    return RunProgress(n_methods, 0, len(judged), n_failed, left)


def _from_best(method: JudgedMethod) -> tuple[bool, float, float]:
    """Order methods by the share of confirmed cuts, then by the relevance on new rows; those without cuts last."""
    figures = method.figures
    return not figures.n_cuts, -figures.confirmed if figures.n_cuts else 0.0, -figures.new_relevance


def _judge(name: str, halved: Sequence[HalvedTable], seed: int) -> JudgedMethod:
    def find_cuts(X: Any, y: NDArray[Any], weights: NDArray[np.float64] | None) -> Any:
        return methods_by_name().discretizers[name](X, y, seed).fit(X, y, sample_weight=weights).cuts_

    try:
        return JudgedMethod(name, sum((table.judge(find_cuts) for table in halved), HoldingFigures()))
    except (ValueError, TypeError, CutwiseError) as error:
        return JudgedMethod(name, HoldingFigures(), " ".join(str(error).split()))


def holding_data(judged: Sequence[JudgedMethod]) -> list[dict[str, Any]]:
    """Return the figures as plain data; relevance and information values are means of a fit."""
    return [
        {
            "method": name,
            "cuts": figures.cuts,
            "confirmed": figures.confirmed,
            **{what: _mean(figures, what) for what in ("relevance", "new_relevance", "iv", "new_iv")},
            "found_again": figures.again,
            "noise_cut": figures.noise,
            "seconds": _mean(figures, "seconds"),
            "error": error or None,
        }
        for name, figures, error in judged
    ]


def _mean(figures: HoldingFigures, what: str) -> float:
    return getattr(figures, what) / figures.n_fits if figures.n_fits else np.nan


HEAD = ("method", "cuts", "confirmed", "new\nbits", "kept", "IV\nlost", "again", "noise\ncut")


def show_holding(judged: Sequence[JudgedMethod], n_repeats: int, name: str) -> None:
    """Print the figures as a table."""
    rows = [
        [
            row["method"],
            _number(row["cuts"], ".1f"),
            _number(row["confirmed"], ".0%"),
            _number(row["new_relevance"], ".3f"),
            _number(_ratio(row["new_relevance"], row["relevance"]), ".0%"),
            _number(1.0 - _ratio(row["new_iv"], row["iv"]), ".0%"),
            _number(row["found_again"], ".0%"),
            _number(row["noise_cut"], ".0%"),
        ]
        for row in holding_data(judged)
    ]
    times = "" if n_repeats == 1 else f", {n_repeats} times"
    write_table(f"{name}: learned from a half, judged by the other{times}", HEAD, rows, numbers=HEAD[1:])
    for method in judged:
        if method.error:
            typer.echo(f"{method.name} failed: {method.error}", err=True)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0.0 else np.nan


def _number(value: float, form: str) -> str:
    return "-" if np.isnan(value) else format(value, form)
