"""Measuring: learn on the training rows of a fold, predict the rows that were held out."""

from __future__ import annotations

import time
import traceback
import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from typing import Protocol as Interface

import numpy as np

from cutwise import kernels
from cutwise.errors import TableError
from cutwise.paper.evaluate.cells import RAW, CellResult
from cutwise.table import NumericColumn, read_columns, typical_values, with_filled
from cutwise.table.frames import is_frame, names_of, take_rows
from cutwise.table.reading.csv_file import csv_records
from cutwise.table.reading.text import text_lines
from cutwise.validation import deal_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from cutwise.paper.evaluate.cells import CellTask, ResultCell


@dataclass(frozen=True)
class FoldProtocol:
    """How the rows of every data set are dealt into folds.

    Parameters
    ----------
    n_folds : int, default=10
        Each fold is held out once.
    seed : int, default=0
        Random seed. Repeat r of the cross-validation shuffles with
        seed + r.
    folder : str or None, default=None
        Where to look for fold files; None for none. The file ``<data set>.csv`` has a
        column for each repeat, a line for each row in the order of the data set, and
        numbers of folds from 0. A data set without a file is dealt.

    Examples
    --------
    >>> import numpy as np
    >>> FoldProtocol(n_folds=2).folds("toy", np.array(["a", "b", "a", "b"]), repeat=0)
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
    name = f"file {str(path)!r}"
    lines = [line for _, line in csv_records(text_lines(path.read_bytes(), "utf-8", name), ",", name) if line]
    if len(lines) != n_rows:
        raise TableError(
            f"The fold file {path} has {len(lines)} lines for {n_rows} rows. Give each row one line, without a header."
        )
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


# A probability below this counts as this, so that one bad row cannot make the mean infinite.
SMALLEST_PROBABILITY = 1e-15


class MeasuredTable(Interface):
    """What is measured on: a frame and the class of each row; ``weights`` where rows count differently."""

    @property
    def X(self) -> Any:  # noqa: N802
        """The table."""

    @property
    def y(self) -> NDArray[Any]:
        """The class of each row."""


@dataclass(frozen=True)
class NamedMethods:
    """What the names of cells stand for. All values must be picklable.

    Parameters
    ----------
    discretizers : mapping of str to callable
        Each takes the training table, its classes and a seed, and returns a discretizer
        that is not fitted yet.
    classifiers : mapping of str to callable
        Each takes the numbers of bins and a seed, and returns a classifier of codes.
    raw_classifiers : mapping of str to callable
        Each takes a seed and returns a classifier of tables.
    """

    discretizers: Mapping[str, Callable[[Any, NDArray[Any], int], Any]]
    classifiers: Mapping[str, Callable[[list[int], int], Any]]
    raw_classifiers: Mapping[str, Callable[[int], Any]]


@dataclass(frozen=True, eq=False)
class FoldRows:
    """The rows of one fold, training and held out, without missing values; and how often each counts."""

    X: Any
    y: NDArray[Any]
    X_test: Any
    y_test: NDArray[Any]
    weights: NDArray[np.float64] | None = None
    weights_test: NDArray[np.float64] | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The keyword arguments of ``fit``."""
        return {} if self.weights is None else {"sample_weight": self.weights}

    @cached_property
    def to_discretize(self) -> tuple[Any, Any]:
        """The training and the held-out table, as arrays where all columns are numbers: these are read at once."""
        tables = _as_numbers(self.X), _as_numbers(self.X_test)
        return tables if tables[0] is not None and tables[1] is not None else (self.X, self.X_test)


@dataclass(frozen=True, eq=False)
class ClassifierInputs:
    """What the classifiers of a task get: tables or codes, and how they are made."""

    X: Any
    X_test: Any
    make: Callable[[str], Any]
    n_cuts: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class Measure:
    """Measure tasks: ``measure(task)`` yields a result for each of its cells.

    Everything is learned from the training rows alone: what replaces missing values (the
    mean or the commonest category), the bins, the classifier. A method that fails gives a
    result that says why.

    Parameters
    ----------
    load : callable
        Takes the name of a data set and returns it: a frame X and the classes y. If it has weights that are
        not None, methods learn with them, and accuracy and log loss are weighted means.
    methods : NamedMethods
    protocol : FoldProtocol
    """

    load: Callable[[str], MeasuredTable]
    methods: NamedMethods
    protocol: FoldProtocol = field(default_factory=FoldProtocol)

    def __call__(self, task: CellTask) -> Iterator[CellResult]:
        """Yield the result of each cell as soon as it is there."""
        seed = self.protocol.method_seed(task.repeat, task.fold)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                split = _split(self.load, self.protocol, task.dataset, task.repeat, task.fold)
                inputs = self._inputs(task.discretizer, split, seed)
            except Exception as error:  # noqa: BLE001 one failing method must not stop the others
                yield from (CellResult(cell, error=_in_one_line(error)) for cell in task.cells())
                return
            for cell in task.cells():
                yield _classify(cell, split, inputs)
                inputs = replace(inputs, seconds=0.0)

    def _inputs(self, discretizer: str, split: FoldRows, seed: int) -> ClassifierInputs:
        if discretizer == RAW:
            return ClassifierInputs(
                split.X, split.X_test, lambda name: _known(self.methods.raw_classifiers, name)(seed)
            )
        start = time.perf_counter()
        X, X_test = split.to_discretize
        bins = _known(self.methods.discretizers, discretizer)(X, split.y, seed)
        bins = bins.fit(X, split.y, **split.options)
        codes, codes_test = bins.transform(X), bins.transform(X_test)
        n_bins = [max(int(n), 1) for n in bins.n_bins_]
        return ClassifierInputs(
            codes,
            codes_test,
            lambda name: _known(self.methods.classifiers, name)(n_bins, seed),
            n_cuts=sum(cuts.size for cuts in bins.cuts_),
            seconds=time.perf_counter() - start,
        )


