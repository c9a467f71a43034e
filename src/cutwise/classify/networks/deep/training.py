"""Training: AdamW on batches until the rows that judge see no improvement; the best state is kept."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap
from torch.nn.functional import cross_entropy

from cutwise.validation import deal_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.networks.deep.learning import NetworkInputs


class SeededDropout(nn.Module):
    """Dropout that draws from a generator of its own, so that PyTorch's global one is not touched."""

    def __init__(self, rate: float, generator: Any) -> None:
        super().__init__()
        self.rate = rate
        self.generator = generator

    def forward(self, values: Any) -> Any:
        """Set some values to zero and scale the others, while the network is trained."""
        if not self.training or self.rate == 0.0:
            return values
        kept = torch.rand(values.shape, generator=self.generator, device=values.device) >= self.rate
        return values * kept / (1.0 - self.rate)


def seed_dropout(module: Any, generator: Any) -> None:
    """Let all dropout of a network draw from a generator."""
    for name, child in module.named_children():
        if isinstance(child, nn.Dropout):
            setattr(module, name, SeededDropout(child.p, generator))
        else:
            seed_dropout(child, generator)


class NetStack:
    """Networks of one form that are trained side by side; none of them knows of the others.

    Parameters
    ----------
    nets : sequence of Module
        Each takes numbers[row, column] and codes[row, column] and returns scores[row, class].
    device : device
        Where they are trained.
    seed : int
        The random seed of dropout.
    """

    def __init__(self, nets: Sequence[Any], device: Any, seed: int) -> None:
        self._nets = list(nets)
        self._device = device
        self._form = copy.deepcopy(self._nets[0]).to(device)
        seed_dropout(self._form, torch.Generator(device).manual_seed(seed))
        parameters, buffers = stack_module_state(self._nets)
        self._parameters = {
            name: stacked.detach().to(device, copy=True).requires_grad_() for name, stacked in parameters.items()
        }
        self._buffers = {name: stacked.to(device, copy=True) for name, stacked in buffers.items()}
        self._best = {name: stacked.detach().clone() for name, stacked in self._state().items()}
        self._call_all = vmap(self._call_one, randomness="different")

    def __len__(self) -> int:
        return len(self._nets)

    def _state(self) -> dict[str, Any]:
        return {**self._parameters, **self._buffers}

    def _call_one(self, parameters: Any, buffers: Any, numbers: Any, codes: Any) -> Any:
        return functional_call(self._form, (parameters, buffers), (numbers, codes))

    def scores(self, numbers: Any, codes: Any, *, training: bool) -> Any:
        """Return scores[net, row, class] of numbers[net, row, column] and codes[net, row, column]."""
        self._form.train(training)
        if len(self) > 1:
            return self._call_all(self._parameters, self._buffers, numbers, codes)
        # One network alone needs no detour.
        parameters = {name: stacked[0] for name, stacked in self._parameters.items()}
        buffers = {name: stacked[0] for name, stacked in self._buffers.items()}
        return self._call_one(parameters, buffers, numbers[0], codes[0])[None]

    def optimizer(self, learning_rate: float, weight_decay: float) -> Any:
        """Return AdamW for all networks; what a network wants to be free of decay is."""
        name_of = {id(parameter): name for name, parameter in self._nets[0].named_parameters()}
        groups = [
            {**group, "params": [self._parameters[name_of[id(parameter)]] for parameter in group["params"]]}
            for group in self._nets[0].parameter_groups()
        ]
        return torch.optim.AdamW(groups, lr=learning_rate, weight_decay=weight_decay)

    def keep(self, improved: Any) -> None:
        """Remember the present state of those networks for which `improved` is true."""
        places = improved.nonzero()[:, 0].to(self._device)
        with torch.no_grad():
            for name, stacked in self._state().items():
                self._best[name][places] = stacked[places]

    def best_nets(self) -> list[Any]:
        """Return the networks, each with the state that was remembered last."""
        states = {name: stacked.cpu() for name, stacked in self._best.items()}
        for place, net in enumerate(self._nets):
            net.load_state_dict({name: stacked[place] for name, stacked in states.items()})
            net.eval()
        return self._nets


