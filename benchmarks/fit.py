"""How fast fit and transform are, as ratios to numpy on the same machine in the same run."""

from __future__ import annotations

from timing import Stopwatch, TooSlowError, time_once

# isort: split
import argparse
import math
import os
import platform
import subprocess
import sys
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import peers
from cutwise import MRmDDiscretizer
from data import Case, make, short_number
from memory import bytes_per_row
from tables import duration, one_line, print_section, print_table, ratio

if TYPE_CHECKING:
    from collections.abc import Callable

ORDERS = ("F", "C")
EXPLAIN_ORDERS = "F: columns contiguous in memory; C: rows contiguous, as most numpy arrays are."


@dataclass
class Run:
    """What was asked for and what was measured."""

    scale: int
    watch: Stopwatch
    targets: list[list[str]] = field(default_factory=list)

    def compare(self, what: str, measured: float | None, limit: float, unit: str) -> None:
        """Remember how a figure compares with what it should be at most."""
        figure = "not measured" if measured is None else f"{measured:.3g}"
        reached = "yes" if measured is not None and measured <= limit else "NO"
        self.targets.append([f"{what}: at most {limit:g} {unit}", figure, reached])

    def case(self, rows: int, columns: int, classes: int = 2, *, signal: bool = True, missing: float = 0.0) -> Case:
        """Return a case, with a tenth of the rows in a quick run."""
        return Case(rows // self.scale, columns, classes, signal, missing)

    @property
    def large(self) -> Case:
        return self.case(1_000_000, 5)

    @property
    def medium(self) -> Case:
        return self.case(100_000, 20)

    @property
    def small(self) -> Case:
        return self.case(10_000, 20)

    @property
    def many_classes(self) -> Case:
        return self.case(10_000, 20, 10)


def sort_columns(X: np.ndarray) -> Callable[[], None]:
    """Return the yardstick: argsort of the columns, each of them contiguous."""
    columns = [np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])]

    def sort() -> None:
        for column in columns:
            np.argsort(column)

    return sort


def fitting(X: np.ndarray, y: np.ndarray, **parameters: object) -> Callable[[], MRmDDiscretizer]:
    """Return a function that fits a new discretizer."""
    return lambda: MRmDDiscretizer(**parameters).fit(X, y)


def first_calls(_run: Run) -> None:
    print_section("First call", "Kernels are compiled, or loaded from the cache of an earlier run. Not counted below.")
    X, y = make(Case(200, 2))
    default = MRmDDiscretizer()
    actions = {
        "fit": lambda: default.fit(X, y),
        "transform": lambda: default.transform(X),
        'fit, validation="crossfit"': fitting(X, y, validation="crossfit", random_state=0),
        'fit, search="exact"': fitting(X, y, search="exact"),
        "fit, n_jobs=2": fitting(X, y, n_jobs=2),
    }
    print_table(["first call of", "time"], [[name, duration(time_once(action))] for name, action in actions.items()])


def fit_ratios(run: Run) -> None:
    print_section(
        "Fit", f"Default settings. {EXPLAIN_ORDERS}\nRatio: time / time of np.argsort of the same columns, complete."
    )
    silent = run.case(1_000_000, 5, signal=False)
    small = [run.case(10_000, 20, classes, missing=0.05) for classes in (2, 10)]
    patchy = [*small, run.case(100_000, 20, missing=0.05), run.case(1_000_000, 5, missing=0.05)]
    limits = {run.medium: 6.0, run.large: 5.0, silent: 5.0} | dict.fromkeys((run.small, run.many_classes, *small), 4.0)
    rows = []
    for case in (run.small, run.medium, run.large, silent, run.many_classes, *patchy):
        X, y = make(case)
        by_rows = np.ascontiguousarray(X)
        # numpy sorts columns with NaN by a slower way, which would flatter the ratio.
        complete, _ = make(replace(case, missing=0.0))
        actions = {"argsort": sort_columns(complete), "F": fitting(X, y), "C": fitting(by_rows, y)}
        best = run.watch.race(f"fit, {case.name}", actions)
        ratios = {order: best[order] / best["argsort"] for order in ORDERS}
        if case in limits:
            for order in ORDERS:
                run.compare(f"fit, {case.name}, {order}", ratios[order], limits[case], "x argsort")
        n_cuts = sum(cuts.size for cuts in fitting(X, y)().cuts_)
        times = [duration(best[name]) for name in ("argsort", "F", "C")]
        rows.append([case.name, str(n_cuts), *times, ratio(ratios["F"]), ratio(ratios["C"])])
    print_table(["table", "cuts", "argsort", "fit F", "fit C", "ratio F", "ratio C"], rows)


