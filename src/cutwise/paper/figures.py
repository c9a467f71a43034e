"""Pictures of how methods compare: a critical-difference diagram and box plots.

They are SVG, made by matplotlib, and the same bytes for the same figures.
"""

from __future__ import annotations

import io
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.files import write_whole
from cutwise.paper.evaluate.statistics import average_ranks, nemenyi_difference
from cutwise.paper.evaluate.summary import checked_accuracies
from cutwise.paper.published import N_FOLDS, TITLES, PublishedTable, published_tables
from cutwise.paper.table import MeasuredResults
from cutwise.report.markup import shortened

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from cutwise.paper.evaluate.cells import CellResult


INK, SOFT, ACCENT = "#1f2328", "#59636e", "#0072b2"
WIDTH = 8.0
LINE = 0.26
MARGIN = 0.72
LONGEST_NAME = 24


def critical_difference_diagram(accuracies: ArrayLike, names: Sequence[str], alpha: float = 0.05) -> str:
    """Draw the average ranks of methods; bars join those that do not differ significantly.

    Parameters
    ----------
    accuracies : array-like of shape (n_datasets, n_methods)
        Without gaps.
    names : sequence of str
        The methods.
    alpha : float, default=0.05
        The level of Nemenyi's test.

    Returns
    -------
    str
        SVG.

    Examples
    --------
    >>> from cutwise.paper import critical_difference_diagram
    >>> svg = critical_difference_diagram([[80.0, 75.0], [90.0, 91.0], [70.0, 68.0]], ["mrmd", "mdlp"])
    >>> svg.splitlines()[0]
    '<?xml version="1.0" encoding="utf-8" standalone="no"?>'
    """
    table = _checked(accuracies, names)
    n, k = table.shape
    ranks = average_ranks(table)
    order = sorted(range(k), key=lambda place: (ranks[place], names[place]))
    difference = nemenyi_difference(k, n, alpha)
    cliques = joined_ranks(ranks[order], difference)
    lowest = 0.45 + 0.6 * len(cliques)
    n_lines = (k + 1) // 2
    with _plain_style():
        figure = _figure(1.0 + LINE * (n_lines + lowest))
        axes = figure.add_axes((0.01, 0.01, 0.98, 0.98))
        axes.set_axis_off()
        axes.set_xlim(1 - MARGIN * (k - 1), k + MARGIN * (k - 1))
        axes.set_ylim(lowest + n_lines + 0.4, -2.6)
        _draw_scale(axes, k, difference, n)
        for level, (first, last) in enumerate(cliques):
            ends = [ranks[order[first]] - 0.012 * k, ranks[order[last]] + 0.012 * k]
            axes.plot(ends, [0.45 + 0.6 * level] * 2, color=ACCENT, linewidth=4, solid_capstyle="butt")
        _draw_names(axes, ranks[order], [names[place] for place in order], lowest)
        return _svg(figure)


def joined_ranks(ranks: NDArray[np.float64], difference: float) -> list[tuple[int, int]]:
    """Return first and last of the longest runs of sorted ranks that differ by no more than that.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise.paper.figures import joined_ranks
    >>> joined_ranks(np.array([1.0, 1.5, 2.2, 4.0]), 1.0)
    [(0, 1), (1, 2)]
    """
    runs: list[tuple[int, int]] = []
    for first in range(len(ranks)):
        last = int(np.flatnonzero(ranks <= ranks[first] + difference + 1e-12)[-1])
        if last > first and (not runs or last > runs[-1][1]):
            runs.append((first, last))
    return runs


def box_plots(values: ArrayLike, names: Sequence[str], label: str, mark: float | None = None) -> str:
    """Draw one box for each method, the highest median first.

    Parameters
    ----------
    values : array-like of shape (n_datasets, n_methods)
        Accuracies, or differences of accuracies; without gaps.
    names : sequence of str
        The methods.
    label : str
        What the values are.
    mark : float or None, default=None
        Where to draw a line, such as 0 for differences.

    Returns
    -------
    str
        SVG. A box holds the middle half of the data sets, its line is the median, the dot the mean;
        whiskers reach the farthest values within one and a half boxes.
    """
    table = _checked(values, names)
    medians = np.median(table, axis=0)
    order = sorted(range(len(names)), key=lambda place: (-medians[place], names[place]))
    labels = [shortened(names[place], LONGEST_NAME) for place in order]
    height = 0.9 + 0.3 * len(order)
    left = 0.03 + 0.011 * max(map(len, labels))
    with _plain_style():
        figure = _figure(height)
        axes = figure.add_axes((left, 0.5 / height, 0.98 - left, 1 - 0.6 / height))
        _draw_boxes(axes, [table[:, place] for place in order])
        if mark is not None:
            axes.axvline(mark, color=SOFT, linewidth=1, zorder=0)
        axes.set_yticks(range(1, len(order) + 1), labels)
        for text in axes.get_yticklabels():
            text.set_parse_math(False)
        axes.invert_yaxis()
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(label, color=INK, parse_math=False)
        return _svg(figure)


