"""The same tables through other libraries.

They do not all solve the same task: KBinsDiscretizer never looks at y, fastbinning and
BinningProcess make few bins under rules of their own, and EntropyMDL is the nearest
relative.
"""

from __future__ import annotations

import json
import subprocess
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from data import Case, make
from tables import duration, one_line, print_section, print_table, ratio
from timing import TooSlowError, race_within

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from timing import Stopwatch

    # Learns a table and returns the mean number of bins of its columns.
    Fit = Callable[[np.ndarray, np.ndarray], float]
    # Times a case, best of so many runs; the answer is that of race_within, with the bins.
    Measure = Callable[[Case, int], dict]

LIMIT = 120.0
WORKER = Path(__file__).with_name("orange_worker.py")
HEADERS = ("library", "fit", "argsort", "ratio", "mean bins", "runs")


class NotInstalledError(Exception):
    """A peer is not there."""


@dataclass(frozen=True)
class Peer:
    """Another library, and how it is timed."""

    name: str
    measure: Measure
    two_classes_only: bool = False


def load_cutwise() -> Fit:
    from cutwise import MRmDDiscretizer

    return lambda X, y: float(np.mean(MRmDDiscretizer().fit(X, y).n_bins_))


def load_kbins() -> Fit:
    from sklearn.preprocessing import KBinsDiscretizer

    def fit(X: np.ndarray, y: np.ndarray) -> float:
        kbins = KBinsDiscretizer(n_bins=10, strategy="quantile", encode="ordinal", subsample=None)
        return float(np.mean(kbins.fit(X, y).n_bins_))

    return fit


def load_fastbinning() -> Fit:
    from fastbinning import NumericalBinning

    def fit(X: np.ndarray, y: np.ndarray) -> float:
        target = y.astype(np.int32)
        return float(np.mean([len(NumericalBinning(10, 0.05, 1.0).fit(column, target)) for column in X.T]))

    return fit


def load_mdlp() -> Fit:
    from optbinning import MDLP

    return lambda X, y: float(np.mean([len(MDLP().fit(column, y).splits) + 1 for column in X.T]))


def load_binning_process() -> Fit:
    from optbinning import BinningProcess

    def fit(X: np.ndarray, y: np.ndarray) -> float:
        names = [f"x{j}" for j in range(X.shape[1])]
        process = BinningProcess(names).fit(X, y)
        return float(np.mean([len(process.get_binned_variable(name).splits) + 1 for name in names]))

    return fit


def in_this_process(package: str, load: Callable[[], Fit]) -> Measure:
    """Return how a package beside the library is timed; `load` imports it."""

    def measure(case: Case, repeats: int) -> dict:
        fit = load_quietly(package, load)
        X, y = make(case)
        bins = []

        def sort() -> None:
            for column in X.T:
                np.argsort(column)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = race_within(LIMIT, repeats, lambda: bins.append(fit(X, y)), sort)
        return {**answer, "bins": bins[-1]}

    return measure


def load_quietly(package: str, load: Callable[[], Fit]) -> Fit:
    """Import a package without its chatter."""
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            return load()
    except ModuleNotFoundError as error:
        if error.name == package:
            raise NotInstalledError from None
        raise


def in_orange(python: Path) -> Measure:
    """Return how Orange is timed, in its own environment."""

    def measure(case: Case, repeats: int) -> dict:
        if not python.exists():
            raise NotInstalledError
        command = [str(python), str(WORKER), json.dumps(asdict(case)), str(LIMIT), str(repeats)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=3 * LIMIT, check=False)
        except subprocess.TimeoutExpired:
            raise TooSlowError from None
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["the worker failed without a message"])[-1]
            raise NotInstalledError if "No module named 'Orange'" in last else RuntimeError(last)
        answer = json.loads(done.stdout.strip().splitlines()[-1])
        if answer.get("too_slow"):
            raise TooSlowError
        return answer

    return measure


def all_peers(orange_python: Path) -> list[Peer]:
    """Return the library itself and its peers."""
    return [
        Peer("cutwise MRmDDiscretizer", in_this_process("cutwise", load_cutwise)),
        Peer("scikit-learn KBinsDiscretizer, quantile", in_this_process("sklearn", load_kbins)),
        # Given more classes, these two give a wrong answer without a word.
        Peer("fastbinning NumericalBinning", in_this_process("fastbinning", load_fastbinning), two_classes_only=True),
        Peer("optbinning MDLP", in_this_process("optbinning", load_mdlp), two_classes_only=True),
        Peer("optbinning BinningProcess", in_this_process("optbinning", load_binning_process)),
        Peer("Orange EntropyMDL", in_orange(orange_python)),
    ]


def compare(cases: Sequence[Case], orange_python: Path, watch: Stopwatch) -> None:
    """Print a table for each case, with one row for each peer."""
    print_section(
        "Other libraries",
        "Ratio: time / time of np.argsort of the same columns in the same process; Orange has a process of its own.\n"
        f"Best of up to {watch.repeats}: no run is begun after {LIMIT / 2:.0f} s, and none is waited for longer than "
        f"{LIMIT:.0f} s.\n"
        "The tasks differ (KBinsDiscretizer ignores y), so a lower figure is not a better answer.",
    )
    too_slow: dict[str, list[Case]] = {}
    for case in cases:
        print(f"### {case.name}\n")
        rows = []
        for peer in all_peers(orange_python):
            slow = too_slow.setdefault(peer.name, [])
            rows.append([peer.name, *cells_of(peer, case, watch, slow)])
        print_table(HEADERS, rows)
        print()


def cells_of(peer: Peer, case: Case, watch: Stopwatch, too_slow: list[Case]) -> list[str]:
    """Return a row's cells; whatever goes wrong becomes one line in the first of them."""
    if peer.two_classes_only and case.classes > 2:
        return blank("two classes only")
    if any(slow.rows <= case.rows and slow.classes <= case.classes for slow in too_slow):
        return blank(f"not run: > {LIMIT:.0f} s on a smaller table")
    try:
        answer = peer.measure(case, watch.repeats)
    except NotInstalledError:
        return blank("not installed: make bench-peers")
    except TooSlowError:
        too_slow.append(case)
        return blank(f"> {LIMIT:.0f} s")
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic in Rust is not an Exception
        return blank(one_line(error))
    watch.note(f"{case.name}: {peer.name}", answer["spread"])
    seconds, yardstick = answer["seconds"], answer["yardstick"]
    times = [duration(seconds), duration(yardstick), ratio(seconds / yardstick)]
    return [*times, f"{answer['bins']:.1f}", str(answer["runs"])]


def blank(reason: str) -> list[str]:
    """Return the cells of a row without figures."""
    return [reason, *[""] * (len(HEADERS) - 2)]
