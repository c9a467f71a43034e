"""All tables of the paper with our figures beside them, as data and as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cutwise.files import write_whole
from cutwise.paper.accuracy_tables import accuracy_table, deviation_table, rank_table
from cutwise.paper.datasets.catalogue import paper_catalogue
from cutwise.paper.evaluate.statistics import average_ranks, best_counts, friedman_test, holm_test, nemenyi_difference
from cutwise.paper.evaluate.summary import MethodPair
from cutwise.paper.formats import csv_text, html_page, latex, markdown
from cutwise.paper.own_tables import (
    ebm_duel_table,
    ebm_table,
    joint_duel_table,
    joint_half_table,
    joint_table,
    raw_table,
)
from cutwise.paper.published import N_FOLDS, TITLES, published_tables
from cutwise.paper.table import AUTO, CHOSEN, GIVEN, MeasuredResults, ResultColumn, ResultTable, Value

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cutwise.paper.evaluate.cells import CellResult
    from cutwise.paper.evaluate.summary import MethodSummary
    from cutwise.paper.table import CompleteResults

FORMATS = ("md", "html", "latex", "csv")
TITLE = "The paper's tables and ours"


def result_tables(results: Iterable[CellResult], n_folds: int = N_FOLDS) -> list[ResultTable]:
    """Return the paper's tables with our figures, MRmD with several N_D, all methods, what is ours, and differences.

    Parameters
    ----------
    results : iterable of CellResult
        In any order; what is missing is shown as missing.
    n_folds : int, default=10
        Folds of a cross-validation.

    Examples
    --------
    >>> from cutwise.paper import result_tables
    >>> [table.name for table in result_tables([])]
    ['naive-bayes', 'c45', 'classifiers', 'ablation', 'wilcoxon-naive-bayes', 'wilcoxon-c45',
     'wilcoxon-classifiers', 'n-d', 'methods', 'raw-tables', 'ebm', 'ebm-duels', 'joint', 'joint-duels',
     'joint-halves', 'deviations']
    """
    measured = MeasuredResults(results, n_folds)
    paper = [published_tables(name) for name in TITLES]
    sums = [rank_table(table, measured) for table in paper if table.rank_sums is not None]
    accuracies = [accuracy_table(table, measured) for table in paper]
    beside = [raw_table(measured), ebm_table(measured), ebm_duel_table(measured)]
    joint = [joint_table(measured), joint_duel_table(measured), joint_half_table(measured)]
    return [*accuracies, *sums, n_d_table(measured), method_table(measured), *beside, *joint, deviation_table(measured)]


def write_tables(
    results: Iterable[CellResult],
    into: str | os.PathLike[str],
    formats: Sequence[str] = FORMATS,
    n_folds: int = N_FOLDS,
) -> list[Path]:
    """Write all tables to files of a folder.

    There is one file for each table and format, and one with all tables as Markdown and as
    HTML. The same results, in whatever order, give the same bytes. A file is replaced as a
    whole: whoever reads it meanwhile sees the old one or the new one.

    Parameters
    ----------
    results : iterable of CellResult
    into : str or path
        The folder; it is made if need be.
    formats : sequence of {"md", "html", "latex", "csv"}
        All by default.
    n_folds : int, default=10
        Folds of a cross-validation.

    Returns
    -------
    list of Path
        The files.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise ValueError(f"The format {unknown[0]!r} is unknown. Choose among {', '.join(map(repr, FORMATS))}.")
    found = result_tables(results, n_folds)
    texts = {name: text for each in formats for name, text in _texts(found, each).items()}
    folder = Path(into)
    folder.mkdir(parents=True, exist_ok=True)
    return [write_whole(folder / name, text.encode()) for name, text in texts.items()]


def _texts(all_tables: Sequence[ResultTable], each: str) -> dict[str, str]:
    """Return the names and the contents of the files of one format."""
    if each == "csv":
        return {f"{table.name}.csv": csv_text(table) for table in all_tables}
    if each == "latex":
        return {f"{table.name}.tex": latex(table) for table in all_tables}
    if each == "html":
        pages = {f"{table.name}.html": html_page(table.title, [table]) for table in all_tables}
        return {**pages, "tables.html": html_page(TITLE, all_tables)}
    texts = {f"{table.name}.md": markdown(table) for table in all_tables}
    return {**texts, "tables.md": "\n".join([f"# {TITLE}\n", *texts.values()])}


