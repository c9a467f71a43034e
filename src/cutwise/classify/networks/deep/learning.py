"""From tables to trained networks: one table, or several of one shape side by side."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from scipy.special import ndtri

from cutwise.classify.networks.columns import Standardised, choose_seed, read_training_cells
from cutwise.classify.networks.deep.training import NetStack, Schedule, TrainingCourse, TrainingRows, split_parts, train
from cutwise.validation import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.networks.columns import TableCells
    from cutwise.classify.networks.deep.training import TrainingParts
    from cutwise.table.columns import Label
    from cutwise.validation import CheckedRows


# One quantile for so many rows, within limits.
ROWS_PER_QUANTILE = 30
FEWEST_QUANTILES, MOST_QUANTILES = 10, 1000
# The quantiles are learned from values with a little noise, otherwise a value that many rows share would be
# several quantiles at once. Its deviation is this part of what lies between the column's quartiles.
NOISE = 1e-3
# No value lies further out than the normal distribution's quantile of this.
SMALLEST_SHARE = 1e-7


@dataclass(frozen=True, eq=False)
class QuantileNormal:
    """A numeric column by its place among the training rows: the normal distribution's quantile there.

    The values are standardised first; a missing one becomes the mean.
    """

    standardised: Standardised
    quantiles: NDArray[np.float64]

    @classmethod
    def learn(
        cls, values: NDArray[np.float64], weights: NDArray[np.float64], random: np.random.Generator
    ) -> QuantileNormal:
        """Learn from the training rows. The weights decide the mean only."""
        standardised = Standardised.learn(values, weights)
        inner = standardised.apply(values)[:, 0]
        low, high = np.quantile(inner, [0.25, 0.75])
        # Where half of the rows share one value, the standard deviation, which is 1, takes the place.
        noisy = inner + random.normal(0.0, NOISE * ((high - low) or 1.0), values.size)
        n_quantiles = min(max(values.size // ROWS_PER_QUANTILE, FEWEST_QUANTILES), MOST_QUANTILES)
        return cls(standardised, np.quantile(noisy, np.linspace(0.0, 1.0, n_quantiles)))

    def apply(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the column in the new form."""
        inner = self.standardised.apply(values)[:, 0]
        shares = np.linspace(0.0, 1.0, self.quantiles.size)
        # From both sides, so that a value that is several quantiles stands in their middle.
        from_left = np.interp(inner, self.quantiles, shares)
        from_right = np.interp(-inner, -self.quantiles[::-1], -shares[::-1])
        share = (from_left - from_right) / 2.0
        return np.asarray(ndtri(np.clip(share, SMALLEST_SHARE, 1.0 - SMALLEST_SHARE)))


