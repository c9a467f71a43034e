"""Threads share one scan: every batch once, the first error once, nothing left running."""

from __future__ import annotations

import threading
from itertools import chain

import pyarrow as pa
import pytest

from cutwise.table.engines.arrow import fold_pieces


def batch(number):
    return pa.record_batch({"x": [number]})


def numbers_of(batches):
    return [number for part in batches for number in part.column("x").to_pylist()]


def own_threads():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("cutwise")]


@pytest.mark.parametrize("n_threads", [1, 2, 7])
@pytest.mark.parametrize("size", [1, 3])
def test_every_batch_is_seen_once(n_threads, size):
    pieces = ([batch(start + i) for i in range(size)] for start in range(0, 300, size))
    results = list(fold_pieces(pieces, numbers_of, n_threads))
    assert len(results) == n_threads
    assert sorted(chain.from_iterable(results)) == list(range(300))
    assert own_threads() == []


def test_no_pieces():
    assert list(fold_pieces([], numbers_of, 3)) == [[], [], []]


def test_an_error_of_a_summary_stops_all():
    taken = []

    def pieces():
        for number in range(100_000):
            taken.append(number)
            yield [batch(number)]

    def fail_at_ten(batches):
        for part in batches:
            if part.column("x")[0].as_py() == 10:
                message = "ten"
                raise ZeroDivisionError(message)

    with pytest.raises(ZeroDivisionError, match="ten"):
        list(fold_pieces(pieces(), fail_at_ten, 3))
    assert len(taken) < 100_000
    assert own_threads() == []


@pytest.mark.parametrize("n_threads", [1, 4])
def test_an_error_of_the_pieces_comes_once_and_without_results(n_threads):
    def pieces():
        yield from ([batch(number)] for number in range(20))
        message = "broken"
        raise OSError(message)

    results = []
    with pytest.raises(OSError, match="broken"):
        results.extend(fold_pieces(pieces(), numbers_of, n_threads))
    assert results == []
    assert own_threads() == []


def test_an_error_within_a_piece():
    def piece():
        yield batch(1)
        message = "broken"
        raise OSError(message)

    with pytest.raises(OSError, match="broken"):
        list(fold_pieces([[batch(0)], piece(), [batch(2)]], numbers_of, 2))


def test_what_the_pieces_come_from_is_closed():
    closed = []

    def pieces():
        try:
            for number in range(1000):
                yield [batch(number)]
        finally:
            closed.append(True)

    def give_up(batches):
        next(batches, None)
        raise ValueError

    with pytest.raises(ValueError):
        list(fold_pieces(pieces(), give_up, 2))
    assert closed == [True]


def test_nothing_happens_before_results_are_asked_for():
    taken = []
    results = fold_pieces(([batch(i)] for i in range(3) if not taken.append(i)), numbers_of, 2)
    assert taken == []
    assert sorted(chain.from_iterable(results)) == [0, 1, 2]
