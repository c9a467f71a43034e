"""Training: AdamW on batches until the rows that judge see no improvement; the best state is kept."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from cutwise.fitting import deal_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cutwise.neural.networks.inputs import Inputs
    from cutwise.neural.networks.stack import NetStack

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
class Sample:
    """Rows with their classes and weights."""

    inputs: Inputs
    targets: NDArray[np.int64]
    weights: NDArray[np.float64]

    def rows(self, places: NDArray[np.int64]) -> Sample:
        """Return some of the rows."""
        return Sample(self.inputs.rows(places), self.targets[places], self.weights[places])


@dataclass(frozen=True, eq=False)
class Parts:
    """The rows that one network learns from, those that judge it, and its random numbers."""

    learned: Sample
    judged: Sample
    random: np.random.Generator


@dataclass(eq=False)
class Course:
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


def split_parts(sample: Sample, fraction: float, seed: int) -> Parts:
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
        return Parts(sample, sample, random)
    return Parts(sample.rows(np.flatnonzero(~judges)), sample.rows(np.flatnonzero(judges)), random)


def choose_batch(batch_size: int | None, n_rows: int) -> int:
    """Return the number of rows of a batch: never more than there are, and two or more where there are two."""
    if batch_size is None:
        batch_size = min(LARGEST_BATCH, max(SMALLEST_BATCH, n_rows // BATCHES))
    return min(max(batch_size, 2), n_rows)


@dataclass(frozen=True, eq=False)
class Stacked:
    """The rows of several networks in tensors, [net, row, ...]; rows that only fill up have the weight 0."""

    numbers: Any
    codes: Any
    targets: Any
    weights: Any

    @classmethod
    def stack(cls, samples: Sequence[Sample], device: Any) -> Stacked:
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

    def take(self, places: Any) -> Stacked:
        """Return the rows at places[net, row]."""
        nets = torch.arange(len(places), device=places.device)[:, None]
        return Stacked(
            self.numbers[nets, places], self.codes[nets, places], self.targets[nets, places], self.weights[nets, places]
        )

    def block(self, start: int, stop: int) -> Stacked:
        """Return some rows of every network."""
        rows = slice(start, stop)
        return Stacked(self.numbers[:, rows], self.codes[:, rows], self.targets[:, rows], self.weights[:, rows])


def summed_losses(stack: NetStack, rows: Stacked, *, training: bool) -> Any:
    """Return the weighted sum of -ln P(true class) over the rows, for each network."""
    scores = stack.scores(rows.numbers, rows.codes, training=training)
    losses = cross_entropy(scores.flatten(0, 1), rows.targets.flatten(), reduction="none")
    return (losses.view(rows.targets.shape) * rows.weights).sum(dim=1)


def train(
    stack: NetStack, parts: Sequence[Parts], schedule: Schedule, device: Any, report: Callable[[], None]
) -> list[Course]:
    """Train networks side by side, each until it improves no more, and remember the best state of each.

    All take batches of one size, and in every epoch as many as the network with the fewest rows can;
    rows that are left over have their turn in other epochs.
    """
    start = time.monotonic()
    learned = Stacked.stack([part.learned for part in parts], device)
    judged = Stacked.stack([part.judged for part in parts], device)
    batch = choose_batch(schedule.batch_size, min(part.learned.targets.size for part in parts))
    optimizer = stack.optimizer(schedule.learning_rate, schedule.weight_decay)
    courses = [Course() for _ in parts]
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


def train_epoch(stack: NetStack, learned: Stacked, parts: Sequence[Parts], batch: int, optimizer: Any) -> Any:
    """Take each network once through its rows, in an order of its own; return the losses[step, net]."""
    sizes = [part.learned.targets.size for part in parts]
    n_steps = min(sizes) // batch
    orders = [part.random.permutation(size)[: n_steps * batch] for part, size in zip(parts, sizes, strict=True)]
    places = torch.from_numpy(np.stack(orders)).to(learned.targets.device).view(len(parts), n_steps, batch)
    told = []
    for step in range(n_steps):
        losses = summed_losses(stack, learned.take(places[:, step]), training=True) / batch
        optimizer.zero_grad()
        losses.sum().backward()
        optimizer.step()
        told.append(losses.detach())
    return torch.stack(told)


def judge(stack: NetStack, judged: Stacked) -> list[float]:
    """Return the mean loss of each network on the rows that judge it."""
    n_rows = judged.targets.shape[1]
    with torch.no_grad():
        blocks = [judged.block(first, min(first + BLOCK, n_rows)) for first in range(0, n_rows, BLOCK)]
        total = torch.stack([summed_losses(stack, block, training=False) for block in blocks]).sum(dim=0)
        means: list[float] = (total / judged.weights.sum(dim=1)).tolist()
    return means