def two_jobs(run: Run) -> None:
    print_section("Fit with n_jobs=2", f"Ratio to the same argsort in one thread. {os.cpu_count()} cores are here.")
    X, y = make(run.large)
    by_rows = np.ascontiguousarray(X)
    actions = {"argsort": sort_columns(X), "F": fitting(X, y, n_jobs=2), "C": fitting(by_rows, y, n_jobs=2)}
    best = run.watch.race("fit, n_jobs=2", actions)
    ratios = {order: best[order] / best["argsort"] for order in ORDERS}
    for order in ORDERS:
        run.compare(f"fit, n_jobs=2, {run.large.name}, {order}", ratios[order], 3.0, "x argsort")
    row = [run.large.name, *(duration(best[name]) for name in ("argsort", "F", "C"))]
    row += [ratio(ratios[order]) for order in ORDERS]
    print_table(["table", "argsort", "fit F", "fit C", "ratio F", "ratio C"], [row])


def wide_tables(run: Run) -> None:
    print_section(
        "Wide tables",
        "Time a column, with one thread and with two. Ratio: time of np.argsort; speed-up: of two threads.",
    )
    shapes = [(100_000, 40), (10_000, 400), (2_000, 2_000), (1_000, 2_000), (200, 2_000), (200, 20_000)]
    rows = []
    for n_rows, n_columns in shapes:
        case = Case(n_rows, n_columns // run.scale)
        X, y = make(case)
        actions = {"argsort": sort_columns(X), "one": fitting(X, y), "two": fitting(X, y, n_jobs=2)}
        best = run.watch.race(f"wide, {case.name}", actions)
        each = {name: seconds / case.columns for name, seconds in best.items()}
        if n_rows == 200:
            run.compare(f"fit of a column, {case.name}", 1e6 * each["one"], 50.0, "us")
        times = [f"{1e6 * each[name]:.0f} us" for name in actions]
        rows.append([case.name, *times, ratio(each["one"] / each["argsort"]), f"{each['one'] / each['two']:.2f}"])
    print_table(["table", "argsort", "one thread", "two threads", "ratio", "speed-up"], rows)


def transform_ratio(run: Run) -> None:
    print_section("Transform", "Ratio to np.searchsorted(cuts, column), summed over the contiguous columns.")
    X, y = make(run.large)
    by_rows = np.ascontiguousarray(X)
    fitted = fitting(X, y)()
    pairs = [(cuts, np.ascontiguousarray(X[:, j])) for j, cuts in enumerate(fitted.cuts_)]

    def look_up() -> None:
        for cuts, column in pairs:
            np.searchsorted(cuts, column)

    actions = {"searchsorted": look_up, "F": lambda: fitted.transform(X), "C": lambda: fitted.transform(by_rows)}
    best = run.watch.race("transform", actions)
    ratios = {order: best[order] / best["searchsorted"] for order in ORDERS}
    for order in ORDERS:
        run.compare(f"transform, {run.large.name}, {order}", ratios[order], 1.2, "x searchsorted")
    n_cuts = str(sum(cuts.size for cuts in fitted.cuts_))
    row = [run.large.name, n_cuts, *(duration(best[name]) for name in ("searchsorted", "F", "C"))]
    row += [ratio(ratios[order]) for order in ORDERS]
    print_table(["table", "cuts", "searchsorted", "transform F", "transform C", "ratio F", "ratio C"], [row])


def growth(run: Run) -> None:
    print_section("Growth", "Time of fit as the rows grow. A slope of 1 means: as n log n.")
    sizes = [rows // run.scale for rows in (10_000, 30_000, 100_000, 300_000, 1_000_000)]
    times = []
    for size in sizes:
        X, y = make(Case(size, 5))
        times.append(run.watch.race(f"growth, {short_number(size)} rows", {"fit": fitting(X, y)})["fit"])
    work = [size * math.log(size) for size in sizes]
    slope = np.polyfit(np.log(work), np.log(times), 1)[0]
    rows = [
        [f"5 x {short_number(size)}", duration(seconds), f"{1e9 * seconds / (5 * size):.1f}"]
        for size, seconds in zip(sizes, times, strict=True)
    ]
    print_table(["table", "fit", "ns per value"], rows)
    print(f"\nSlope of log time on log(n log n), by least squares: {slope:.3f}")


def peak_memory(run: Run) -> None:
    print_section(
        "Memory",
        "Highest resident memory during fit of one column, less that before, per row; a fresh process each.\n"
        "What all columns share (the classes and the order of rows by class) is included.",
    )
    rows = []
    for n_rows in (1_000_000 // run.scale, 4_000_000 // run.scale):
        for validation in ("expected", "crossfit"):
            table = f"1 x {short_number(n_rows)}"
            try:
                measured, how = bytes_per_row(n_rows, validation)
            except (OSError, RuntimeError, ValueError, TooSlowError) as error:
                measured, how = None, one_line(error)
            rows.append([table, validation, "not measured" if measured is None else f"{measured:.1f}", how])
            run.compare(f"memory of fit, {table}, {validation}", measured, 64.0, "bytes per row")
    print_table(["table", "validation", "bytes per row", "measured by"], rows)


def exact_search(run: Run) -> None:
    print_section("Exact search", "One column; ratio to the greedy search on the same column.")
    rows = []
    for signal in (True, False):
        case = run.case(2_000, 1, signal=signal)
        X, y = make(case)
        actions = {"exact": fitting(X, y, search="exact"), "greedy": fitting(X, y)}
        best = run.watch.race(f"exact, {case.name}", actions)
        run.compare(f"exact search, {case.name}", best["exact"], 2.0, "s")
        n_cuts = "/".join(str(actions[name]().cuts_[0].size) for name in actions)
        times = [duration(best["exact"]), duration(best["greedy"])]
        rows.append([case.name, n_cuts, *times, ratio(best["exact"] / best["greedy"])])
    print_table(["column", "cuts", "exact", "greedy", "ratio"], rows)


def validation_modes(run: Run) -> None:
    print_section("Validation modes", f"Ratio to np.argsort of the same columns, {run.medium.name}, F order.")
    X, y = make(run.medium)
    modes = ("expected", "holdout", "crossfit")
    actions = {"argsort": sort_columns(X)}
    actions |= {mode: fitting(X, y, validation=mode, random_state=0) for mode in modes}
    best = run.watch.race("validation modes", actions)
    rows = []
    for mode in modes:
        n_cuts = sum(cuts.size for cuts in actions[mode]().cuts_)
        rows.append([mode, str(n_cuts), duration(best[mode]), ratio(best[mode] / best["argsort"])])
    print_table(["validation", "cuts", "fit", "ratio"], rows)


def import_time(run: Run) -> None:
    print_section("Import", "In a fresh process each, the best of them; cutwise beyond what sklearn has loaded.")
    program = (
        "import time; a = time.perf_counter(); import sklearn; b = time.perf_counter(); "
        "import cutwise; print(b - a, time.perf_counter() - b)"
    )
    times = []
    for _ in range(run.watch.repeats):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        times.append([float(word) for word in done.stdout.split()])
    before, beyond = (min(column) for column in zip(*times, strict=True))
    print_table(["import sklearn", "import cutwise"], [[duration(before), duration(beyond)]])
    run.compare("import cutwise beyond import sklearn", beyond, 0.3, "s")


SECTIONS = {
    "import": import_time,
    "fit": fit_ratios,
    "jobs": two_jobs,
    "wide": wide_tables,
    "transform": transform_ratio,
    "growth": growth,
    "memory": peak_memory,
    "exact": exact_search,
    "validation": validation_modes,
}


def print_targets(run: Run) -> None:
    """Compare what was measured with what was promised."""
    print_section("Targets", "Quick run: the targets are meant for ten times as many rows." if run.scale > 1 else "")
    print_table(["target", "measured", "reached"], run.targets)


def print_noise(watch: Stopwatch) -> None:
    """Warn if the figures cannot be trusted."""
    if watch.repeats == 1:
        print("\nOne run each: whether the machine is noisy cannot be seen.")
        return
    if not watch.noisy:
        print(f"\nQuiet machine: no measurement of {watch.n_timed} varied by more than 30 %.")
        return
    print(f"\nWARNING: noisy machine. {len(watch.noisy)} of {watch.n_timed} measurements varied by more than 30 %")
    print("between their runs (longest over shortest):\n")
    for what in watch.noisy:
        print(f"* {what}")


def print_machine() -> None:
    """Say where the figures come from."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("cutwise", "numpy", "numba", "scikit-learn"))
    load = f", load {os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else ""
    print("# Benchmark of cutwise\n")
    print(f"Python {platform.python_version()}, {packages}.")
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{load}. One thread unless said otherwise.")


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="Results are Markdown tables on standard output.")
    parser.add_argument("--quick", action="store_true", help="use a tenth of the rows, to see whether all works")
    parser.add_argument("--peers", action="store_true", help="time other libraries too, as far as they are installed")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, metavar="PART", help=f"parts: {', '.join(SECTIONS)}")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="best of so many runs (default: 5)")
    parser.add_argument(
        "--orange-python",
        type=Path,
        default=Path(__file__).parent.parent / ".venv-orange" / "bin" / "python",
        metavar="PATH",
        help="the Python that has Orange3 (default: .venv-orange/bin/python of this project)",
    )
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error("--repeats must be 1 or more")
    return arguments


def main() -> None:
    """Run the parts that were asked for."""
    arguments = read_arguments()
    run = Run(10 if arguments.quick else 1, Stopwatch(arguments.repeats))
    print_machine()
    first_calls(run)
    for name in arguments.only or SECTIONS:
        SECTIONS[name](run)
    if arguments.peers:
        cases = (run.small, run.medium, run.large, run.many_classes)
        peers.compare(cases, arguments.orange_python, run.watch)
    print_targets(run)
    print_noise(run.watch)


if __name__ == "__main__":
    main()