def _draw_boxes(axes: Any, columns: Sequence[NDArray[np.float64]]) -> None:
    line = {"color": INK, "linewidth": 1}
    axes.boxplot(
        columns,
        orientation="horizontal",
        widths=0.6,
        patch_artist=True,
        showmeans=True,
        boxprops={"facecolor": "#cfe3f3", "edgecolor": INK, "linewidth": 1},
        medianprops={"color": ACCENT, "linewidth": 2},
        meanprops={"marker": "o", "markersize": 4, "markerfacecolor": INK, "markeredgecolor": INK},
        flierprops={"marker": ".", "markersize": 4, "markerfacecolor": SOFT, "markeredgecolor": SOFT},
        whiskerprops=line,
        capprops=line,
    )


def _draw_scale(axes: Any, k: int, difference: float, n: int) -> None:
    """Draw the axis of ranks with the critical difference over it."""
    axes.plot([1, k], [0, 0], color=INK, linewidth=1)
    step = max(1, round(k / 10))
    marks = sorted({1, *range(step, k + 1, step), k} - ({k - 1} if step > 1 else set()))
    for rank in marks:
        axes.plot([rank, rank], [-0.15, 0], color=INK, linewidth=1)
        axes.text(rank, -0.25, str(rank), ha="center", va="bottom", fontsize=9, color=INK)
    end = min(1 + difference, k + MARGIN * (k - 1))
    axes.plot([1, end], [-1.45, -1.45], color=INK, linewidth=1.5, marker="|", markersize=7)
    text = f"critical difference {difference:.2f}, {n} data set{'' if n == 1 else 's'}"
    axes.text(1, -1.75, text, ha="left", va="bottom", fontsize=9, color=SOFT)


def _draw_names(axes: Any, ranks: NDArray[np.float64], names: Sequence[str], lowest: float) -> None:
    """Write the better half on the left, the best at the top, and the others on the right."""
    k = len(names)
    n_left = (k + 1) // 2
    gap = 0.04 * (k - 1)
    for place, (rank, name) in enumerate(zip(ranks, names, strict=True)):
        is_left = place < n_left
        line = place if is_left else k - 1 - place
        y = lowest + 0.5 + line
        edge = 1 - gap if is_left else k + gap
        axes.plot([rank, rank, edge], [0, y, y], color=SOFT, linewidth=0.8, zorder=0)
        text = (
            f"{shortened(name, LONGEST_NAME)}  {rank:.2f}"
            if is_left
            else f"{rank:.2f}  {shortened(name, LONGEST_NAME)}"
        )
        side = "right" if is_left else "left"
        x = edge - gap / 3 if is_left else edge + gap / 3
        axes.text(x, y, text, ha=side, va="center", fontsize=9, color=INK, parse_math=False)


def _checked(values: ArrayLike, names: Sequence[str]) -> NDArray[np.float64]:
    table = checked_accuracies(values)
    if len(names) != table.shape[1]:
        raise ValueError(f"There are {len(names)} names for {table.shape[1]} methods. Pass one name for each column.")
    return table


@contextmanager
def _plain_style() -> Iterator[None]:
    """Draw with matplotlib's own settings, whatever those of the session are, and with fixed identifiers."""
    try:
        from matplotlib import rc_context, style  # noqa: PLC0415  # an extra
    except ImportError:
        message = "Figures need matplotlib, which is not installed. Run: pip install 'cutwise[plots]'"
        raise ImportError(message) from None
    with style.context("default"), rc_context({"svg.hashsalt": "cutwise", "svg.fonttype": "path"}):
        yield


def _figure(height: float) -> Any:
    """Return a figure that no window and no list of figures knows."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # an extra

    return Figure(figsize=(WIDTH, height))


def _svg(figure: Any) -> str:
    """Return a figure as SVG, without date and version."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return stream.getvalue()


def write_figures(results: Iterable[CellResult], into: str | os.PathLike[str], n_folds: int = N_FOLDS) -> list[Path]:
    """Write the critical-difference diagrams and the box plots to files of a folder.

    For each of the paper's tables there is a diagram of our average ranks and a plot of our
    differences from the published accuracies. One more diagram shows all methods, and one for
    each classifier all discretizers with it. Data sets and methods with missing figures are left
    out as in the tables; a figure with fewer than two methods is not made. The same results, in
    whatever order, give the same bytes with the same version of matplotlib.

    Parameters
    ----------
    results : iterable of CellResult
    into : str or path
        The folder; it is made if need be.
    n_folds : int, default=10
        Folds of a cross-validation.

    Returns
    -------
    list of Path
        The files.
    """
    measured = MeasuredResults(results, n_folds)
    texts = {name: text for table in map(published_tables, TITLES) for name, text in _figures(table, measured).items()}
    texts |= _rank_diagrams(measured)
    folder = Path(into)
    folder.mkdir(parents=True, exist_ok=True)
    return [write_whole(folder / name, text.encode()) for name, text in texts.items()]


def _rank_diagrams(measured: MeasuredResults) -> dict[str, str]:
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


def _figures(table: PublishedTable, measured: MeasuredResults) -> dict[str, str]:
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