LARGEST_BATCH, SMALLEST_BATCH = 256, 16
# Batches of small tables are a part of the rows, so that an epoch has several steps.
BATCHES = 4
# Rows of each network that are judged at once, which bounds the memory.
BLOCK = 1024
# The mean loss must fall by more than this to count as an improvement.
LEAST_IMPROVEMENT = 1e-4


@dataclass(frozen=True)
class Schedule:
    """How networks are trained; see ResNetClassifier."""

    learning_rate: float
    weight_decay: float
    batch_size: int | None
    max_epochs: int
    patience: int
    max_seconds: float | None


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Rows with their classes and weights."""

    inputs: NetworkInputs
    targets: NDArray[np.int64]
    weights: NDArray[np.float64]

    def rows(self, places: NDArray[np.int64]) -> TrainingRows:
        """Return some of the rows."""
        return TrainingRows(self.inputs.rows(places), self.targets[places], self.weights[places])


@dataclass(frozen=True, eq=False)
class TrainingParts:
    """The rows that one network learns from, those that judge it, and its random numbers."""

    learned: TrainingRows
    judged: TrainingRows
    random: np.random.Generator


@dataclass(eq=False)
class TrainingCourse:
    """How the training of one network went: the loss after each epoch, and the epoch that was best, from 1."""

    losses: list[float] = field(default_factory=list)
    best_epoch: int = 0
    best_loss: float = float("inf")

    def add(self, loss: float) -> bool:
        """Add an epoch and return whether it was the best so far."""
        self.losses.append(loss)
        if not loss < self.best_loss - LEAST_IMPROVEMENT:
            return False
        self.best_epoch, self.best_loss = len(self.losses), loss
        return True

    def is_over(self, patience: int) -> bool:
        """Return whether there was no improvement for so many epochs."""
        return len(self.losses) - self.best_epoch >= patience


def split_parts(sample: TrainingRows, fraction: float, seed: int) -> TrainingParts:
    """Split rows into a part to learn from and a stratified part to judge by.

    A class whose rows would all judge is learned from instead. Where no row is left to judge, all
    rows do both.
    """
    n_parts = max(2, round(1.0 / fraction))
    judges = deal_rows(sample.targets, n_parts, np.random.RandomState(seed)) == n_parts - 1
    n_learned = np.bincount(sample.targets[~judges], minlength=sample.targets.max() + 1)
    judges &= n_learned[sample.targets] > 0
    random = np.random.default_rng(seed)
    if not judges.any():
        return TrainingParts(sample, sample, random)
    return TrainingParts(sample.rows(np.flatnonzero(~judges)), sample.rows(np.flatnonzero(judges)), random)


def choose_batch(batch_size: int | None, n_rows: int) -> int:
    """Return the number of rows of a batch: never more than there are, and two or more where there are two."""
    if batch_size is None:
        batch_size = min(LARGEST_BATCH, max(SMALLEST_BATCH, n_rows // BATCHES))
    return min(max(batch_size, 2), n_rows)


@dataclass(frozen=True, eq=False)
class StackedRows:
    """The rows of several networks in tensors, [net, row, ...]; rows that only fill up have the weight 0."""

    numbers: Any
    codes: Any
    targets: Any
    weights: Any

    @classmethod
    def stack(cls, samples: Sequence[TrainingRows], device: Any) -> StackedRows:
        """Put the rows of several networks side by side; the mean weight of each one's rows becomes 1."""
        n_rows = max(sample.targets.size for sample in samples)

        def together(arrays: Sequence[NDArray[Any]]) -> Any:
            filled = [np.pad(array, [(0, n_rows - len(array))] + [(0, 0)] * (array.ndim - 1)) for array in arrays]
            return torch.from_numpy(np.stack(filled)).to(device)

        return cls(
            together([sample.inputs.numbers for sample in samples]),
            together([sample.inputs.codes for sample in samples]),
            together([sample.targets for sample in samples]),
            together([(sample.weights / sample.weights.mean()).astype(np.float32) for sample in samples]),
        )

    def take(self, places: Any) -> StackedRows:
        """Return the rows at places[net, row]."""
        nets = torch.arange(len(places), device=places.device)[:, None]
        return StackedRows(
            self.numbers[nets, places], self.codes[nets, places], self.targets[nets, places], self.weights[nets, places]
        )

    def block(self, start: int, stop: int) -> StackedRows:
        """Return some rows of every network."""
        rows = slice(start, stop)
        return StackedRows(self.numbers[:, rows], self.codes[:, rows], self.targets[:, rows], self.weights[:, rows])


