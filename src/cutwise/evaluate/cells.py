"""A cell is one thing to measure: a method on a fold of a data set; a result is what came out."""

from __future__ import annotations

from dataclasses import dataclass

RAW = "none"
"""The name of the discretizer of classifiers that take tables as they come."""


@dataclass(frozen=True, order=True)
class Cell:
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
class Result:
    """What a cell gave.

    Parameters
    ----------
    cell : Cell
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

    cell: Cell
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
class Task:
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

    def cells(self) -> list[Cell]:
        """Return the task's cells."""
        return [Cell(self.dataset, self.discretizer, name, self.repeat, self.fold) for name in self.classifiers]
