"""Best of several runs in one thread.

Import this module before numpy: thread pools read their size when they are loaded.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

POOLS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "RAYON")
for pool in POOLS:
    os.environ[f"{pool}_NUM_THREADS"] = "1"
os.environ["VECLIB_MAXIMUM_THREADS"] = "1"

NOISY = 0.3


class TooSlowError(Exception):
    """A run took longer than its time limit."""


@dataclass
class Stopwatch:
    """Times actions side by side and remembers which of them were noisy."""

    repeats: int = 5
    n_timed: int = 0
    noisy: list[str] = field(default_factory=list)

    def race(self, case: str, actions: dict[str, Callable[[], object]]) -> dict[str, float]:
        """Return the best time of each action.

        The actions take turns, so that a slow moment of the machine meets all of them. A
        first round is not counted.
        """
        times: dict[str, list[float]] = {name: [] for name in actions}
        for turn in range(self.repeats + 1):
            for name, action in actions.items():
                seconds = time_once(action)
                if turn > 0:
                    times[name].append(seconds)
        for name, runs in times.items():
            self.note(f"{case}: {name}", spread_of(runs))
        return {name: min(runs) for name, runs in times.items()}

    def note(self, what: str, spread: float) -> None:
        """Count a measurement, and remember it if its runs differ much."""
        self.n_timed += 1
        if spread > NOISY:
            self.noisy.append(f"{what} ({spread:.0%})")


def spread_of(runs: list[float]) -> float:
    """Return by how much the longest run exceeds the shortest, as a share of the shortest."""
    return max(runs) / min(runs) - 1.0


def time_once(action: Callable[[], object]) -> float:
    """Return the seconds that an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def race_within(limit: float, repeats: int, action: Callable[[], object], yardstick: Callable[[], object]) -> dict:
    """Time an action that may be slow, in turns with a yardstick.

    A first round is not counted unless it takes more than a twentieth of the limit. No
    further run is begun after half of the limit, and one that exceeds the limit ends with
    TooSlowError.
    """
    began = time.perf_counter()
    rounds = []
    while len(rounds) <= repeats and (not rounds or time.perf_counter() - began < limit / 2):
        by_yardstick = time_once(yardstick)
        with time_limit(limit):
            rounds.append((time_once(action), by_yardstick))
    if len(rounds) > 1 and rounds[0][0] < limit / 20:
        del rounds[0]
    runs, by_yardsticks = (list(column) for column in zip(*rounds[:repeats], strict=True))
    return {
        "seconds": min(runs),
        "yardstick": min(by_yardsticks),
        "runs": len(runs),
        "spread": max(spread_of(runs), spread_of(by_yardsticks)),
    }


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in the block once the time is over.

    Compiled code is interrupted when it returns to Python. Without an alarm clock, as on
    Windows, there is no limit.
    """
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(_number: int, _frame: object) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
