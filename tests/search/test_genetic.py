"""The genetic search of EMD."""

from __future__ import annotations

import itertools
import time
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.counts import JointTable, RowGroups, SparseCounts, count_column
from cutwise.criteria import mutual_information
from cutwise.scheme import STOP_REASONS
from cutwise.search import NO_LIMITS, BinLimits, GeneticSearch, GeneticSettings, chc, genetic_cells
from cutwise.search.fitness import CLASSIFIERS, Classifier, FitnessCache, NaiveBayesErrors, cost_of
from cutwise.search.genetic_cells import make_cells
from tests.search.genetic_tables import D1, Clock, joint_arguments, joint_of, joint_tables, noisy

QUICK = GeneticSettings(population=10, max_evaluations=400)


def gaps_of(found):
    return [column.gaps.tolist() for column in found]


def run_quickly(joint, seed=0, limits=NO_LIMITS, **options):
    return GeneticSearch(rules=QUICK, seed=seed).run(joint, limits, **options)


@pytest.mark.parametrize(("n_cuts", "errors", "fitness"), [(2, 1 + 1, 0.40), (3, 0 + 0, 0.42)])
def test_fitness_of_the_specification(n_cuts, errors, fitness):
    assert cost_of(n_cuts, errors, alpha=0.7) / 5 == pytest.approx(fitness, abs=1e-15)


def test_the_best_cuts_of_the_specification():
    joint = joint_of(*D1)
    (found,) = GeneticSearch().run(joint)
    assert (joint.tables[0].values[found.gaps] + 0.5).tolist() == [3.5, 8.5]
    assert -found.score.value == pytest.approx(0.433333, abs=1e-6)
    assert found.stop == "optimum"
    assert found.n_candidates == 6
    assert found.score.relevance == pytest.approx(mutual_information([[3, 0, 0], [1, 4, 0], [0, 1, 3]]))


def brute_force(joint, alpha):
    """Return the smallest fitness of all choices of cuts."""
    cells = make_cells(joint)
    with FitnessCache(cells, alpha, CLASSIFIERS) as fitness:
        choices = itertools.product([False, True], repeat=cells.n_candidates)
        return min(fitness.value(np.array(chosen)) for chosen in choices)


