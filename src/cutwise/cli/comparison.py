"""What `cutwise compare` measures with, and how it shows what came out."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import typer

from cutwise.cli.options import CLASSIFIERS, METHODS, make_classifier, method_class
from cutwise.cli.output import write_table
from cutwise.errors import CutwiseError
from cutwise.paper.evaluate import MethodPair, NamedMethods, average_ranks, summarize
from cutwise.table.frames import items_of, names_of, take_rows
from cutwise.validation import check_target, check_weights, meant_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.cli.inputs import LearningInputs
    from cutwise.paper.evaluate import CellResult, MethodSummary


@dataclass(frozen=True, eq=False)
class GivenTable:
    """The one data set of a comparison; every name stands for it."""

    X: Any
    y: NDArray[Any]
    weights: NDArray[np.float64] | None = None

    @classmethod
    def checked(cls, inputs: LearningInputs, n_folds: int, meaning: str = "count") -> GivenTable:
        """Return a table in which every row has a class and counts, and every fold has a row."""
        from cutwise.cli.inputs import plain_errors

        with plain_errors():
            labels, places = check_target(method_class("mrmd")(), inputs.X, inputs.y)
            weights = check_weights(inputs.weights, places.size)
            if weights is not None:
                weights = meant_weights(weights, meaning)
        X, y = inputs.X, labels[places]
        if weights is not None:
            counting = np.flatnonzero(weights)
            X, y, weights = take_rows(X, counting), y[counting], weights[counting]
        if y.size < n_folds or len(set(y.tolist())) < 2:
            what = f"{y.size} rows for {n_folds} folds" if y.size < n_folds else "only one class"
            message = f"There are {what}. Methods are compared on at least two classes and a row for each fold."
            raise CutwiseError(message.replace("There are only", "There is only"))
        return cls(X, y, weights)

    def __call__(self, name: str) -> GivenTable:  # noqa: ARG002  # there is only one
        """Return the table."""
        return self


def methods_by_name() -> NamedMethods:
    """Return every method and classifier with its defaults, by the names of the command line."""
    return NamedMethods(
        {name: partial(_discretizer, name) for name in METHODS},
        {name: partial(_classifier, name) for name in CLASSIFIERS},
        {},
    )


def _discretizer(name: str, X: Any, y: Any, seed: int) -> Any:  # noqa: ARG001  # every maker takes them
    cls = method_class(name)
    return cls(random_state=seed) if "random_state" in cls._get_param_names() else cls()


def _classifier(name: str, n_bins: list[int], seed: int) -> Any:  # noqa: ARG001
    classifier = make_classifier(name)
    return classifier.set_params(n_bins=n_bins) if "n_bins" in classifier.get_params() else classifier


def fingerprint(inputs: LearningInputs) -> str:
    """Return a string that is the same for the same table and classes only."""
    digest = hashlib.sha256(repr(inputs.y if inputs.weights is None else (inputs.y, inputs.weights)).encode())
    for name in names_of(inputs.X):
        digest.update(repr((name, items_of(inputs.X, name))).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()[:16]


def compared(results: Sequence[CellResult], n_folds: int, n_repeats: int) -> list[tuple[MethodSummary, float, float]]:
    """Return for each pair of methods its summary, seconds of all folds and mean rank, the best first.

    The rank is NaN for a pair that failed on a fold.
    """
    summaries = summarize(results, n_folds, n_repeats)
    complete = [summary.method for summary in summaries if summary.is_complete]
    accuracy = {(_method(result), result.cell.repeat, result.cell.fold): result for result in results}
    folds = sorted({(result.cell.repeat, result.cell.fold) for result in results})
    table = [[accuracy[method, *fold].accuracy for method in complete] for fold in folds]
    ranks = dict(zip(complete, average_ranks(table) if len(complete) > 1 else [1.0], strict=False))
    seconds = {
        summary.method: math.fsum(result.seconds for result in results if _method(result) == summary.method)
        for summary in summaries
    }
    found = [(summary, seconds[summary.method], float(ranks.get(summary.method, np.nan))) for summary in summaries]
    return sorted(found, key=lambda item: (math.isnan(item[2]), item[2], -item[0].accuracy))


def as_data(results: Sequence[CellResult], n_folds: int, n_repeats: int) -> list[dict[str, Any]]:
    """Return the comparison as plain data."""
    return [
        {
            "method": summary.method.discretizer,
            "classifier": summary.method.classifier,
            "accuracy": summary.accuracy,
            "accuracy_sd": summary.accuracy_std,
            "log_loss": summary.log_loss,
            "cuts": summary.cuts,
            "seconds": seconds,
            "rank": rank,
            "folds": summary.n_measured,
            "errors": list(summary.errors),
        }
        for summary, seconds, rank in compared(results, n_folds, n_repeats)
    ]


def show_comparison(results: Sequence[CellResult], n_folds: int, n_repeats: int, name: str) -> None:
    """Print the comparison as a table."""
    found = compared(results, n_folds, n_repeats)
    rows = [
        [
            summary.method.discretizer,
            summary.method.classifier,
            f"{summary.accuracy:.2f} ± {summary.accuracy_std:.2f}",
            f"{summary.log_loss:.3f}",
            f"{summary.cuts:.1f}",
            f"{seconds:.2f}",
            f"{rank:.2f}" if summary.is_complete else "failed",
        ]
        for summary, seconds, rank in found
    ]
    head = ("method", "classifier", "accuracy %", "log loss", "cuts", "seconds", "rank")
    times = "" if n_repeats == 1 else f", {n_repeats} times"
    write_table(f"{name}: {n_folds} folds{times}", head, rows, numbers=head[2:])
    for summary, _, _ in found:
        for error in summary.errors:
            typer.echo(f"{summary.method} failed: {error}", err=True)


def _method(result: CellResult) -> MethodPair:
    return MethodPair(result.cell.discretizer, result.cell.classifier)
