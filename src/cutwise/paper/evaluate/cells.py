"""A cell is one thing to measure: a method on a fold of a data set; a result is what came out."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cutwise.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


RAW = "none"
"""The name of the discretizer of classifiers for raw tables."""


@dataclass(frozen=True, order=True)
class ResultCell:
    """One discretizer and one classifier on one fold of one data set.

    Parameters
    ----------
    dataset, discretizer, classifier : str
        Names of the registry; the discretizer is "none" for a classifier of raw tables.
    repeat, fold : int
        Which cross-validation, and which of its folds is held out; both from 0.
    """

    dataset: str
    discretizer: str
    classifier: str
    repeat: int
    fold: int

    def __str__(self) -> str:
        """Return the cell as one word."""
        return f"{self.dataset}/{self.discretizer}/{self.classifier}/{self.repeat}/{self.fold}"


@dataclass(frozen=True)
class CellResult:
    """What a cell gave.

    Parameters
    ----------
    cell : ResultCell
        What was measured.
    n_rows : int
        Rows of the held-out fold.
    n_correct : float
        How many of them were predicted right; no whole number where rows have weights, which
        then add up to `n_rows`.
    log_loss : float
        Mean of -ln P(true class) over the held-out rows, no probability taken below 1e-15.
    n_cuts : int
        Cuts of all numeric attributes; 0 for raw tables.
    seconds : float
        Time of learning and predicting. The discretizer's own time is in the first of the
        cells that share it.
    error : str
        Why the cell has no figures: one line, empty if it has.
    """

    cell: ResultCell
    n_rows: int = 0
    n_correct: float = 0
    log_loss: float = 0.0
    n_cuts: int = 0
    seconds: float = 0.0
    error: str = ""

    @property
    def accuracy(self) -> float:
        """Share of the held-out rows that were predicted right, in percent."""
        return 100.0 * self.n_correct / self.n_rows


@dataclass(frozen=True, order=True)
class CellTask:
    """The cells that share a fold and a discretizer, so that it is learned once.

    Parameters
    ----------
    dataset, discretizer : str
        Names of the registry.
    repeat, fold : int
        Which cross-validation, and which of its folds is held out.
    classifiers : tuple of str
        Names of the registry, in the order in which they are measured.
    """

    dataset: str
    discretizer: str
    repeat: int
    fold: int
    classifiers: tuple[str, ...]

    def cells(self) -> list[ResultCell]:
        """Return the task's cells."""
        return [ResultCell(self.dataset, self.discretizer, name, self.repeat, self.fold) for name in self.classifiers]


def choose(tasks: Iterable[CellTask], patterns: Sequence[str]) -> list[CellTask]:
    """Return tasks reduced to the cells that fit at least one pattern.

    Parameters
    ----------
    tasks : iterable of CellTask
    patterns : sequence of str
        ``dataset/discretizer/classifier``, each with ``*`` and ``?`` as in file names; what is
        left out at the end fits all. A pattern without a slash may be any of the three.

    Raises
    ------
    RunError
        If nothing fits a pattern.

    Examples
    --------
    >>> from cutwise.paper.evaluate import CellTask
    >>> from cutwise.paper.evaluate.cells import choose
    >>> tasks = [CellTask("iris", "mrmd", 0, 0, ("nb", "rnb")), CellTask("wine", "mdlp", 0, 0, ("nb",))]
    >>> [str(cell) for task in choose(tasks, ["mdlp", "*/*/rnb"]) for cell in task.cells()]
    ['iris/mrmd/rnb/0/0', 'wine/mdlp/nb/0/0']
    """
    every = list(tasks)
    return _reduced(every, _fitting(every, patterns))


def fits(tasks: Iterable[CellTask], pattern: str) -> bool:
    """Return whether some cell fits a pattern; patterns are those of `choose`."""
    return any(_fits(names, pattern) for names in _triples(tasks))


def leave_out(tasks: Iterable[CellTask], patterns: Sequence[str]) -> list[CellTask]:
    """Return tasks without the cells that fit a pattern; patterns are those of `choose`.

    Examples
    --------
    >>> from cutwise.paper.evaluate import CellTask
    >>> from cutwise.paper.evaluate.cells import leave_out
    >>> tasks = [CellTask("iris", "mrmd", 0, 0, ("nb", "rnb")), CellTask("wine", "emd", 0, 0, ("nb",))]
    >>> [str(cell) for task in leave_out(tasks, ["emd", "*/*/rnb"]) for cell in task.cells()]
    ['iris/mrmd/nb/0/0']
    """
    every = list(tasks)
    return _reduced(every, _triples(every) - _fitting(every, patterns))


def _triples(tasks: Iterable[CellTask]) -> set[tuple[str, ...]]:
    return {(task.dataset, task.discretizer, name) for task in tasks for name in task.classifiers}


def _fitting(tasks: Iterable[CellTask], patterns: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the names of the cells that fit at least one pattern; each pattern must fit some."""
    triples = _triples(tasks)
    chosen = set()
    for pattern in patterns:
        fitting = {names for names in triples if _fits(names, pattern)}
        if not fitting:
            raise RunError(_nothing_fits(pattern, triples))
        chosen |= fitting
    return chosen


def _reduced(tasks: Iterable[CellTask], chosen: set[tuple[str, ...]]) -> list[CellTask]:
    """Return tasks with the chosen cells alone."""
    left = []
    for task in tasks:
        names = tuple(name for name in task.classifiers if (task.dataset, task.discretizer, name) in chosen)
        if names:
            left.append(replace(task, classifiers=names))
    return left


def _fits(names: tuple[str, ...], pattern: str) -> bool:
    parts = pattern.split("/")
    if len(parts) == 1:
        return any(fnmatchcase(name, pattern) for name in names)
    return len(parts) <= len(names) and all(map(fnmatchcase, names, parts))


def _nothing_fits(pattern: str, triples: Iterable[tuple[str, ...]]) -> str:
    known = sorted({name for names in triples for name in names})
    parts = pattern.split("/")
    wrong = [part for part in parts if part not in known] if len(parts) <= 3 else []
    near = [name for part in wrong for name in difflib.get_close_matches(part, known)]
    hint = f"Did you mean {near[0]!r}?" if near else "Use a name, or dataset/discretizer/classifier with *."
    return f"No cell fits {pattern!r}. {hint}"
