"""Learning from more rows than fit in memory: their codes are on disk, and sums over rows are made chunk by chunk.

The strength of the pull and the pairs are chosen on a sample of the rows. The bottom of its loss, with each row counted
for as many as it stands for, is near that of all rows, and so is the curvature there: few steps lead from it to the
bottom of all rows.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from cutwise import kernels
from cutwise.classify.additive.learning import (
    coarse_columns,
    column_bases,
    learned_shapes,
    strength_of,
)
from cutwise.classify.additive.newton import descend, descend_guided, guide_at
from cutwise.classify.additive.pairs import ChosenPairs, PairRows, choose_pairs, padded, pair_basis
from cutwise.classify.additive.problem import Place, Problem
from cutwise.classify.additive.strength import ROUGH
from cutwise.classify.base import code_counts
from cutwise.classify.bayes.sample import CodedRows
from cutwise.classify.bayes.tables import CellCounts, count_sample, empty_counts
from cutwise.counts import count_table
from cutwise.counts.tallies import slices
from cutwise.discretize.seen import label_array, refuse_ordered
from cutwise.errors import TableError
from cutwise.scheme import encode_columns
from cutwise.table.engines import open_source
from cutwise.table.frames import ordered_columns
from cutwise.threads import in_threads, interruptible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.learning import CodedColumns, LearnedShapes
    from cutwise.classify.additive.pairs import CoarseColumn
    from cutwise.counts import TableCounts
    from cutwise.scheme import Scheme
    from cutwise.table.engines import Source

# Up to so many rows, all of them are learned from in memory.
MOST_IN_MEMORY = 1_000_000
# Rows that are sampled, and rows that are read at once.
N_SAMPLED, CHUNK = 200_000, 1 << 17
# The slopes per row at which the search ends.
TOL = 1e-9


def open_counted(
    table: Any, target: str, *, columns: Sequence[str] | None, **options: Any
) -> tuple[Source, TableCounts]:
    """Return the source behind a table, and its counts; for the options see `count_table`."""
    refuse_ordered(name for name in ordered_columns(table) if columns is None or name in columns)
    source = open_source(table)
    return source, count_table(source, target, columns=columns, **options)


class CodeFile(NamedTuple):
    """A file of rows, each of them the codes of its columns, the place of its class and, if it has one, its weight.

    Parameters
    ----------
    path : str
    n_rows : dict
        How many rows, one after the other, are from which piece of the table.
    counts : CellCounts
        How often they count, by class and code.
    """

    path: str
    n_rows: dict[int, int]
    counts: CellCounts


@dataclass(frozen=True, eq=False)
class CodeWriter:
    """Writes the codes of batches of rows to a file of its own; may be sent to other processes.

    Parameters
    ----------
    scheme : Scheme
    target : str
    weight : str or None
        The column of weights.
    classes : list
        The class labels in order.
    record : dtype
        The type of a row in the file.
    folder : str
    """

    scheme: Scheme
    target: str
    weight: str | None
    classes: list[Any]
    record: np.dtype[Any]
    folder: str

    def __call__(self, batches: Iterable[Any]) -> CodeFile:
        """Write record batches with the columns of the scheme, the target and the weight."""
        from cutwise.table.engines.arrow import columns_of, places_of  # noqa: PLC0415

        n_rows: dict[int, int] = {}
        n_bins = np.array(code_counts(self.scheme), dtype=np.int64)
        classes, counts = label_array(self.classes), empty_counts(len(self.classes), n_bins)
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".codes", delete=False) as file:
            for batch, weights in slices(batches, self.weight):
                rows = np.empty(batch.num_rows, dtype=self.record)
                codes = np.ascontiguousarray(encode_columns(self.scheme, columns_of(batch, self.scheme.names)))
                labels = places_of(batch.column(self.target), self.classes)
                if (labels < 0).any():
                    message = "The table changed while it was read. Fit it again when nobody writes to it."
                    raise TableError(message)
                rows["codes"], rows["label"] = codes, labels
                if weights is not None:
                    rows["weight"] = weights
                file.write(rows.tobytes())
                often = None if weights is None else weights.astype(np.float64)
                counts += count_sample(CodedRows(codes, labels, often, classes, n_bins))
                # Engines with workers of their own hand over one piece at a time.
                piece = getattr(batches, "place", 0)
                n_rows[piece] = n_rows.get(piece, 0) + batch.num_rows
        return CodeFile(file.name, n_rows, counts)


@dataclass(frozen=True, eq=False)
class RowsOnDisk:
    """Rows whose codes are in files.

    Parameters
    ----------
    files : list of CodeFile
    record : dtype
        The type of a row in the files.
    classes : ndarray
        The class labels in order.
    n_bins : ndarray of int
        The number of bins of each column.
    tables : tuple of ndarray
        For each column the code that each code in the files stands for, see `renamed`; empty for themselves.
    unit : float
        What a weight in the files is multiplied with.
    """

    files: list[CodeFile]
    record: np.dtype[Any]
    classes: NDArray[Any]
    n_bins: NDArray[np.int64]
    tables: tuple[NDArray[np.int64], ...] = ()
    unit: float = 1.0

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return sum(sum(file.n_rows.values()) for file in self.files)

    def chunks(self) -> Iterator[CodedRows]:
        """Yield the rows, some at a time, in the order of the pieces of the table, whoever has read them."""
        return map(self._rows, self.records())

    def records(self) -> Iterator[NDArray[Any]]:
        """Yield the rows as they are in the files, in the order of `chunks` and in memory that the next ones take."""
        rows, n_rows = np.empty(CHUNK, dtype=self.record), 0
        for _, k, first, stop in sorted(self._pieces()):
            left = stop - first
            with Path(self.files[k].path).open("rb") as file:
                file.seek(first * self.record.itemsize)
                while left:
                    size = min(left, CHUNK - n_rows)
                    if file.readinto(rows[n_rows : n_rows + size].view(np.uint8).data) < size * self.record.itemsize:
                        message = f"The file {file.name} of codes became shorter while it was read. Fit again."
                        raise TableError(message)
                    left, n_rows = left - size, n_rows + size
                    if n_rows == CHUNK:
                        yield rows
                        n_rows = 0
        if n_rows:
            yield rows[:n_rows]

    def _pieces(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield each piece of the table: its number, that of its file, its first row there, and the one behind it."""
        for k, file in enumerate(self.files):
            first = 0
            for piece, n_rows in file.n_rows.items():
                yield piece, k, first, first + n_rows
                first += n_rows

    def _rows(self, rows: NDArray[Any]) -> CodedRows:
        """Return rows as they are in the files as codes, classes and weights in memory of their own."""
        codes = renamed(rows["codes"], self.tables) if self.tables else rows["codes"].astype(np.int32)
        return CodedRows(codes, rows["label"].astype(np.int64), self.weights_of(rows), self.classes, self.n_bins)

    def weights_of(self, rows: NDArray[Any]) -> NDArray[np.float64] | None:
        """Return how often each row counts, None for once."""
        return rows["weight"] * self.unit if "weight" in (self.record.names or ()) else None

    def sample(self, n_rows: int) -> CodedRows:
        """Return some rows, each as likely as the next, and one of each class without any; all if they are no more."""
        if n_rows < self.n_rows:
            kept = np.sort(np.random.default_rng(0).choice(self.n_rows, n_rows, replace=False))
        else:
            kept = np.arange(self.n_rows)
        parts, first = [], 0
        ones: dict[int, NDArray[Any]] = {}
        for rows in self.records():
            stop = first + rows.size
            own = kept[np.searchsorted(kept, first) : np.searchsorted(kept, stop)] - first
            parts.append(rows[own])
            first = stop
            if len(ones) < self.classes.size:
                for label, row in zip(*np.unique(rows["label"], return_index=True), strict=True):
                    ones.setdefault(int(label), rows[[row]])
        lacking = sorted(ones.keys() - np.unique(np.concatenate([part["label"] for part in parts])).tolist())
        return self._rows(np.concatenate([*parts, *(ones[label] for label in lacking)]))

    def relative(self) -> RowsOnDisk:
        """Return the same rows with weights that sum to their number."""
        return replace(self, unit=self.n_rows / float(self.counts.of_class.sum()))

    @cached_property
    def counts(self) -> CellCounts:
        """How many rows each class has, in all and in each cell."""
        stored = reduce(add, (file.counts for file in self.files))
        found = empty_counts(self.classes.size, self.n_bins)
        spans = zip(found.offsets[:-1], stored.offsets[:-1], stored.offsets[1:], self.stood_for(), strict=True)
        for first, start, stop, table in spans:
            np.add.at(found.of_cell, first + table, stored.of_cell[start:stop])
        return CellCounts(self.unit * stored.of_class, self.unit * found.of_cell, found.offsets)

    def stood_for(self) -> Sequence[NDArray[np.int64]]:
        """Return, for each column, the code that each code in the files stands for."""
        return self.tables or [np.arange(n_bins) for n_bins in self.n_bins]


