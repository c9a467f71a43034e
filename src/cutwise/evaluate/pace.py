"""Where the time went, and how much is left."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cutwise.evaluate.cells import Cell, Result


def seconds_by(results: Iterable[Result], what: str) -> dict[str, float]:
    """Return the seconds of all results with the same name, most first.

    Parameters
    ----------
    results : iterable of Result
    what : {"dataset", "discretizer", "classifier"}
        Which name of the cell.
    """
    seconds: defaultdict[str, float] = defaultdict(float)
    for result in results:
        seconds[getattr(result.cell, what)] += result.seconds
    return dict(sorted(seconds.items(), key=lambda item: (-item[1], item[0])))


class Pace:
    """What cells cost, learned from results, and what open cells will cost.

    A cell is taken to cost what the cells of the same data set, discretizer and classifier did on
    average; if there is none, the seconds for each row of the same discretizer and classifier;
    if there is none either, those of all. Failed cells tell nothing.

    Parameters
    ----------
    cells : iterable of Cell
        What is to be measured.
    """

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._open = Counter(_key(cell) for cell in cells)
        self._same: defaultdict[tuple[str, ...], _Sum] = defaultdict(_Sum)
        self._rows: defaultdict[str, _Sum] = defaultdict(_Sum)

    def add(self, result: Result) -> None:
        """Learn from the result of a cell that was open."""
        self._open[_key(result.cell)] -= 1
        self.learn(result)

    def learn(self, result: Result) -> None:
        """Learn from the result of any cell."""
        if result.error:
            return
        key = _key(result.cell)
        self._rows[key[0]].add(result.n_rows, 1)
        for name in (key, key[1:], ()):
            self._same[name].add(result.seconds, 1 if name == key else result.n_rows)

    def seconds_left(self, n_workers: int) -> float | None:
        """Return what the open cells will take; None before the first result."""
        if () not in self._same:
            return None
        usual = _Sum()
        for rows in self._rows.values():
            usual.add(rows.mean, 1)
        seconds = 0.0
        for key, n_cells in self._open.items():
            if key in self._same:
                seconds += n_cells * self._same[key].mean
            elif n_cells:
                rate = self._same[key[1:] if key[1:] in self._same else ()].mean
                seconds += n_cells * rate * (self._rows[key[0]].mean if key[0] in self._rows else usual.mean)
        return seconds / n_workers


class _Sum:
    """A running mean."""

    def __init__(self) -> None:
        self._total = 0.0
        self._n = 0

    def add(self, amount: float, n: int) -> None:
        self._total += amount
        self._n += n

    @property
    def mean(self) -> float:
        return self._total / self._n


def _key(cell: Cell) -> tuple[str, ...]:
    return cell.dataset, cell.discretizer, cell.classifier
