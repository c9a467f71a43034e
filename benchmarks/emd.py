"""EMD on satimage: 10,000 sets of cuts judged, and how long that takes.

    python benchmarks/emd.py [FOLDER OF THE DATA SETS] [--evaluations N] [--classifiers NAME ...]

Yardsticks: the sort of all columns, and scikit-learn's naive Bayes on the codes of a set of
cuts, timed for a few sets and multiplied. One evaluation does what its fit and its prediction of
the training rows do together. On a busy machine the seconds of the processors tell more than
those on the wall.
"""

from __future__ import annotations

from timing import spread_of, time_once

# isort: split
import argparse
import csv
import json
import os
import platform
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from cutwise import EMDDiscretizer
from cutwise.search.fitness import KINDS, PUBLISHED, named_classifiers
from tables import duration, print_section, print_table

DATA = Path(os.environ.get("CUTWISE_DATA", Path(__file__).parents[2] / "shared" / "datasets"))
SEED = 1
REPEATS = 3


def read(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the table and the classes of one of the paper's data sets."""
    facts = json.loads((folder / "manifest.json").read_text())["datasets"][name]
    with (folder / facts["file"]).open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    X = np.array([row[:-1] for row in rows], dtype=float)
    return X, np.array([row[-1] for row in rows])


def time_fits(X, y, evaluations: int, classifiers: list[str]) -> tuple[list[list[str]], float]:
    """Fit with one and two threads, and with a checkpoint; return a row for each, and the best time."""
    rows, best = [], float("inf")
    with tempfile.TemporaryDirectory() as folder:
        for name, options in (
            ("1 thread", {"n_jobs": 1}),
            ("2 threads", {"n_jobs": 2}),
            ("2 threads, checkpoint", {"n_jobs": 2, "checkpoint": Path(folder) / "emd.json"}),
        ):
            times, worked = [], []
            for _ in range(REPEATS):
                options.get("checkpoint", Path("-")).unlink(missing_ok=True)
                estimator = EMDDiscretizer(
                    max_evaluations=evaluations, classifiers=classifiers, random_state=SEED, **options
                )
                before = time.process_time()
                times.append(time_once(lambda fit=estimator.fit: fit(X, y)))
                worked.append(time.process_time() - before)
            best = min(best, *times)
            attribute = estimator.scheme_.attributes[0]
            rows.append(
                [
                    name,
                    duration(min(times)),
                    f"{spread_of(times):.0%}",
                    duration(min(worked)),
                    f"{evaluations / min(times):,.0f}",
                    f"{-attribute.score:.6f}",
                    str(int(estimator.n_bins_.sum()) - X.shape[1]),
                    attribute.stop,
                ]
            )
    return rows, best


def time_sort(X) -> float:
    """Return the seconds of a sort of all columns."""
    return min(time_once(lambda: np.argsort(X, axis=0)) for _ in range(REPEATS))


def time_peer(X, y, n_sets: int = 20) -> tuple[float, float]:
    """Return the seconds that scikit-learn's naive Bayes takes to fit and to predict one set of cuts, codes given."""
    rng = np.random.default_rng(SEED)
    cuts = [(column[1:] + column[:-1]) / 2 for column in (np.unique(column) for column in X.T)]
    fits, predictions = [], []
    for share in np.linspace(0.05, 0.5, n_sets):
        chosen = [own[rng.random(own.size) < share] for own in cuts]
        codes = np.column_stack([np.searchsorted(own, column) for own, column in zip(chosen, X.T, strict=True)])
        bayes = CategoricalNB()
        fits.append(time_once(lambda fit=bayes.fit, codes=codes: fit(codes, y)))
        predictions.append(time_once(lambda predict=bayes.predict, codes=codes: predict(codes)))
    return float(np.mean(fits)), float(np.mean(predictions))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--evaluations", type=int, default=10_000)
    parser.add_argument("--classifiers", nargs="+", choices=list(KINDS), default=list(PUBLISHED))
    options = parser.parse_args()
    X, y = read(options.folder, "satimage")
    EMDDiscretizer(max_evaluations=200, max_bins=5, random_state=SEED).fit(X[:500], y[:500])  # compiles the kernels
    classifiers = " and ".join(f"{times} x {kind.name}" for kind, times in named_classifiers(options.classifiers))
    print_section(
        f"EMD on satimage, {X.shape[0]:,} x {X.shape[1]}, {options.evaluations:,} evaluations",
        f"Errors of {classifiers}; best of {REPEATS}; {platform.machine()}, {os.cpu_count()} cores, "
        f"numpy {np.__version__}.",
    )
    rows, best = time_fits(X, y, options.evaluations, options.classifiers)
    print_table(["Fit", "Time", "Spread", "Processor time", "Evaluations / s", "Fitness", "Cuts", "Stop"], rows)
    fit, predict = time_peer(X, y)
    many = f"{options.evaluations:,} times (extrapolated)"
    yardsticks = {
        "np.argsort of all columns": time_sort(X),
        f"CategoricalNB predict, {many}": predict * options.evaluations,
        f"CategoricalNB fit + predict, {many}": (fit + predict) * options.evaluations,
    }
    print_section("Yardsticks")
    table = [[name, duration(seconds), f"{best / seconds:.3g}"] for name, seconds in yardsticks.items()]
    print_table(["What", "Time", "Best fit / this"], table)


if __name__ == "__main__":
    main()