def renamed(codes: NDArray[Any], tables: Sequence[NDArray[np.int64]]) -> NDArray[np.int32]:
    """Return other codes, of which there is a table for each column; -1 stays.

    Examples
    --------
    >>> renamed(np.array([[0, 1], [2, -1]]), [np.array([0, 0, 1]), np.array([5, 4])])
    array([[ 0,  4],
           [ 1, -1]], dtype=int32)
    """
    found = np.empty(codes.shape, dtype=np.int32)
    for j, table in enumerate(tables):
        # The last entry is that of -1.
        found[:, j] = np.append(table, -1)[codes[:, j]]
    return found


def write_codes(
    source: Source, scheme: Scheme, counts: TableCounts, folder: str, *, weight: str | None = None
) -> RowsOnDisk:
    """Read a table that was counted once more, and write the codes of its rows to files in a folder."""
    classes, n_bins = label_array(counts.classes), code_counts(scheme)
    kind = "int16" if max(*n_bins, classes.size) < 1 << 15 else "int32"
    fields: list[Any] = [("codes", kind, (len(n_bins),)), ("label", kind)]
    record = np.dtype(fields if weight is None else [*fields, ("weight", "int64")])
    target = str(counts.target)
    writer = CodeWriter(scheme, target, weight, classes.tolist(), record, folder)
    columns = [*scheme.names, target, *([] if weight is None else [weight])]
    files = [file for file in source.fold(columns, writer) if file.n_rows]
    if not all(Path(file.path).exists() for file in files):
        message = (
            "The workers of the table's engine write to disks that cannot be read from here. Write the table to "
            "Parquet files, and pass these."
        )
        raise TableError(message)
    return RowsOnDisk(files, record, classes, np.array(n_bins, dtype=np.int64))


