"""The chance that the best cut of a bin reaches a likelihood ratio, against trying every order of the classes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from cutwise import kernels
from cutwise.criteria import CutPlaces, chance_of_best, expected_loss, likelihood_ratio
from cutwise.criteria.chance import CAUTION, MAX_DEALT

# Quantiles of the best cut's likelihood ratio, by simulation with 2,000 columns (600 of 10,000 rows): distinct values.
QUANTILES = {
    (2, 100): (8.3, 9.7, 13.1),
    (2, 1000): (9.5, 11.1, 14.4),
    (2, 10000): (10.4, 11.5, 14.2),
    (3, 100): (11.0, 12.7, 16.2),
    (3, 1000): (12.6, 14.5, 18.3),
    (3, 10000): (13.0, 14.3, 19.2),
    (5, 100): (15.4, 17.2, 21.6),
    (5, 1000): (17.0, 18.6, 22.4),
    (5, 10000): (17.6, 19.8, 22.0),
    (10, 100): (25.0, 27.3, 31.9),
    (10, 1000): (26.1, 28.3, 33.3),
    (10, 10000): (27.0, 29.3, 33.6),
}


def plain_ratio(left: list[int], right: list[int]) -> float:
    """Return the likelihood ratio of a cut in one line of plain Python for each half."""
    whole = [a + b for a, b in zip(left, right, strict=True)]
    terms = [sum(n * math.log(n / sum(counts)) for n in counts if n) for counts in (left, right, whole)]
    return 2 * (terms[0] + terms[1] - terms[2])


def best_ratios(class_rows: list[int], times: list[int], side: int = 0) -> list[float]:
    """Return the best ratio of every order of the classes; with a side, of cuts with few or many of class 0."""
    labels = [label for label, rows in enumerate(class_rows) for _ in range(rows)]
    found = []
    for order in set(itertools.permutations(labels)):
        ratios = [0.0]
        for t in times:
            left = [order[:t].count(label) for label in range(len(class_rows))]
            right = [rows - a for rows, a in zip(class_rows, left, strict=True)]
            excess = left[0] / t - class_rows[0] / len(labels)
            if side == 0 or side * excess > 0:
                ratios.append(plain_ratio(left, right))
        found.append(max(ratios))
    return found


@pytest.mark.parametrize(
    ("class_rows", "times"),
    [
        ([3, 5], [1, 2, 3, 4, 5, 6, 7]),
        ([4, 4], [2, 4, 6]),
        ([2, 6], [1, 4]),
        ([1, 7], [1, 2, 3, 4, 5, 6, 7]),
        ([4, 5], [3, 4, 5, 6]),
    ],
)
def test_two_classes_are_exact(class_rows: list[int], times: list[int]) -> None:
    """Every order of the classes is as likely; ties and a least size of bins leave fewer places."""
    best = np.array(best_ratios(class_rows, times))
    places = CutPlaces(np.array(class_rows), np.array(times))
    for ratio in np.unique(np.floor(best * 1e6) / 1e6):
        if ratio > 0:
            share = np.mean(best >= ratio - 1e-5)
            assert chance_of_best(float(ratio), places) == pytest.approx(share, rel=1e-5)


@pytest.mark.parametrize("side", [-1, 1])
def test_one_side_counts_its_own_cuts(side: int) -> None:
    """With a direction, only cuts that go in it are rivals."""
    times = [1, 2, 3, 4, 5, 6, 7]
    best = np.array(best_ratios([3, 5], times, side))
    places = CutPlaces(np.array([3, 5]), np.array(times))
    for ratio in np.unique(np.floor(best * 1e6) / 1e6)[1:]:
        share = np.mean(best >= ratio - 1e-5)
        assert chance_of_best(float(ratio), places, (side < 0, side > 0)) == pytest.approx(share, rel=1e-5)


def test_three_classes_of_few_rows_are_dealt() -> None:
    """What some deals give agrees with all of them."""
    times = [1, 2, 3, 4, 5, 6, 7]
    best = np.array(best_ratios([2, 3, 3], times))
    places = CutPlaces(np.array([2, 3, 3]), np.array(times))
    for ratio in np.unique(np.floor(best * 1e6) / 1e6)[2::6]:
        share = np.mean(best >= ratio - 1e-5)
        # The share of 20,000 deals, or of as many as it takes until 400 are as good, and its standard error.
        assert chance_of_best(float(ratio), places) == pytest.approx(share * 1.05, rel=0.15, abs=0.002)


@pytest.mark.parametrize(("n_classes", "n_rows"), QUANTILES)
def test_simulated_quantiles(n_classes: int, n_rows: int) -> None:
    """Quantiles by simulation have the chances that they should, up to the error of 600 to 2,000 columns."""
    rows = np.full(n_classes, n_rows // n_classes)
    rows[0] += n_rows - rows.sum()
    places = CutPlaces(rows, np.arange(1, n_rows))
    chances = [chance_of_best(quantile, places) for quantile in QUANTILES[n_classes, n_rows]]
    most = CAUTION if n_classes > 2 and n_rows > MAX_DEALT else 1.0
    errors = (0.2, 0.3, 0.6) if n_rows < 10000 else (0.3, 0.45, 1.2)
    for chance, level, error in zip(chances, (0.10, 0.05, 0.01), errors, strict=True):
        assert level * (1 - error) <= chance <= level * (1 + error) * most


@pytest.mark.parametrize(("n_rows", "n_rare"), [(4000, 2000), (4000, 400), (6000, 300)])
@pytest.mark.parametrize("step", [1, 40, 500])
@pytest.mark.parametrize("ratio", [4.0, 8.0, 11.0, 15.0, 25.0])
def test_the_diffusion_agrees_with_the_paths(n_rows: int, n_rare: int, step: int, ratio: float) -> None:
    """Many rows are followed near the ends of a bin only; that costs little precision."""
    times = np.arange(step, n_rows, step)
    levels = np.array([ratio])
    exact = kernels.chance.lattice.walk(n_rows, n_rare, times, levels, times.size, (True, True))[3]
    ratio_of_chances = _diffused(n_rows, n_rare, times, levels) / exact
    assert 0.92 <= ratio_of_chances <= 1.15


def _diffused(n_rows: int, n_rare: int, times: np.ndarray, levels: np.ndarray) -> float:
    """Return what two_classes.chance gives for so many rows that it does not follow all paths."""
    parts = kernels.chance.two_classes
    grid = kernels.chance.diffusion.make_grid(1, -7.0, 7.0)
    end = parts.N_RARE * n_rows / n_rare
    sides = (True, True)
    left, left_taken = parts.half(grid, n_rows, n_rare, times, levels, sides, end, 1)
    right, right_taken = parts.half(grid, n_rows, n_rare, n_rows - times[::-1], levels, sides, end, 0)
    return float(kernels.chance.diffusion.meet(grid.rest, left, right[::-1], left_taken, right_taken))


@pytest.mark.parametrize("class_rows", [[30, 70], [20, 30, 50], [400, 300, 300], [5000, 4000], [9, 1, 2, 40]])
def test_names_and_direction_do_not_matter(class_rows: list[int]) -> None:
    """Classes in another order and a column turned round have the same chance."""
    rng = np.random.default_rng(0)
    n_rows = sum(class_rows)
    times = np.unique(rng.integers(1, n_rows, 60))
    places = CutPlaces(np.array(class_rows), times)
    chances = [chance_of_best(ratio, places) for ratio in (3.0, 9.0, 20.0, 60.0)]
    assert chances == sorted(chances, reverse=True)
    other_names = CutPlaces(np.array(class_rows[::-1]), times)
    assert [chance_of_best(ratio, other_names) for ratio in (3.0, 9.0, 20.0, 60.0)] == chances
    backwards = CutPlaces(np.array(class_rows), n_rows - times[::-1])
    for ratio, chance in zip((3.0, 9.0, 20.0, 60.0), chances, strict=True):
        # Deals are not the same ones backwards.
        assert chance_of_best(ratio, backwards) == pytest.approx(chance, rel=0.35, abs=1e-3)


def test_nothing_to_choose() -> None:
    """Without a place, with one class, and without a gain, chance does as well."""
    assert chance_of_best(5.0, CutPlaces(np.array([5, 5]), np.empty(0, dtype=np.int64))) == 1.0
    assert chance_of_best(5.0, CutPlaces(np.array([5, 0]), np.array([2]))) == 1.0
    assert chance_of_best(0.0, CutPlaces(np.array([5, 5]), np.array([2]))) == 1.0


def test_ratio() -> None:
    """The ratio is that of plain Python, and linear in the unit."""
    left, right = np.array([8, 2, 0]), np.array([2, 8, 5])
    assert likelihood_ratio(left, right) == pytest.approx(plain_ratio(left.tolist(), right.tolist()), rel=1e-12)
    assert likelihood_ratio(left, right, 0.25) == pytest.approx(likelihood_ratio(left, right) / 4, rel=1e-12)


@pytest.mark.parametrize(("n_rows", "rates"), [(400, (0.3, 0.7)), (2000, (0.4, 0.6)), (2000, (0.2, 0.8))])
def test_expected_loss_of_the_choice_of_a_place(n_rows: int, rates: tuple[float, float]) -> None:
    """The best cut near a real one exceeds that one by what is expected, on average over columns."""
    rng = np.random.default_rng(1)
    at, reach = n_rows // 2, 150
    excesses, shares = [], []
    for _ in range(150):
        y = rng.random(n_rows) < np.repeat(rates, at)
        whole = np.array([n_rows - y.sum(), y.sum()])
        halves = [np.array([t - y[:t].sum(), y[:t].sum()]) for t in range(at - reach, at + reach + 1)]
        ratios = [likelihood_ratio(left, whole - left) for left in halves]
        excesses.append(max(ratios) - ratios[reach])
        shares.append(expected_loss(max(ratios), 2, 2.0 / n_rows, n_rows) * 2 * math.log(2) * n_rows - 1.0)
    assert np.mean(shares) == pytest.approx(np.mean(excesses), rel=0.3)


def test_a_fixed_cut_loses_its_bias() -> None:
    """Without a choice of the place, the loss is the bias of a plug-in information, and never more than there is."""
    assert expected_loss(50.0, 4, math.inf, 1000.0) == pytest.approx(3 / (2 * 1000 * math.log(2)), rel=1e-5)
    assert expected_loss(0.5, 4, math.inf, 1000.0) == pytest.approx(0.5 / (2 * 1000 * math.log(2)), rel=1e-5)