def _as_numbers(X: Any) -> NDArray[np.float64] | None:
    """Return a table of numbers as an array, column by column in memory; None if it has other columns."""
    columns = [read() for read in read_columns(X, names_of(X))] if is_frame(X) else []
    numbers = [column.values for column in columns if isinstance(column, NumericColumn)]
    return np.asfortranarray(np.column_stack(numbers)) if numbers and len(numbers) == len(columns) else None


def _known(makers: Mapping[str, Any], name: str) -> Any:
    if name not in makers:
        raise ValueError(f"The method {name!r} is unknown. Known are: {', '.join(sorted(makers))}.")
    return makers[name]


@lru_cache(maxsize=2)
def _loaded(load: Callable[[str], MeasuredTable], dataset: str) -> MeasuredTable:
    return load(dataset)


@lru_cache(maxsize=4)
def _split(
    load: Callable[[str], MeasuredTable], protocol: FoldProtocol, dataset: str, repeat: int, fold: int
) -> FoldRows:
    """Return the rows of one fold; kept, because tasks of one fold follow each other."""
    data = _loaded(load, dataset)
    held_out = protocol.folds(dataset, data.y, repeat) == fold
    train, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    X, X_test = take_rows(data.X, train), take_rows(data.X, test)
    weights: NDArray[np.float64] | None = getattr(data, "weights", None)
    of_train, of_test = (None, None) if weights is None else (weights[train], weights[test])
    values = typical_values(X, of_train)
    return FoldRows(with_filled(X, values), data.y[train], with_filled(X_test, values), data.y[test], of_train, of_test)


def _classify(cell: ResultCell, split: FoldRows, inputs: ClassifierInputs) -> CellResult:
    """Learn one classifier and predict the rows that were held out."""
    start = time.perf_counter()
    try:
        classifier = inputs.make(cell.classifier).fit(inputs.X, split.y, **split.options)
        probabilities = classifier.predict_proba(inputs.X_test)
    except Exception as error:  # noqa: BLE001
        return CellResult(cell, error=_in_one_line(error))
    seconds = time.perf_counter() - start
    is_right = classifier.classes_[probabilities.argmax(axis=1)] == split.y_test
    weights = split.weights_test
    n_rows = split.y_test.size
    return CellResult(
        cell,
        n_rows=n_rows,
        n_correct=int(is_right.sum()) if weights is None else _weighted_count(is_right, weights),
        log_loss=_log_loss(probabilities, classifier.classes_, split.y_test, weights),
        n_cuts=inputs.n_cuts,
        seconds=round(inputs.seconds + seconds, 4),
    )


def _weighted_count(is_right: NDArray[np.bool_], weights: NDArray[np.float64]) -> float:
    """Return the rows that are right, if the weights of all rows added up to their number."""
    if is_right.all():
        return is_right.size
    return is_right.size * float(weights[is_right].sum() / weights.sum())


def _log_loss(
    probabilities: NDArray[np.float64],
    classes: NDArray[Any],
    target: NDArray[Any],
    weights: NDArray[np.float64] | None = None,
) -> float:
    """Return the mean of -ln P(true class); a class that training did not have has probability 0."""
    places = np.searchsorted(classes, target).clip(max=classes.size - 1)
    of_true = np.where(classes[places] == target, probabilities[np.arange(target.size), places], 0.0)
    return float(np.average(-kernels.elementary.log_of(of_true.clip(min=SMALLEST_PROBABILITY)), weights=weights))


def _in_one_line(error: Exception) -> str:
    """Return what went wrong and where, without line breaks."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{place}"
