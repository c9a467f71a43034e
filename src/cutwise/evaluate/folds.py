"""Which rows are held out: folds that every method shares."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import TableError
from cutwise.fitting import deal_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Protocol:
    """How the rows of every data set are dealt into folds.

    Parameters
    ----------
    n_folds : int, default=10
        Each fold is held out once.
    seed : int, default=0
        The beginning of all random numbers. Repeat r of the cross-validation shuffles with
        seed + r.
    folder : str or None, default=None
        Where to look for fold files; None for none. The file ``<data set>.csv`` has a
        column for each repeat, a line for each row in the order of the data set, and
        numbers of folds from 0. A data set without a file is dealt.

    Examples
    --------
    >>> import numpy as np
    >>> Protocol(n_folds=2).folds("toy", np.array(["a", "b", "a", "b"]), repeat=0)
    array([0, 1, 1, 0])
    """

    n_folds: int = 10
    seed: int = 0
    folder: str | None = None

    def folds(self, dataset: str, target: NDArray[Any], repeat: int) -> NDArray[np.int64]:
        """Return the fold in which each row is held out: stratified by class, or from the file."""
        path = None if self.folder is None else Path(self.folder) / f"{dataset}.csv"
        if path is not None and path.exists():
            return read_folds(path, target.size, repeat, self.n_folds)
        classes = np.unique(target, return_inverse=True)[1]
        return deal_rows(classes, self.n_folds, np.random.RandomState(self.seed + repeat))

    def method_seed(self, repeat: int, fold: int) -> int:
        """Return the seed of the methods on one fold."""
        return (self.seed + repeat) * self.n_folds + fold


def read_folds(path: Path, n_rows: int, repeat: int, n_folds: int) -> NDArray[np.int64]:
    """Return a column of a fold file, checked."""
    with path.open(newline="", encoding="utf-8") as file:
        lines = [line for line in csv.reader(file) if line]
    if len(lines) != n_rows:
        message = (
            f"The fold file {path} has {len(lines)} lines for {n_rows} rows. Give each row one line, without a header."
        )
        raise TableError(message)
    folds = np.array([_read_fold(path, row, line, repeat, n_folds) for row, line in enumerate(lines)], dtype=np.int64)
    empty = sorted(set(range(n_folds)) - set(folds.tolist()))
    if empty:
        message = f"The fold file {path} has no row in fold {empty[0]}. Number the folds from 0 to {n_folds - 1}."
        raise TableError(message)
    return folds


def _read_fold(path: Path, row: int, line: list[str], repeat: int, n_folds: int) -> int:
    """Return one number of a fold file."""
    if repeat >= len(line):
        message = f"The fold file {path}, line {row + 1}, has {len(line)} columns; repeat {repeat} needs one more."
        raise TableError(message)
    text = line[repeat].strip()
    if not (text.isascii() and text.isdigit() and int(text) < n_folds):
        message = f"The fold file {path}, line {row + 1}, has the fold {text!r}. Use numbers from 0 to {n_folds - 1}."
        raise TableError(message)
    return int(text)
