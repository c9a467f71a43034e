"""Training: parts, batches, early end, and networks side by side against each alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from cutwise import FTTransformerClassifier, ResNetClassifier
from cutwise.classify.networks.deep import learning, training
from cutwise.classify.networks.deep.learning import NetworkInputs, NetworkShape
from cutwise.classify.networks.deep.training import NetStack, StackedRows, TrainingCourse, TrainingParts, TrainingRows

CPU = torch.device("cpu")
SHAPE = NetworkShape(3, (4,), 2)
SCHEDULE = training.Schedule(1e-2, 1e-3, None, 5, 3, None)
STILL = [
    ResNetClassifier(n_blocks=2, d_block=8, dropout1=0.0),
    FTTransformerClassifier(n_blocks=2, d_block=8, attention_dropout=0.0, ffn_dropout=0.0),
]


def sample(n_rows, seed):
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(n_rows, 3))
    codes = random.integers(0, 4, (n_rows, 1))
    return TrainingRows(
        NetworkInputs(numbers, codes), (numbers[:, 0] > 0).astype(np.int64), random.uniform(0.5, 2.0, n_rows)
    )


def parts(sizes):
    return [TrainingParts(sample(n, n), sample(n // 2, n + 1), np.random.default_rng(n)) for n in sizes]


def nets(model, n):
    """Networks in doubles: AdamW makes much of the rounding of gradients that should be zero."""
    made = []
    for seed in range(n):
        prepared = learning.PreparedRows(None, [], SHAPE, None, seed)
        made.append(learning.new_net(model, prepared).double())
    return made


@pytest.mark.parametrize("model", STILL, ids=["resnet", "ftt"])
def test_side_by_side_as_each_alone(model):
    """The losses of every step and the states agree, though the networks have different numbers of rows."""
    sizes = [40, 41, 43]
    together = NetStack(nets(model, 3), CPU, 0)
    learned = StackedRows.stack([p.learned for p in parts(sizes)], CPU)
    judged = StackedRows.stack([p.judged for p in parts(sizes)], CPU)
    optimizer = together.optimizer(1e-2, 1e-2)
    given_parts = parts(sizes)
    told = torch.cat([training.train_epoch(together, learned, given_parts, 10, optimizer) for _ in range(2)])
    losses = training.judge(together, judged)
    for place, (net, part) in enumerate(zip(nets(model, 3), parts(sizes), strict=True)):
        alone = NetStack([net], CPU, 0)
        own = StackedRows.stack([part.learned], CPU)
        optimizer = alone.optimizer(1e-2, 1e-2)
        told_alone = torch.cat([training.train_epoch(alone, own, [part], 10, optimizer) for _ in range(2)])
        torch.testing.assert_close(told[:, place], told_alone[:, 0], atol=1e-6, rtol=1e-6)
        loss = training.judge(alone, StackedRows.stack([part.judged], CPU))
        assert losses[place] == pytest.approx(loss[0], abs=1e-6)


@pytest.mark.parametrize("model", STILL, ids=["resnet", "ftt"])
def test_one_step_is_the_plain_one(model):
    """The first step agrees with PyTorch's usual loop on the authors' module."""
    (part,) = parts([30])
    (net,) = nets(model, 1)
    stack = NetStack([net], CPU, 0)
    rows = StackedRows.stack([part.learned], CPU)
    told = training.train_epoch(stack, rows, [part], 15, stack.optimizer(1e-2, 1e-2))

    (plain,) = nets(model, 1)
    plain.train()
    optimizer = torch.optim.AdamW(plain.parameter_groups(), lr=1e-2, weight_decay=1e-2)
    order = torch.from_numpy(np.random.default_rng(30).permutation(30))
    for step in range(2):
        places = order[15 * step : 15 * step + 15]
        scores = plain(rows.numbers[0, places], rows.codes[0, places])
        losses = torch.nn.functional.cross_entropy(scores, rows.targets[0, places], reduction="none")
        loss = (losses * rows.weights[0, places]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.testing.assert_close(told[step, 0], loss.detach(), atol=1e-5, rtol=1e-5)


def test_each_ends_for_itself_and_keeps_its_best(monkeypatch):
    monkeypatch.setattr(training, "judge", lambda _stack, _rows: next(losses))
    losses = iter([[1.0, 1.0], [0.5, 0.9], [0.6, 0.8], [0.6, 0.7], [0.1, 0.6], [0.1, float("nan")]])
    kept = []
    stack = NetStack(nets(STILL[0], 2), CPU, 0)
    monkeypatch.setattr(stack, "keep", lambda improved: kept.append(improved.tolist()))
    schedule = training.Schedule(1e-2, 0.0, None, 6, 2, None)
    first, second = training.train(stack, parts([20, 20]), schedule, CPU, lambda: None)
    assert (first.losses, first.best_epoch) == ([1.0, 0.5, 0.6, 0.6], 2)
    assert second.best_epoch == 5
    assert kept == [[True, True], [True, True], [False, True], [False, True], [False, True], [False, False]]


@pytest.mark.parametrize("n", [1, 2])
def test_best_nets_have_the_best_loss(n):
    given_parts = parts([40, 41][:n])
    stack = NetStack(nets(STILL[0], n), CPU, 0)
    courses = training.train(stack, given_parts, SCHEDULE, CPU, lambda: None)
    for net, part, course in zip(stack.best_nets(), given_parts, courses, strict=True):
        rows = StackedRows.stack([part.judged], CPU)
        loss = training.judge(NetStack([net], CPU, 0), rows)[0]
        assert loss == pytest.approx(course.best_loss, abs=1e-5)
        assert course.best_loss == pytest.approx(min(course.losses), abs=training.LEAST_IMPROVEMENT)


def test_blocks_of_rows_that_judge(monkeypatch):
    stack = NetStack(nets(STILL[0], 2), CPU, 0)
    rows = StackedRows.stack([p.judged for p in parts([40, 50])], CPU)
    whole = training.judge(stack, rows)
    monkeypatch.setattr(training, "BLOCK", 7)
    assert training.judge(stack, rows) == pytest.approx(whole, abs=1e-5)


def test_time_over_after_an_epoch():
    stack = NetStack(nets(STILL[0], 1), CPU, 0)
    schedule = training.Schedule(1e-2, 0.0, None, 50, 50, 0.0)
    (course,) = training.train(stack, parts([20]), schedule, CPU, lambda: None)
    assert len(course.losses) == 1


@given(st.lists(st.integers(0, 4), min_size=1, max_size=60), st.sampled_from([0.1, 0.2, 0.5]), st.integers(0, 99))
def test_parts(classes, fraction, seed):
    _, codes = np.unique(classes, return_inverse=True)
    marks = np.arange(codes.size, dtype=np.float32)[:, None]
    whole = TrainingRows(NetworkInputs(marks, np.empty((codes.size, 0), dtype=np.int64)), codes, np.ones(codes.size))
    split = training.split_parts(whole, fraction, seed)
    assert set(split.learned.targets) == set(codes)
    assert split.judged.targets.size > 0
    if split.judged is not whole:
        both = np.concatenate([split.learned.inputs.numbers, split.judged.inputs.numbers])[:, 0]
        assert sorted(both) == marks[:, 0].tolist()


@given(st.one_of(st.none(), st.integers(2, 500)), st.integers(2, 20_000))
def test_batches(batch_size, n_rows):
    batch = training.choose_batch(batch_size, n_rows)
    assert 2 <= batch <= n_rows
    if batch_size is None:
        assert batch <= 256


def test_a_course_without_a_finite_loss_is_over_too():
    course = TrainingCourse()
    assert not any(course.add(float("nan")) for _ in range(3))
    assert course.is_over(3)
    assert course.best_epoch == 0


def test_dropout_draws_from_its_own_generator():
    model = ResNetClassifier(d_block=8, dropout1=0.5)
    before = torch.random.get_rng_state()
    runs = []
    for seed in (0, 0, 1):
        stack = NetStack(nets(model, 2), CPU, seed)
        given_parts = parts([20, 20])
        rows = StackedRows.stack([p.learned for p in given_parts], CPU)
        runs.append(training.train_epoch(stack, rows, given_parts, 10, stack.optimizer(1e-2, 0.0)))
    assert torch.equal(runs[0], runs[1])
    assert not torch.equal(runs[0], runs[2])
    assert torch.equal(torch.random.get_rng_state(), before)