@given(joint_tables(max_rows=30, max_columns=2), st.sampled_from([0.2, 0.7]), st.integers(0, 9))
def test_no_choice_is_better_when_all_can_be_tried(joint, alpha, seed):
    n_candidates = make_cells(joint).n_candidates
    if not 0 < n_candidates <= 9:
        return
    found = GeneticSearch(alpha, GeneticSettings(max_evaluations=512), seed).run(joint)
    assert -found[0].score.value == pytest.approx(brute_force(joint, alpha), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_twelve_candidates_evolve_to_the_optimum(seed):
    """With one evaluation less than there are choices, the genetic algorithm takes over."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, [7, 7], (90, 2))
    y = (X[:, 0] > 3).astype(int) + (X[:, 1] + rng.normal(size=90) > 3)
    joint = joint_of(X, y)
    assert make_cells(joint).n_candidates == 12
    best = GeneticSearch(rules=GeneticSettings(max_evaluations=1 << 12)).run(joint)
    evolved = GeneticSearch(rules=GeneticSettings(max_evaluations=(1 << 12) - 1), seed=seed).run(joint)
    assert best[0].stop == "optimum"
    assert evolved[0].stop == "restarts"
    assert evolved[0].score.value == best[0].score.value


def test_the_best_fitness_never_gets_worse_and_ends_as_the_score():
    log = []
    found = run_quickly(noisy(), report=log.append)
    fitness = [progress.fitness for progress in log]
    assert fitness == sorted(fitness, reverse=True)
    assert fitness[-1] < fitness[0]
    evaluations = [progress.evaluations for progress in log]
    assert evaluations == sorted(evaluations)
    assert evaluations[-1] <= log[-1].max_evaluations == 400
    assert -found[0].score.value == pytest.approx(fitness[-1], abs=1e-6)
    assert sum(column.gaps.size for column in found) == log[-1].n_cuts


def test_a_seed_decides_everything():
    joint = noisy()
    assert gaps_of(run_quickly(joint, seed=3)) == gaps_of(run_quickly(joint, seed=3))
    others = {str(gaps_of(run_quickly(joint, seed=seed))) for seed in (0, 1, 2, None, None)}
    assert len(others) > 1


@pytest.mark.parametrize("n_threads", [2, 5])
def test_threads_do_not_matter(n_threads):
    joint = noisy(seed=4)
    one, many = [], []
    assert gaps_of(run_quickly(joint, report=one.append)) == gaps_of(
        run_quickly(joint, n_threads=n_threads, report=many.append)
    )
    assert one == many


@given(joint_arguments(max_rows=40, max_columns=3, max_classes=3), st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_names_of_classes_matter(arguments, random):
    rows, names = list(range(len(arguments["y"]))), list(range(5))
    random.shuffle(rows)
    random.shuffle(names)
    other = {
        **arguments,
        "X": arguments["X"][rows],
        "y": np.array(names)[arguments["y"][rows]],
        "nominal": arguments["nominal"][:, rows],
    }
    search = GeneticSearch(rules=GeneticSettings(population=6, max_evaluations=40), seed=1)
    first, second = (search.run(joint_of(**table)) for table in (arguments, other))
    assert gaps_of(first) == gaps_of(second)
    assert [f.score.value for f in first] == [f.score.value for f in second]


@given(joint_tables(max_rows=40), st.integers(1, 4), st.integers(0, 6))
def test_limits_are_kept(joint, max_bins, min_rows):
    found = run_quickly(joint, limits=BinLimits(max_bins=max_bins, min_rows=min_rows))
    for column, table in zip(found, joint.tables, strict=True):
        rows = table.by_class.by_bin(table.bin_ends(column.gaps)).sum(axis=1)
        assert rows.size <= max_bins
        assert column.gaps.size == 0 or rows.min() >= min_rows


def test_limits_leave_good_cuts():
    X = np.repeat(np.arange(8.0), 10)
    y = np.repeat([0, 0, 1, 1, 2, 2, 3, 3], 10)
    y[::7] = 1 - y[::7] % 2
    joint = joint_of(X, y)
    assert GeneticSearch().run(joint)[0].gaps.tolist() == [1, 3, 5]
    assert GeneticSearch().run(joint, BinLimits(min_rows=20))[0].gaps.tolist() == [1, 3, 5]
    assert GeneticSearch().run(joint, BinLimits(max_bins=3))[0].gaps.size == 2


def test_a_direction_is_refused():
    with pytest.raises(ValueError, match="direction"):
        GeneticSearch().run(joint_of(*D1), BinLimits(direction=1))


@pytest.mark.parametrize(
    ("X", "y", "stops"),
    [
        ([[1], [1], [1]], [0, 1, 0], ["one_value"]),
        ([[1], [2], [3]], [0, 0, 0], ["one_class"]),
        ([[np.nan]] * 3, [0, 1, 0], ["no_values"]),
        ([[0], [0], [0], [1]], [0, 0, 1, 0], ["no_candidates"]),
        ([[0, 1, 0], [0, 2, 5], [0, 3, 5], [1, 4, 5]], [0, 0, 1, 0], ["no_candidates", "optimum", "optimum"]),
        ([[1]], [0], ["one_value"]),
    ],
)
def test_degenerate_tables(X, y, stops):
    found = GeneticSearch().run(joint_of(X, y))
    assert [column.stop for column in found] == stops
    assert set(stops) <= set(STOP_REASONS)
    assert all(column.gaps.size == 0 for column, stop in zip(found, stops, strict=True) if stop != "optimum")


def test_tables_without_numeric_columns_or_rows():
    nominal = JointTable((), np.empty((0, 3), np.int32), np.zeros((1, 3), np.int32), np.array([0, 1, 0]), 2)
    assert GeneticSearch().run(nominal) == []


def test_balanced_noise_gets_no_cuts():
    """Without cuts half of the rows are wrong, whatever a classifier does with equal classes."""
    joint = joint_of([1, 1, 2, 2, 3, 3, 4, 4], [0, 1] * 4)
    (found,) = GeneticSearch().run(joint)
    assert found.gaps.size == 0
    assert -found.score.value == pytest.approx(0.3 * 2 * 4 / found.n_candidates)


@pytest.mark.parametrize("max_seconds", [0.0, 3.0, 30.0, 100.0])
def test_the_deadline_gives_the_best_so_far(max_seconds):
    log = []
    joint = noisy()
    found = run_quickly(joint, max_seconds=max_seconds, clock=Clock(), report=log.append)
    assert {column.stop for column in found} == {"deadline"}
    cells = make_cells(joint)
    with FitnessCache(cells, 0.7, CLASSIFIERS) as fitness:
        everything = fitness.value(np.ones(cells.n_candidates, dtype=bool))
    assert -found[0].score.value <= everything
    if log:
        assert -found[0].score.value <= log[-1].fitness + 1e-6
    assert len(log) <= max_seconds + 1


def test_the_deadline_ends_the_trial_of_all_choices():
    joint = joint_of(np.arange(12), [0, 1] * 6)
    assert make_cells(joint).n_candidates == 11
    assert GeneticSearch().run(joint, max_seconds=5.0, clock=Clock())[0].stop == "deadline"
    assert GeneticSearch().run(joint, max_seconds=10_000.0, clock=Clock())[0].stop == "optimum"


def test_a_real_deadline_is_met():
    began = time.perf_counter()
    run = GeneticSearch(rules=GeneticSettings(max_evaluations=10**9, max_restarts=10**9), seed=0)
    found = run.run(noisy(2000, 10), max_seconds=0.3, n_threads=2)
    assert found[0].stop == "deadline"
    assert time.perf_counter() - began < 5


class SlowErrors:
    """Errors that take a while."""

    name = "slow"

    def __init__(self, cells):
        pass

    def errors(self, ends):
        time.sleep(0.02)
        return float(ends.sum())


def test_no_choice_is_begun_after_the_deadline():
    cells = make_cells(noisy())
    choices = np.random.default_rng(0).random((50, cells.n_candidates)) < 0.5
    with FitnessCache(cells, 0.7, [Classifier(SlowErrors, 1)], 1, lambda: True) as fitness:
        assert 1 <= len(fitness.costs(choices)) <= 3


def test_many_classes_need_no_table_of_values_and_classes():
    n_rows = 20_000
    rng = np.random.default_rng(0)
    entries = np.arange(n_rows), np.arange(n_rows + 1), rng.permutation(n_rows).astype(np.int32)
    by_class = SparseCounts(entries[1], entries[2], np.ones(n_rows, dtype=np.int64), n_rows)
    table = replace(
        count_column(np.arange(2.0), RowGroups(np.arange(2), 2)), values=entries[0] * 1.0, by_class=by_class
    )
    tracemalloc.start()
    try:
        assert genetic_cells._order_of_classes(table) == entries[2].tolist()
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


@given(joint_tables(max_rows=30, max_columns=1))
def test_classes_with_more_rows_at_smaller_values_come_first(joint):
    for table in joint.tables:
        counts = table.class_counts
        order = sorted(range(table.n_classes), key=lambda label: (-counts[:, label]).tolist())
        assert genetic_cells._order_of_classes(table) == order


class Counter:
    """A classifier that counts how often it is asked, and with what."""

    name = "naive Bayes, watched"
    asked: list

    def __init__(self, cells):
        self.naive = NaiveBayesErrors(cells)

    def errors(self, ends):
        Counter.asked.append(ends.tobytes())
        return self.naive.errors(ends)


def test_repeated_choices_are_judged_once_and_another_classifier_fits_in():
    joint = noisy(60, 2)
    Counter.asked = []
    bayes = (Classifier(NaiveBayesErrors, 2),)
    search = GeneticSearch(rules=GeneticSettings(population=20, max_evaluations=600), seed=0, classifiers=bayes)
    plain = search.run(joint)
    counted = GeneticSearch(rules=search.rules, seed=0, classifiers=(Classifier(Counter, 2),)).run(joint)
    assert gaps_of(plain) == gaps_of(counted)
    # The result is judged once more at the end.
    assert len(Counter.asked) - len(set(Counter.asked)) == 1
    assert len(Counter.asked) < 600


def test_members_cross_as_described():
    rules = GeneticSettings(population=2, add_rate=0.25)
    n_bits = 40_000
    state = chc.begin(n_bits, 0)
    state.members = np.zeros((2, n_bits), dtype=bool)
    state.members[0, : n_bits // 2] = True
    state.members[:, -100:] = True
    state.threshold = 10.0
    state.costs = np.zeros(2, dtype=np.int64)
    state.evaluations = 2
    children, is_restart = chc.propose(state, rules)
    assert not is_restart
    order = np.argsort(children.sum(axis=1))
    poor, rich = children[order]
    differ = slice(0, n_bits // 2)
    assert rich[differ].mean() == pytest.approx(0.5, abs=0.02)
    assert poor[differ].mean() == pytest.approx(0.5 * 0.25, abs=0.02)
    assert children[:, -100:].all()
    assert not children[:, n_bits // 2 : -100].any()
    # A bit that is taken is one that was handed over.
    assert not (poor[differ] & rich[differ]).any()


def test_members_that_are_alike_do_not_cross():
    state = chc.begin(100, 0)
    state.members = np.zeros((2, 100), dtype=bool)
    state.members[0, :50] = True
    state.costs = np.zeros(2, dtype=np.int64)
    state.evaluations = 2
    assert len(chc.propose(state, GeneticSettings(population=2)).bits) == 0
    state.members[0, :51] = True
    assert len(chc.propose(state, GeneticSettings(population=2)).bits) == 2


def evolve(rules, n_bits, cost, seed=0):
    """Minimise a cost over bits; return the states after each generation."""
    import copy

    state = chc.begin(n_bits, seed)
    states = []
    while state.reason_to_stop(rules) is None:
        proposal = chc.propose(state, rules)
        chc.accept(state, rules, proposal, np.array([cost(bits) for bits in proposal.bits], dtype=np.int64))
        states.append(copy.deepcopy(state))
    return states


def test_restarts_keep_the_best_and_end_the_search():
    rules = GeneticSettings(population=8, max_evaluations=100_000, max_restarts=3)
    states = evolve(rules, 60, lambda bits: int(bits.sum()) + 5 * int(not bits[:3].all()))
    assert states[-1].reason_to_stop(rules) == "restarts"
    assert states[-1].stale_restarts == 3
    assert int(states[-1].costs[0]) <= 5
    least = [int(state.costs[0]) for state in states]
    assert least == sorted(least, reverse=True)
    assert max(len(state.members) for state in states) == 8
    assert all((np.diff(state.costs) >= 0).all() for state in states)


def test_of_equal_costs_more_bits_are_better():
    states = evolve(GeneticSettings(population=8, max_evaluations=200), 20, lambda bits: 7)
    assert states[-1].best.all()


def test_reductions_keep_the_best_and_the_most_used_bits():
    rules = GeneticSettings(population=10, max_evaluations=2000, min_bits=20)
    n_bits = 200
    states = evolve(rules, n_bits, lambda bits: int((bits[:10] == 0).sum()) * 50 + int(bits.sum()))
    sizes = [int(state.active.sum()) for state in states]
    assert sizes[0] == n_bits
    assert sizes[-1] == 25
    assert set(sizes) == {200, 100, 50, 25}
    for before, after in itertools.pairwise(states):
        if after.active.sum() < before.active.sum():
            assert (before.best <= after.active).all()
            left_out = before.active & ~after.active
            kept = after.active & ~before.best
            assert before.usage[left_out].max() <= before.usage[kept].min()
            assert before.evaluations * 10 // 2000 > before.reductions_seen
    for state in states:
        assert not state.members[:, ~state.active].any()
    assert states[-1].best[:10].all()


def test_a_large_table_is_not_reduced_below_a_thousand():
    states = evolve(GeneticSettings(population=6, max_evaluations=300), 2400, lambda bits: int(bits.sum()))
    assert {int(state.active.sum()) for state in states} == {2400, 1200}