class StoredCells(NamedTuple):
    """Where the codes of rows in files are among the cells of a problem; see ``place_stored`` of the kernels."""

    starts: NDArray[np.int64]
    places: NDArray[np.int32]
    groups: NDArray[np.int32]
    pairs: NDArray[np.int64]

    @classmethod
    def of(
        cls, rows: RowsOnDisk, near: Problem, coarse: Sequence[CoarseColumn], pairs: Sequence[tuple[int, int]]
    ) -> Self:
        """Return those of rows among the cells of a problem of the same columns and pairs."""
        tables = rows.stood_for()
        starts = np.cumsum([1, *(table.size + 1 for table in tables[:-1])])
        places, groups = [], []
        for j, (table, column) in enumerate(zip(tables, coarse, strict=True)):
            places.append([near.n_cells, *(near.first_cells[j + 1] + table).tolist()])
            groups.append([-1, *column.groups_of(table).tolist()])
        firsts = near.first_cells[1 + len(coarse) : -1].tolist()
        laid = [(*pair, first, coarse[pair[1]].n_groups) for pair, first in zip(pairs, firsts, strict=True)]
        of_code = [np.concatenate(lists).astype(np.int32) for lists in (places, groups)]
        return cls(starts, of_code[0], of_code[1], np.array(laid, dtype=np.int64).reshape(-1, 4))