_COLUMNS = (
    ResultColumn("method", style="text"),
    ResultColumn("data sets", digits=0),
    ResultColumn("accuracy"),
    ResultColumn("average rank"),
    ResultColumn("wins", digits=0),
    ResultColumn("cuts", digits=1),
    ResultColumn("log loss", digits=4),
    ResultColumn("p", digits=4, style="chance"),
)
_WHAT = (
    "Data sets: how many have all their folds. The other figures are means over the same data sets for all methods; "
    "cuts are those of all attributes together, and 0 for methods that take raw tables."
)


def method_table(measured: MeasuredResults) -> ResultTable:
    """Return all methods, the best average rank first; those with too few data sets come last."""
    datasets, methods = measured.datasets, measured.compared
    block = measured.block(datasets, methods)
    inside = [method for method, kept in zip(methods, block.columns, strict=True) if kept]
    names = [name for name, kept in zip(datasets, block.rows, strict=True) if kept]
    ranked = _ranked_rows(measured, block, names, inside) if block.can_compare else []
    outside = methods if not block.can_compare else [method for method in methods if method not in inside]
    rows = [*ranked, *((str(method), _n_complete(measured, method), *[None] * 6) for method in outside)]
    return ResultTable(
        "methods",
        "All methods",
        _COLUMNS,
        tuple(rows),
        notes=(_WHAT, *_test_notes(block), *measured.missing_note(datasets, methods)),
    )


def _ranked_rows(
    measured: MeasuredResults, block: CompleteResults, names: Sequence[str], methods: Sequence[MethodPair]
) -> list[tuple[Value, ...]]:
    ranks, wins, chances = average_ranks(block.accuracy), best_counts(block.accuracy), holm_test(block.accuracy)
    means = block.accuracy.mean(axis=0)
    rows: list[tuple[Value, ...]] = []
    for k in sorted(range(len(methods)), key=lambda place: (ranks[place], methods[place])):
        summaries = [summary for name in names if (summary := measured.complete(name, methods[k])) is not None]
        chance: Value = "" if np.isnan(chances[k]) else float(chances[k])
        found = (float(means[k]), float(ranks[k]), int(wins[k]), *_cuts_and_loss(summaries), chance)
        rows.append((str(methods[k]), _n_complete(measured, methods[k]), *found))
    return rows


def _cuts_and_loss(summaries: Sequence[MethodSummary]) -> tuple[float, float]:
    return float(np.mean([each.cuts for each in summaries])), float(np.mean([each.log_loss for each in summaries]))


def _n_complete(measured: MeasuredResults, method: MethodPair) -> int:
    return sum(measured.complete(dataset, method) is not None for dataset in measured.datasets)


def _test_notes(block: CompleteResults) -> list[str]:
    n, k = block.accuracy.shape
    if not block.can_compare:
        return ["There are no two methods with figures on the same data set: no ranks and no tests."]
    friedman = friedman_test(block.accuracy)
    tests = (
        f"Ranks and tests are over {n} data sets and {k} methods. Friedman: chi-square {friedman.chi_square:.2f} with "
        f"{k - 1} degrees of freedom, p {_chance(friedman.p_value)}; Iman and Davenport: F {friedman.f:.2f}, "
        f"p {_chance(friedman.f_p_value)}."
    )
    pairs = (
        "p: the chance that a method's rank differs so much from that of the first, adjusted by Holm. Average ranks "
        f"that differ by more than {nemenyi_difference(k, n):.2f} are significantly different (Nemenyi, 0.05)."
    )
    return [tests, pairs]


