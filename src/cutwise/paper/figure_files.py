"""The figures of our results as files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cutwise.files import write_whole
from cutwise.paper.figures import box_plots, critical_difference_diagram
from cutwise.paper.measured import Measured
from cutwise.paper.published import N_FOLDS, TITLES, PublishedTable, published

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from cutwise.evaluate import Result


def write_figures(results: Iterable[Result], into: str | os.PathLike[str], n_folds: int = N_FOLDS) -> list[Path]:
    """Write the critical-difference diagrams and the box plots to files of a folder.

    For each of the paper's tables there is a diagram of our average ranks and a plot of our
    differences from the published accuracies. One more diagram shows all methods, and one for
    each classifier all discretizers with it. Data sets and methods with missing figures are left
    out as in the tables; a figure with fewer than two methods is not made. The same results, in
    whatever order, give the same bytes with the same version of matplotlib.

    Parameters
    ----------
    results : iterable of Result
    into : str or path
        The folder; it is made if need be.
    n_folds : int, default=10
        Folds of a cross-validation.

    Returns
    -------
    list of Path
        The files.
    """
    measured = Measured(results, n_folds)
    texts = {name: text for table in map(published, TITLES) for name, text in _figures(table, measured).items()}
    texts |= _rank_diagrams(measured)
    folder = Path(into)
    folder.mkdir(parents=True, exist_ok=True)
    return [write_whole(folder / name, text.encode()) for name, text in texts.items()]


def _rank_diagrams(measured: Measured) -> dict[str, str]:
    """Return the names and the contents of the diagrams of all our methods and of each classifier's."""
    groups = {"methods": measured.compared}
    for classifier in sorted({method.classifier for method in measured.compared}):
        name = re.sub(r"[^0-9A-Za-z-]", "_", classifier)
        groups[f"methods-{name}"] = [method for method in measured.compared if method.classifier == classifier]
    texts = {}
    for name, methods in groups.items():
        block = measured.block(measured.datasets, methods)
        if block.can_compare:
            names = [str(method) for method, kept in zip(methods, block.columns, strict=True) if kept]
            texts[f"{name}-ranks.svg"] = critical_difference_diagram(block.accuracy, names)
    return texts


def _figures(table: PublishedTable, measured: Measured) -> dict[str, str]:
    """Return the names and the contents of the files of one of the paper's tables."""
    block = measured.block(table.datasets, table.methods)
    if not block.can_compare:
        return {}
    names = [name for name, kept in zip(table.names, block.columns, strict=True) if kept]
    differences = block.accuracy - table.accuracy[np.ix_(block.rows, block.columns)]
    return {
        f"{table.name}-ranks.svg": critical_difference_diagram(block.accuracy, names),
        f"{table.name}-differences.svg": box_plots(
            differences, names, "our accuracy less the published one, in points", 0.0
        ),
    }
