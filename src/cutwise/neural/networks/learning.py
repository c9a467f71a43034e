"""From tables to trained networks: one table, or several of one shape side by side."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from sklearn.utils import check_random_state

from cutwise.fitting import read_rows
from cutwise.neural.columns import read_training_cells
from cutwise.neural.networks.inputs import as_inputs, learn_inputs, shape_of
from cutwise.neural.networks.stack import NetStack
from cutwise.neural.networks.training import Course, Sample, Schedule, split_parts, train

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cutwise.fitting import Rows
    from cutwise.neural.networks.inputs import InputMap, Shape
    from cutwise.neural.networks.training import Parts

# Networks draw their first weights from PyTorch's global random numbers, which are put back afterwards.
_GLOBAL_RANDOM = threading.Lock()


@dataclass(frozen=True, eq=False)
class Prepared:
    """What was passed to fit, as a network takes it."""

    rows: Rows
    maps: list[InputMap]
    shape: Shape
    parts: Parts
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


def choose_seed(random_state: Any) -> int:
    """Return the beginning of the random numbers, without a touch of numpy's global ones."""
    if random_state is None:
        return int(np.random.default_rng().integers(np.iinfo(np.int32).max))
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def prepare(model: Any, X: Any, y: Any, sample_weight: Any = None) -> Prepared:
    """Check a table, learn how its columns become inputs, and split off the rows that judge."""
    rows = read_rows(model, X, y, sample_weight)
    cells = read_training_cells(rows.table.data, rows.table.names)
    seed = choose_seed(model.random_state)
    maps = learn_inputs(cells, rows.row_weights, np.random.default_rng(seed))
    sample = Sample(as_inputs(cells, maps), rows.codes, rows.row_weights)
    parts = split_parts(sample, float(model.validation_fraction), seed)
    return Prepared(rows, maps, shape_of(maps, rows.classes.size), parts, seed)


def learn(model: Any, prepared: Sequence[Prepared], report: Callable[[], None]) -> list[tuple[Any, Course]]:
    """Train a network with the model's settings on each of some tables of one shape."""
    nets = [new_net(model, one) for one in prepared]
    device = choose_device(model.device)
    if prepared[0].shape.n_classes == 1:
        return [(net.eval(), Course()) for net in nets]
    stack = NetStack(nets, device, prepared[0].seed)
    courses = train(stack, [one.parts for one in prepared], schedule_of(model), device, report)
    return list(zip(stack.best_nets(), courses, strict=True))


def new_net(model: Any, prepared: Prepared) -> Any:
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