def _chance(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"


_N_D_COLUMNS = (
    ResultColumn("N_D", style="text"),
    ResultColumn("naive Bayes"),
    ResultColumn("C4.5"),
    ResultColumn("RNB"),
    ResultColumn("cuts", digits=1),
)
_CLASSIFIERS = ("nb", "c45", "rnb")
_N_D_WHAT = (
    "Mean accuracies in percent, and cuts of all attributes together. Chosen in training: the best N_D of these in a "
    "cross-validation inside the training rows of each fold, with C4.5 for C4.5 and with naive Bayes for the others. "
    'n_d="auto": chosen by the held-out log loss of the bins; for C4.5 a smaller one where a tree predicts more of a '
    "held-out fifth of the rows right with it. "
    "Best in hindsight: for each data set the N_D with the highest accuracy on the held-out rows. That is no "
    "result of a method, for it has seen the rows that it is judged by; no choice of one of these N_D for a data set "
    "can exceed it. The last two rows are over the data sets without nominal attributes, which the paper cuts as "
    "numbers."
)
_BELOW = (
    "chosen in training",
    'n_d="auto"',
    "best in hindsight",
    "published",
    "best in hindsight, no nominal attributes",
    "published, no nominal attributes",
)


def n_d_table(measured: MeasuredResults) -> ResultTable:
    """Return the mean accuracies of MRmD with several N_D, and the published ones."""
    columns = [_accuracies(measured, classifier) for classifier in _CLASSIFIERS]
    rows = tuple(zip((*map(str, GIVEN), *_BELOW), *columns, _cuts(measured), strict=True))
    methods = [method for classifier in _CLASSIFIERS for method in _methods(classifier)]
    notes = (_N_D_WHAT, *measured.missing_note(published_tables("ablation").datasets, methods))
    return ResultTable("n-d", "MRmD with several N_D", _N_D_COLUMNS, rows, notes=notes)


def _methods(classifier: str) -> list[MethodPair]:
    """Return MRmD with each N_D, and with those that were chosen."""
    return [MethodPair(name, classifier) for name in (*GIVEN.values(), CHOSEN[classifier], AUTO[classifier])]


def _whole_block(measured: MeasuredResults, classifier: str) -> CompleteResults | None:
    """Return the data sets that have figures with every N_D; None if there is none."""
    block = measured.block(published_tables("ablation").datasets, _methods(classifier))
    return block if block.columns.all() and block.rows.any() else None


def _accuracies(measured: MeasuredResults, classifier: str) -> list[Value]:
    """Return the figures of one classifier from top to bottom, all over the same data sets."""
    table = published_tables({"nb": "naive-bayes", "c45": "c45", "rnb": "classifiers"}[classifier])
    theirs = table.accuracy[:, table.methods.index(MethodPair("mrmd", classifier))]
    catalogue = paper_catalogue()
    is_numeric = np.array([not catalogue.describe(name).nominal for name in table.datasets])
    block = _whole_block(measured, classifier)
    if block is None:
        return [*[None] * (len(GIVEN) + 3), _mean(theirs), None, _mean(theirs[is_numeric])]
    theirs, is_numeric = theirs[block.rows], is_numeric[block.rows]
    given, chosen = block.accuracy[:, : len(GIVEN)], block.accuracy[:, len(GIVEN) :]
    best = given.max(axis=1)
    of_all = [*map(_mean, given.T), *map(_mean, chosen.T), _mean(best), _mean(theirs)]
    return [*of_all, _mean(best[is_numeric]), _mean(theirs[is_numeric])]


def _cuts(measured: MeasuredResults) -> list[Value]:
    """Return the numbers of cuts from top to bottom; hindsight has others for each classifier."""
    table = published_tables("ablation")
    block = _whole_block(measured, "nb")
    kept = np.ones(len(table.datasets), dtype=bool) if block is None else block.rows
    ours: list[Value] = [None] * (len(GIVEN) + 2)
    if block is not None:
        names = [name for name, inside in zip(table.datasets, kept, strict=True) if inside]
        ours = [_mean_cuts(measured, names, method) for method in _methods("nb")]
    theirs = None if table.cuts is None else _mean(table.cuts[kept, table.methods.index(MethodPair("mrmd", "nb"))])
    return [*ours, "", theirs, "", ""]


def _mean_cuts(measured: MeasuredResults, names: list[str], method: MethodPair) -> float | None:
    return _mean(np.array([spread.mean for name in names if (spread := measured.cuts(name, method))]))


def _mean(values: NDArray[np.float64]) -> float | None:
    return float(values.mean()) if values.size else None