class ProblemOnDisk:
    """The loss of all rows with its slopes: sums over chunks of rows.

    Parameters
    ----------
    rows : RowsOnDisk
    near : Problem
        That of a sample, with the same columns and pairs.
    coarse : sequence of CoarseColumn
        The columns as pairs have them.
    pairs : sequence of pairs of int
    """

    def __init__(
        self, rows: RowsOnDisk, near: Problem, coarse: Sequence[CoarseColumn], pairs: Sequence[tuple[int, int]]
    ) -> None:
        self.rows, self.near = rows, near
        self.stored = StoredCells.of(rows, near, coarse, pairs)
        self.total = float(rows.counts.of_class.sum())

    def at(self, weights: NDArray[np.float64], alpha: float) -> Place:
        """Return the loss and its slopes at some weights; what is told of rows is empty."""
        table = self.near.tables(weights)

        def loss_of(
            codes: NDArray[Any], labels: NDArray[np.int64], counted: NDArray[np.float64] | None
        ) -> tuple[float, NDArray[np.float64]]:
            sums, ones = np.zeros_like(table), np.ones(labels.size) if counted is None else counted
            return kernels.additive.cells.sum_losses(codes, labels, ones, *self.stored, table, sums), sums

        tasks = (
            (rows["codes"].copy(), rows["label"].astype(np.int64), self.rows.weights_of(rows))
            for rows in self.rows.records()
        )
        value, sums = 0.0, np.zeros_like(table)
        for own_value, own_sums in in_threads(loss_of, tasks, -1):
            value, sums = value + own_value, sums + own_sums
        pull = self.near.pull(alpha)[:, None] * weights
        value += 0.5 * float((pull * weights).sum())
        none = np.empty((0, 0))
        return Place(none, none, none, np.empty(0), weights, value, self.near.to_weights(sums) + pull)


def learn_from_disk(
    rows: RowsOnDisk, columns: CodedColumns, alpha: float | None
) -> tuple[LearnedShapes, NDArray[np.float64]]:
    """Learn the scores of all bins at once; return them, and the rows in each cell of the grids of pairs."""
    coarse = coarse_columns(rows.counts, columns.n_ordered)
    bases = column_bases(rows.counts, columns.n_ordered)
    sample = rows.sample(N_SAMPLED).distinct()
    main = Problem(sample, bases)
    tried, strength, start = interruptible(strength_of, main, alpha)
    chosen = ChosenPairs((), 1.0)
    if columns.pairs and len(coarse) > 1:
        chosen = interruptible(choose_pairs, PairRows(sample, coarse), main, (strength, start), columns.pairs)
    grids = _pair_counts(rows, coarse, chosen.pairs)
    bases += [pair_basis(coarse, pair, grid) for pair, grid in zip(chosen.pairs, grids, strict=True)]
    pulls = [1.0] * len(coarse) + [chosen.pull] * len(chosen.pairs)
    # Each row of the sample counts for as many as it stands for.
    weights = sample.row_weights * (float(rows.counts.of_class.sum()) / float(sample.row_weights.sum()))
    paired = PairRows(replace(sample, weights=weights), coarse).coded(chosen.pairs)
    near = Problem(paired, bases, pulls, len(chosen.pairs))
    first = interruptible(descend, near, strength, padded(start, near), ROUGH).place
    problem = ProblemOnDisk(rows, near, coarse, chosen.pairs)
    place, n_iter = descend_guided(problem, strength, first.weights, TOL, guide_at(near, first, strength))
    last, n_cells = near.at(place.weights, strength), len(rows.counts.of_cell)
    found = learned_shapes(near, last, strength, chosen=chosen, coarse=coarse, n_cells=n_cells)
    steepness = place.steepness / problem.total
    found = replace(found, tried=tuple(tried), loss=place.value, steepness=steepness, n_iter=n_iter)
    return found, np.concatenate([np.empty(0), *(grid.ravel() for grid in grids)])


def _pair_counts(
    rows: RowsOnDisk, coarse: Sequence[CoarseColumn], pairs: Sequence[tuple[int, int]]
) -> list[NDArray[np.float64]]:
    """Return the rows in each cell of the grid of each pair."""
    counts = [np.zeros((coarse[one].n_groups, coarse[two].n_groups)) for one, two in pairs]
    for chunk in rows.chunks() if pairs else ():
        paired = PairRows(chunk, coarse)
        for k, pair in enumerate(pairs):
            counts[k] += paired.counts(pair, chunk.row_weights)
    return counts
