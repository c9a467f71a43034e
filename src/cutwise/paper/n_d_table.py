"""MRmD with several N_D: given, chosen inside the training rows, chosen with the held-out rows in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise.datasets.catalogue import paper_catalogue
from cutwise.evaluate import Method
from cutwise.paper.n_d import CHOSEN, GIVEN
from cutwise.paper.published import published
from cutwise.paper.table import Column, Table, Value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.paper.measured import Block, Measured

_COLUMNS = (
    Column("N_D", style="text"),
    Column("naive Bayes"),
    Column("C4.5"),
    Column("RNB"),
    Column("cuts", digits=1),
)
_CLASSIFIERS = ("nb", "c45", "rnb")
_WHAT = (
    "Mean accuracies in percent, and cuts of all attributes together. Chosen in training: the best N_D of these in a "
    "cross-validation inside the training rows of each fold, with C4.5 for C4.5 and with naive Bayes for the others. "
    "Best in hindsight: for each data set the N_D with the highest accuracy on the held-out rows. That is no "
    "result of a method, for it has seen the rows that it is judged by; no choice of one of these N_D for a data set "
    "can exceed it. The last two rows are over the data sets without nominal attributes, which the paper cuts as "
    "numbers."
)
_BELOW = (
    "chosen in training",
    "best in hindsight",
    "published",
    "best in hindsight, no nominal attributes",
    "published, no nominal attributes",
)


def n_d_table(measured: Measured) -> Table:
    """Return the mean accuracies of MRmD with several N_D, and the published ones.

    Parameters
    ----------
    measured : Measured
    """
    columns = [_accuracies(measured, classifier) for classifier in _CLASSIFIERS]
    rows = tuple(zip((*map(str, GIVEN), *_BELOW), *columns, _cuts(measured), strict=True))
    methods = [method for classifier in _CLASSIFIERS for method in _methods(classifier)]
    notes = (_WHAT, *measured.missing_note(published("ablation").datasets, methods))
    return Table("n-d", "MRmD with several N_D", _COLUMNS, rows, notes=notes)


def _methods(classifier: str) -> list[Method]:
    """Return MRmD with each N_D, and with the one that was chosen."""
    return [Method(name, classifier) for name in (*GIVEN.values(), CHOSEN[classifier])]


def _whole_block(measured: Measured, classifier: str) -> Block | None:
    """Return the data sets that have figures with every N_D; None if there is none."""
    block = measured.block(published("ablation").datasets, _methods(classifier))
    return block if block.columns.all() and block.rows.any() else None


def _accuracies(measured: Measured, classifier: str) -> list[Value]:
    """Return the figures of one classifier from top to bottom, all over the same data sets."""
    table = published({"nb": "naive-bayes", "c45": "c45", "rnb": "classifiers"}[classifier])
    theirs = table.accuracy[:, table.methods.index(Method("mrmd", classifier))]
    catalogue = paper_catalogue()
    is_numeric = np.array([not catalogue.describe(name).nominal for name in table.datasets])
    block = _whole_block(measured, classifier)
    if block is None:
        return [*[None] * (len(GIVEN) + 2), _mean(theirs), None, _mean(theirs[is_numeric])]
    theirs, is_numeric = theirs[block.rows], is_numeric[block.rows]
    given, chosen = block.accuracy[:, :-1], block.accuracy[:, -1]
    best = given.max(axis=1)
    of_all = [*map(_mean, given.T), _mean(chosen), _mean(best), _mean(theirs)]
    return [*of_all, _mean(best[is_numeric]), _mean(theirs[is_numeric])]


def _cuts(measured: Measured) -> list[Value]:
    """Return the numbers of cuts from top to bottom; hindsight has others for each classifier."""
    table = published("ablation")
    block = _whole_block(measured, "nb")
    kept = np.ones(len(table.datasets), dtype=bool) if block is None else block.rows
    ours: list[Value] = [None] * (len(GIVEN) + 1)
    if block is not None:
        names = [name for name, inside in zip(table.datasets, kept, strict=True) if inside]
        ours = [_mean_cuts(measured, names, method) for method in _methods("nb")]
    theirs = None if table.cuts is None else _mean(table.cuts[kept, table.methods.index(Method("mrmd", "nb"))])
    return [*ours, "", theirs, "", ""]


def _mean_cuts(measured: Measured, names: list[str], method: Method) -> float | None:
    return _mean(np.array([spread.mean for name in names if (spread := measured.cuts(name, method))]))


def _mean(values: NDArray[np.float64]) -> float | None:
    return float(values.mean()) if values.size else None
