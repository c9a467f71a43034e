"""MRmD with several N_D: given, chosen inside the training rows, chosen with the held-out rows in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise.evaluate import Method
from cutwise.paper.n_d import CHOSEN, GIVEN
from cutwise.paper.published import published
from cutwise.paper.table import Column, Table, Value

if TYPE_CHECKING:
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
    "can exceed it."
)


def n_d_table(measured: Measured) -> Table:
    """Return the mean accuracies of MRmD with several N_D, and the published ones.

    Parameters
    ----------
    measured : Measured
    """
    columns = [_column(measured, classifier) for classifier in _CLASSIFIERS]
    labels = [*map(str, GIVEN), "chosen in training", "best in hindsight", "published"]
    cuts = _cuts(measured)
    rows = tuple((label, *figures, count) for label, *figures, count in zip(labels, *columns, cuts, strict=True))
    methods = [Method(GIVEN[n_d], classifier) for n_d in GIVEN for classifier in _CLASSIFIERS]
    methods += [Method(CHOSEN[classifier], classifier) for classifier in _CLASSIFIERS]
    notes = (_WHAT, *measured.missing_note(published("ablation").datasets, methods))
    return Table("n-d", "MRmD with several N_D", _COLUMNS, rows, notes=notes)


def _block(measured: Measured, classifier: str) -> Block:
    """Return the data sets that have figures with every N_D, if there are some."""
    methods = [Method(name, classifier) for name in (*GIVEN.values(), CHOSEN[classifier])]
    return measured.block(published("ablation").datasets, methods)


def _is_whole(block: Block) -> bool:
    return bool(block.columns.all() and block.rows.any())


def _column(measured: Measured, classifier: str) -> list[Value]:
    """Return the figures of one classifier from top to bottom."""
    block = _block(measured, classifier)
    theirs = _published(classifier)
    if not _is_whole(block):
        return [*[None] * (len(GIVEN) + 2), theirs]
    given, chosen = block.accuracy[:, :-1], block.accuracy[:, -1]
    best = float(given.max(axis=1).mean())
    return [*given.mean(axis=0).tolist(), float(chosen.mean()), best, theirs]


def _published(classifier: str) -> float:
    """Return the mean of the published accuracies of MRmD with a classifier."""
    table = published({"nb": "naive-bayes", "c45": "c45", "rnb": "classifiers"}[classifier])
    return float(table.accuracy[:, table.methods.index(Method("mrmd", classifier))].mean())


def _cuts(measured: Measured) -> list[Value]:
    """Return the mean numbers of cuts from top to bottom; the best in hindsight is another one for each classifier."""
    table = published("ablation")
    block = _block(measured, "nb")
    place = table.methods.index(Method("mrmd", "nb"))
    theirs = None if table.cuts is None else float(table.cuts[:, place].mean())
    if not _is_whole(block):
        return [*[None] * len(GIVEN), None, "", theirs]
    names = [name for name, kept in zip(table.datasets, block.rows, strict=True) if kept]
    means = [
        float(np.mean([spread.mean for name in names if (spread := measured.cuts(name, Method(method, "nb")))]))
        for method in (*GIVEN.values(), CHOSEN["nb"])
    ]
    return [*means, "", theirs]
