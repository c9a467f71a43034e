"""What it costs to fit each method, as a ratio to np.argsort of the same columns in the same run.

A method without settings below is timed as it is.
"""

from __future__ import annotations

from timing import Stopwatch, TooSlowError, race_within

# isort: split
import argparse
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import cutwise
from cutwise.registry import DISCRETIZERS, entries
from data import Case, make
from fit import print_machine, print_noise, sort_columns
from peers import NotInstalledError, in_orange
from tables import duration, one_line, print_section, print_table, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LIMIT = 60.0
BY_COLUMN = (Case(10_000, 20), Case(100_000, 20), Case(1_000_000, 5))
# A method that looks at all columns at once is slower by orders of magnitude.
TOGETHER = (Case(1_000, 5), Case(10_000, 5))
ORANGE = "Orange EntropyMDL"
HEADERS = ("method", "fit", "argsort", "ratio", "mean bins", "runs")


@dataclass(frozen=True)
class Method:
    """A discretizer of the library, by the name of its class, and the tables it is timed on."""

    name: str
    parameters: dict[str, object] = field(default_factory=dict)
    cases: tuple[Case, ...] = BY_COLUMN

    @property
    def title(self) -> str:
        """What a table of results calls the method."""
        settings = ", ".join(f"{key}={value!r}" for key, value in self.parameters.items())
        return self.name.removesuffix("Discretizer") + (f" ({settings})" if settings else "")

    def fit(self, X: np.ndarray, y: np.ndarray) -> float:
        """Fit and return the mean number of bins."""
        return float(np.mean(getattr(cutwise, self.name)(**self.parameters).fit(X, y).n_bins_))


SETTINGS: dict[str, list[dict[str, object]]] = {
    "MRmDDiscretizer": [{}, {"validation": "crossfit", "random_state": 0}],
    "EMDDiscretizer": [{"random_state": 0}],
}


def all_methods() -> list[Method]:
    """Return the methods of the registry, each with all of its settings."""
    return [
        Method(entry.name, settings, TOGETHER if entry.group == "joint" else BY_COLUMN)
        for entry in entries(DISCRETIZERS)
        if entry.name != "FixedSchemeDiscretizer"
        for settings in SETTINGS.get(entry.name, [{}])
    ]


@dataclass
class Bench:
    """What has been measured so far, to foresee which fit would take too long."""

    watch: Stopwatch
    orange_python: Path
    last: dict[str, tuple[Case, float]] = field(default_factory=dict)

    def run(self, methods: list[Method], cases: Sequence[Case], scale: int) -> None:
        """Print a table for each case; the cases are in ascending order."""
        for full in cases:
            case = replace(full, rows=full.rows // scale)
            timers = {method.title: partial(self.time, method, case) for method in methods if full in method.cases}
            if not timers:
                continue
            timers[ORANGE] = partial(in_orange(self.orange_python), case, self.watch.repeats)
            print(f"\n### {case.name}\n", flush=True)
            print_table(HEADERS, [[title, *self.cells(title, case, timer)] for title, timer in timers.items()])

    def cells(self, title: str, case: Case, timer: Callable[[], dict]) -> list[str]:
        """Return a row's cells, or the reason why there are no figures."""
        expected = self.at_least(title, case)
        if expected > LIMIT:
            return blank("not run" if np.isinf(expected) else f"not run: {duration(expected)} or more expected")
        try:
            answer = timer()
        except NotInstalledError:
            return blank("not installed: make bench-peers")
        except TooSlowError:
            self.last[title] = (case, np.inf)
            return blank(f"> {LIMIT:.0f} s")
        except Exception as error:  # noqa: BLE001 - one method that fails must not hide the others
            return blank(one_line(error))
        self.last[title] = (case, answer["seconds"])
        self.watch.note(f"{case.name}: {title}", answer["spread"])
        times = [duration(answer["seconds"]), duration(answer["yardstick"])]
        share = ratio(answer["seconds"] / answer["yardstick"])
        return [*times, share, f"{answer['bins']:.1f}", str(answer["runs"])]

    def at_least(self, title: str, case: Case) -> float:
        """Return the time that a fit takes if it grows no faster than the table."""
        if title not in self.last:
            return 0.0
        before, seconds = self.last[title]
        return seconds * case.rows * case.columns / (before.rows * before.columns)

    def time(self, method: Method, case: Case) -> dict:
        """Time one method in turns with argsort."""
        X, y = make(case)
        bins = []
        try:
            answer = race_within(LIMIT, self.watch.repeats, lambda: bins.append(method.fit(X, y)), sort_columns(X))
        except SystemError as error:
            # What the alarm raises inside a compiled loop comes out like this.
            raise TooSlowError if isinstance(error.__cause__, TooSlowError) else error from None
        return {**answer, "bins": bins[-1]}


def blank(reason: str) -> list[str]:
    """Return the cells of a row without figures."""
    return [reason, *[""] * (len(HEADERS) - 2)]


def compile_kernels(methods: list[Method]) -> None:
    """Fit every method once, so that no measurement includes compilation."""
    X, y = make(Case(200, 2))
    for method in methods:
        method.fit(X, y)


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="Results are Markdown tables on standard output.")
    parser.add_argument("--quick", action="store_true", help="use a tenth of the rows, to see whether all works")
    parser.add_argument("--only", nargs="+", metavar="CLASS", help="time these classes only, such as MDLPDiscretizer")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="best of so many runs (default: 5)")
    parser.add_argument(
        "--orange-python",
        type=Path,
        default=Path(__file__).parent.parent / ".venv-orange" / "bin" / "python",
        metavar="PATH",
        help="the Python that has Orange3 (default: .venv-orange/bin/python of this project)",
    )
    return parser.parse_args()


def main() -> None:
    """Time every method."""
    arguments = read_arguments()
    methods = [method for method in all_methods() if arguments.only is None or method.name in arguments.only]
    bench = Bench(Stopwatch(arguments.repeats), arguments.orange_python)
    print_machine()
    compile_kernels(methods)
    scale = 10 if arguments.quick else 1
    print_section(
        "Methods",
        "Ratio: time of fit / time of np.argsort of the same columns; Orange has a process of its own.\n"
        f"Best of up to {arguments.repeats}; no run is begun after {LIMIT / 2:.0f} s. A fit that would take more than "
        f"{LIMIT:.0f} s\nif its time grew like the table is not begun.",
    )
    bench.run(methods, BY_COLUMN, scale)
    if any(method.cases is TOGETHER for method in methods):
        print_section("Methods that look at all columns at once")
        bench.run(methods, TOGETHER, scale)
    print_noise(bench.watch)


if __name__ == "__main__":
    main()
