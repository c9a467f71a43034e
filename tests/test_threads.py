"""Tasks in threads: their order, their end, and what an interrupt does to others."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from cutwise import EqualWidthDiscretizer, MaxRelevanceDiscretizer, MRmDDiscretizer, threads
from cutwise.discretize import batches
from cutwise.threads import Interrupted, TaskThreads, in_threads, interruptible, result_of


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_results_come_in_the_order_of_the_tasks(n_jobs):
    assert list(in_threads(pow, ((2, n) for n in range(50)), n_jobs)) == [2**n for n in range(50)]


def test_tasks_within_a_task_are_done_by_its_own_thread():
    def names(_):
        return list(in_threads(lambda _: threading.current_thread().name, [(0,)] * 3, 2))

    ((*inner,),) = in_threads(names, [(0,)], 2)
    assert len(set(inner)) == 1


def test_an_error_of_one_task_ends_the_others():
    ended = threading.Event()

    def fail_or_loop(fails):
        if fails:
            time.sleep(0.05)
            raise KeyError("fails")
        while True:
            try:
                threads.check_stop()
            except Interrupted:
                ended.set()
                raise
            time.sleep(0.001)

    with pytest.raises(KeyError, match="fails"):
        list(in_threads(fail_or_loop, [(True,), (False,)], 2))
    assert ended.wait(5.0)
    assert threads.FLAG.value == 0


def test_a_fit_that_another_ones_interrupt_hits_is_done_all_the_same():
    random = np.random.default_rng(0)
    x, y = random.random((8000, 1)), random.integers(0, 2, 8000)
    expected = MaxRelevanceDiscretizer().fit(x, y).scheme_
    found = []
    fits = threading.Thread(target=lambda: found.append(MaxRelevanceDiscretizer().fit(x, y).scheme_))
    fits.start()
    hits = 0
    while fits.is_alive() and hits < 3:
        with TaskThreads(1) as others:
            others.submit(_until_stopped)
            time.sleep(0.02)
        hits += 1
    fits.join()
    assert hits > 0
    assert found == [expected]


def _until_stopped():
    while True:
        threads.check_stop()


def test_compiled_loops_end_with_the_flag_and_work_again_after_it():
    random = np.random.default_rng(0)
    x, y = random.random((400_000, 1)), random.integers(0, 2, 400_000)
    MaxRelevanceDiscretizer().fit(x[:500], y[:500])  # compiles
    with TaskThreads(1) as own:
        future = own.submit(lambda: MaxRelevanceDiscretizer().fit(x, y))
        time.sleep(0.3)
        begin = time.perf_counter()
    with pytest.raises(Interrupted):
        result_of(future)
    assert time.perf_counter() - begin < 2.0
    assert MaxRelevanceDiscretizer().fit(x[:50], y[:50]).scheme_


def test_one_call_gives_its_result_or_its_error():
    assert interruptible(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        interruptible(divmod, 7, 0)


def threads_asked_for(monkeypatch, X, y, **settings):
    """Fit with one thread and with two, and return how many the second fit had, unless it was quick."""
    alone = MRmDDiscretizer(**settings).fit(X, y).scheme_
    asked = []
    monkeypatch.setattr(batches, "in_threads", lambda *task: asked.append(task[-1]) or in_threads(*task))
    assert MRmDDiscretizer(**settings, n_jobs=2).fit(X, y).scheme_.attributes == alone.attributes
    return asked


@pytest.mark.parametrize("n_rows", [200, 3000])
@pytest.mark.parametrize("too_quick", [0.0, 60.0], ids=["threads", "one thread"])
def test_columns_of_a_wide_table_are_cut_one_by_one_in_threads_only_if_they_help(monkeypatch, n_rows, too_quick):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n_rows, 3 * batches.MANY)), rng.integers(0, 2, n_rows)
    monkeypatch.setattr(batches, "TOO_QUICK", too_quick)
    asked = threads_asked_for(monkeypatch, X, y, confirm=0.05)
    assert asked == ([2] if too_quick == 0.0 else [1] if n_rows == 3000 else [])


@pytest.mark.parametrize("n_rows", [batches.TOO_FEW_ROWS, batches.TOO_FEW_ROWS + 1])
def test_columns_that_are_cut_several_at_a_time_are_shared_among_threads_unless_they_have_few_rows(monkeypatch, n_rows):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n_rows, 3 * batches.MANY)), rng.integers(0, 2, n_rows)
    assert threads_asked_for(monkeypatch, X, y) == ([2] if n_rows > batches.TOO_FEW_ROWS else [])


def test_a_quick_fit_waits_until_the_flag_of_another_one_is_down(monkeypatch):
    monkeypatch.setattr(threads, "_FAREWELL", 0.0)
    X = np.random.default_rng(0).normal(size=(200, 3))
    y = (X[:, 0] > 0.0).astype(int)
    expected = MRmDDiscretizer().fit(X, y).scheme_
    begun, ended = threading.Event(), threading.Event()
    with TaskThreads(1) as others:
        others.submit(lambda: begun.set() or ended.wait())
        begun.wait()
    # Its task, which does not look at the flag, goes on.
    assert threads.FLAG.value == 1
    threading.Timer(0.2, ended.set).start()
    assert MRmDDiscretizer().fit(X, y).scheme_ == expected
    assert threads.FLAG.value == 0


def test_no_thread_at_all_is_refused():
    with pytest.raises(ValueError, match="'n_jobs' is 0, but at least one thread must work"):
        EqualWidthDiscretizer(n_jobs=0).fit([[1.0], [2.0]])
