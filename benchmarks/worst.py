"""What labels can do to a fit: every method on one column of distinct values, with labels that are hard for some.

Ratios of processor time to np.argsort of the column. A fit that takes more than a minute is marked.
"""

from __future__ import annotations

from timing import TooSlowError, time_limit

# isort: split
import argparse
import time
import warnings
from typing import TYPE_CHECKING

import numpy as np

import cutwise
from cutwise.errors import CutwiseError
from cutwise.registry import DISCRETIZERS, entries
from data import short_number
from fit import print_machine
from tables import one_line, print_section, print_table, ratio

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 100_000
LIMIT = 60.0
# On a busy machine a minute of processor time takes longer.
WALL_LIMIT = 300.0
# It has a deadline instead, and these have given cuts.
LEFT_OUT = ("EMDDiscretizer", "FixedCutsDiscretizer", "FixedSchemeDiscretizer")


def make_labels(n_rows: int) -> dict[str, np.ndarray]:
    """Return labels by their place in the order of the values."""
    rng = np.random.default_rng(0)
    places = np.arange(n_rows)
    many = rng.integers(0, n_rows // 10, n_rows)
    return {
        "2 alternate": places % 2,
        "2 at random": rng.integers(0, 2, n_rows),
        "2 sorted": np.sort(rng.integers(0, 2, n_rows)),
        "10 in turn": places % 10,
        f"{short_number(n_rows // 10)} at random": as_text(many),
        f"{short_number(n_rows // 10)} sorted": as_text(np.sort(many)),
        "all different": as_text(rng.permutation(n_rows)),
    }


def as_text(labels: np.ndarray) -> np.ndarray:
    """Return labels that nobody takes for measurements."""
    return np.char.add("class ", labels.astype(str))


def seconds_of(action: Callable[[], object]) -> float:
    """Return the processor time that an action takes."""
    start = time.process_time()
    action()
    return time.process_time() - start


def cell(name: str, X: np.ndarray, y: np.ndarray, yardstick: float) -> str:
    """Return what a fit takes, and the number of bins; marked if it is too slow."""
    method = getattr(cutwise, name)()
    try:
        with time_limit(WALL_LIMIT):
            seconds = seconds_of(lambda: method.fit(X, y))
    except (TooSlowError, SystemError):
        return f"**> {LIMIT:.0f} s**"
    except CutwiseError as error:
        print(f"{name}: {one_line(error)}", flush=True)
        return "refused"
    found = f"{ratio(seconds / yardstick)} ({method.n_bins_[0]:,})"
    return found if seconds <= LIMIT else f"**{found}, {seconds:.0f} s**"


def compile_kernels(names: list[str]) -> None:
    """Fit every method to small tables of both kinds, so that no measurement includes compilation."""
    places = np.arange(6000)
    for name in names:
        for n_rows, n_classes in ((6000, 2), (600, 100)):
            X, y = places[:n_rows, np.newaxis] * 1.0, as_text(places[:n_rows] % n_classes)
            getattr(cutwise, name)().fit(X, y)


def main() -> None:
    """Time every method with every kind of labels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, metavar="N", help=f"rows of the column (default: {ROWS})")
    parser.add_argument("--only", nargs="+", metavar="CLASS", help="time these classes only, such as CACCDiscretizer")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    names = [entry.name for entry in entries(DISCRETIZERS) if entry.name not in LEFT_OUT]
    names = [name for name in names if arguments.only is None or name in arguments.only]
    print_machine()
    compile_kernels(names)
    order = np.random.default_rng(1).permutation(arguments.rows)
    X = order[:, np.newaxis].astype(np.float64)
    labels = {kind: by_place[order] for kind, by_place in make_labels(arguments.rows).items()}
    yardstick = min(seconds_of(lambda: np.argsort(X[:, 0])) for _ in range(9))
    print_section(
        f"Hard labels, {short_number(arguments.rows)} rows",
        f"Processor time of fit / that of np.argsort of the column ({yardstick * 1000:.1f} ms), and the bins found.\n"
        f"More than {LIMIT:.0f} s is **marked**; bins and classes whose counts cannot be kept are refused.",
    )
    rows = []
    for name in names:
        rows.append([name.removesuffix("Discretizer"), *(cell(name, X, y, yardstick) for y in labels.values())])
        print(" | ".join(rows[-1]), flush=True)
    print()
    print_table(("method", *labels), rows)


if __name__ == "__main__":
    main()
