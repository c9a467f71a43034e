"""All tables of the paper with our figures beside them, as data and as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cutwise.files import write_whole
from cutwise.paper.accuracy_tables import accuracy_table, deviation_table
from cutwise.paper.formats import csv_text, html_page, latex, markdown
from cutwise.paper.measured import MeasuredResults
from cutwise.paper.method_table import method_table, n_d_table
from cutwise.paper.published import N_FOLDS, TITLES, published_tables
from cutwise.paper.rank_tables import rank_table

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from cutwise.paper.evaluate.cells import CellResult
    from cutwise.paper.table import ResultTable

FORMATS = ("md", "html", "latex", "csv")
TITLE = "The paper's tables and ours"


def result_tables(results: Iterable[CellResult], n_folds: int = N_FOLDS) -> list[ResultTable]:
    """Return the paper's tables with our figures, then MRmD with several N_D, all methods, and all differences.

    Parameters
    ----------
    results : iterable of Result
        In any order; what is missing is shown as missing.
    n_folds : int, default=10
        Folds of a cross-validation.

    Examples
    --------
    >>> from cutwise.paper import result_tables
    >>> [table.name for table in result_tables([])]
    ['naive-bayes', 'c45', 'classifiers', 'ablation', 'wilcoxon-naive-bayes', 'wilcoxon-c45',
     'wilcoxon-classifiers', 'n-d', 'methods', 'deviations']
    """
    measured = MeasuredResults(results, n_folds)
    paper = [published_tables(name) for name in TITLES]
    sums = [rank_table(table, measured) for table in paper if table.rank_sums is not None]
    accuracies = [accuracy_table(table, measured) for table in paper]
    return [*accuracies, *sums, n_d_table(measured), method_table(measured), deviation_table(measured)]


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
    results : iterable of Result
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
        message = f"The format {unknown[0]!r} is unknown. Choose among {', '.join(map(repr, FORMATS))}."
        raise ValueError(message)
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