def summed_losses(stack: NetStack, rows: StackedRows, *, training: bool) -> Any:
    """Return the weighted sum of -ln P(true class) over the rows, for each network."""
    scores = stack.scores(rows.numbers, rows.codes, training=training)
    losses = cross_entropy(scores.flatten(0, 1), rows.targets.flatten(), reduction="none")
    return (losses.view(rows.targets.shape) * rows.weights).sum(dim=1)


def train(
    stack: NetStack, parts: Sequence[TrainingParts], schedule: Schedule, device: Any, report: Callable[[], None]
) -> list[TrainingCourse]:
    """Train networks side by side, each until it improves no more, and remember the best state of each.

    All take batches of one size, and in every epoch as many as the network with the fewest rows can;
    rows that are left over have their turn in other epochs.
    """
    start = time.monotonic()
    learned = StackedRows.stack([part.learned for part in parts], device)
    judged = StackedRows.stack([part.judged for part in parts], device)
    batch = choose_batch(schedule.batch_size, min(part.learned.targets.size for part in parts))
    optimizer = stack.optimizer(schedule.learning_rate, schedule.weight_decay)
    courses = [TrainingCourse() for _ in parts]
    over = np.zeros(len(parts), dtype=bool)
    for _ in range(schedule.max_epochs):
        train_epoch(stack, learned, parts, batch, optimizer)
        losses = judge(stack, judged)
        improved = [not done and course.add(loss) for done, course, loss in zip(over, courses, losses, strict=True)]
        stack.keep(torch.tensor(improved))
        report()
        over |= [course.is_over(schedule.patience) for course in courses]
        if over.all() or (schedule.max_seconds is not None and time.monotonic() - start >= schedule.max_seconds):
            break
    return courses


def train_epoch(
    stack: NetStack, learned: StackedRows, parts: Sequence[TrainingParts], batch: int, optimizer: Any
) -> Any:
    """Take each network once through its rows, in an order of its own; return the losses[step, net]."""
    sizes = [part.learned.targets.size for part in parts]
    n_steps = min(sizes) // batch
    orders = [part.random.permutation(size)[: n_steps * batch] for part, size in zip(parts, sizes, strict=True)]
    places = torch.from_numpy(np.stack(orders)).to(learned.targets.device).view(len(parts), n_steps, batch)
    by_step = []
    for step in range(n_steps):
        losses = summed_losses(stack, learned.take(places[:, step]), training=True) / batch
        optimizer.zero_grad()
        losses.sum().backward()
        optimizer.step()
        by_step.append(losses.detach())
    return torch.stack(by_step)


def judge(stack: NetStack, judged: StackedRows) -> list[float]:
    """Return the mean loss of each network on the rows that judge it."""
    n_rows = judged.targets.shape[1]
    with torch.no_grad():
        blocks = [judged.block(first, min(first + BLOCK, n_rows)) for first in range(0, n_rows, BLOCK)]
        total = torch.stack([summed_losses(stack, block, training=False) for block in blocks]).sum(dim=0)
        means: list[float] = (total / judged.weights.sum(dim=1)).tolist()
    return means