@dataclass(frozen=True, eq=False)
class Categories:
    """A nominal column as codes; one code more stands for what is missing or was never seen."""

    categories: tuple[Label, ...]

    def apply(self, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the column in the new form."""
        return np.where(codes < 0, len(self.categories), codes).astype(np.int64)


@dataclass(frozen=True)
class NetworkShape:
    """What decides the size of a network: two tables of one shape can be learned side by side.

    Parameters
    ----------
    n_numeric : int
        The number of numeric columns.
    n_codes : tuple of int
        For each nominal column the number of its codes, the one for missing values included.
    n_classes : int
    """

    n_numeric: int
    n_codes: tuple[int, ...]
    n_classes: int


@dataclass(frozen=True, eq=False)
class NetworkInputs:
    """Rows as a network takes them: numbers[row, numeric column] and codes[row, nominal column]."""

    numbers: NDArray[np.float32]
    codes: NDArray[np.int64]

    def rows(self, places: NDArray[np.int64]) -> NetworkInputs:
        """Return some of the rows."""
        return NetworkInputs(self.numbers[places], self.codes[places])


InputMap = QuantileNormal | Categories


def learn_inputs(cells: TableCells, weights: NDArray[np.float64], random: np.random.Generator) -> list[InputMap]:
    """Learn how each column becomes what networks take."""
    return [
        QuantileNormal.learn(values, weights, random) if known is None else Categories(known)
        for values, known in zip(cells.values, cells.categories, strict=True)
    ]


def as_inputs(cells: TableCells, maps: Sequence[InputMap]) -> NetworkInputs:
    """Return all columns, the numeric and the nominal ones apart."""
    n_rows = cells.values[0].size
    numbers, codes = [np.empty((n_rows, 0))], [np.empty((n_rows, 0), dtype=np.int64)]
    for column, values in zip(maps, cells.values, strict=True):
        chosen: list[Any] = numbers if isinstance(column, QuantileNormal) else codes
        chosen.append(column.apply(values)[:, np.newaxis])
    return NetworkInputs(np.hstack(numbers).astype(np.float32), np.hstack(codes))


def shape_of(maps: Sequence[InputMap], n_classes: int) -> NetworkShape:
    """Return what decides the size of the network."""
    n_codes = tuple(len(column.categories) + 1 for column in maps if isinstance(column, Categories))
    return NetworkShape(len(maps) - len(n_codes), n_codes, n_classes)


# Networks draw their first weights from PyTorch's global random numbers, which are put back afterwards.
_GLOBAL_RANDOM = threading.Lock()


@dataclass(frozen=True, eq=False)
class PreparedRows:
    """What was passed to fit, as a network takes it."""

    rows: CheckedRows
    maps: list[InputMap]
    shape: NetworkShape
    parts: TrainingParts
    seed: int


def choose_device(device: str) -> Any:
    """Return the device of that name; "auto" is a GPU if there is one."""
    has_gpu = torch.cuda.is_available()
    if device == "auto":
        return torch.device("cuda" if has_gpu else "cpu")
    try:
        chosen = torch.device(device)
    except RuntimeError:
        message = f"device={device!r} is unknown to PyTorch. Use 'auto', 'cpu', 'cuda' or one such as 'cuda:1'."
        raise ValueError(message) from None
    if chosen.type == "cuda" and not has_gpu:
        message = f"device={device!r}, but PyTorch finds no GPU here. Use 'auto' or 'cpu'."
        raise ValueError(message)
    return chosen


def prepare(model: Any, X: Any, y: Any, sample_weight: Any = None) -> PreparedRows:
    """Check a table, learn how its columns become inputs, and split off the rows that judge."""
    rows = read_rows(model, X, y, sample_weight)
    cells = read_training_cells(rows.table.data, rows.table.names)
    seed = choose_seed(model.random_state)
    maps = learn_inputs(cells, rows.row_weights, np.random.default_rng(seed))
    sample = TrainingRows(as_inputs(cells, maps), rows.codes, rows.row_weights)
    parts = split_parts(sample, float(model.validation_fraction), seed)
    return PreparedRows(rows, maps, shape_of(maps, rows.classes.size), parts, seed)


def learn(model: Any, prepared: Sequence[PreparedRows], report: Callable[[], None]) -> list[tuple[Any, TrainingCourse]]:
    """Train a network with the model's settings on each of some tables of one shape."""
    nets = [new_net(model, one) for one in prepared]
    device = choose_device(model.device)
    if prepared[0].shape.n_classes == 1:
        return [(net.eval(), TrainingCourse()) for net in nets]
    stack = NetStack(nets, device, prepared[0].seed)
    courses = train(stack, [one.parts for one in prepared], schedule_of(model), device, report)
    return list(zip(stack.best_nets(), courses, strict=True))


def new_net(model: Any, prepared: PreparedRows) -> Any:
    """Return the network with its first random weights."""
    with _GLOBAL_RANDOM:
        state = torch.default_generator.get_state()
        try:
            torch.default_generator.manual_seed(prepared.seed)
            return model.make_net(prepared.shape).float()
        finally:
            torch.default_generator.set_state(state)


def schedule_of(model: Any) -> Schedule:
    """Return how the model's networks are trained."""
    return Schedule(
        learning_rate=float(model.learning_rate),
        weight_decay=float(model.weight_decay),
        batch_size=None if model.batch_size is None else int(model.batch_size),
        max_epochs=int(model.max_epochs),
        patience=int(model.patience),
        max_seconds=model.max_seconds,
    )
