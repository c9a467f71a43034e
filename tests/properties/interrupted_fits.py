"""A program that sends itself Ctrl-C in the middle of long fits; it prints one line of JSON for each of them.

It is given the numbers of jobs. ``late`` is the time in seconds from the signal to KeyboardInterrupt.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time

import numpy as np

from cutwise import (
    AdditiveClassifier,
    AmevaDiscretizer,
    AODEClassifier,
    C45Classifier,
    CACCDiscretizer,
    CADDDiscretizer,
    CAIMDiscretizer,
    Chi2Discretizer,
    ChiMergeDiscretizer,
    CutwiseClassifier,
    EMDDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    ExtendedChi2Discretizer,
    FixedFrequencyDiscretizer,
    JointDiscretizer,
    MaxRelevanceDiscretizer,
    MDLPDiscretizer,
    MDmDDiscretizer,
    ModifiedChi2Discretizer,
    MODLDiscretizer,
    MRmDDiscretizer,
    PKIDDiscretizer,
    RVFLClassifier,
    ScorecardClassifier,
    WANBIAClassifier,
)

# Seconds of work before the signal: the next one is taken if the fit was done by then, on a fast machine.
BEFORE = (0.4, 0.2, 0.1)


def noise(n_rows, n_columns, n_classes=2):
    """Return a table that tells nothing of the class."""
    random = np.random.default_rng(0)
    return random.random((n_rows, n_columns)), random.integers(0, n_classes, n_rows)


def same(n_rows, n_columns, n_classes=2):
    """Return a table of one column many times, in the memory of one."""
    column, y = noise(n_rows, 1, n_classes)
    return np.broadcast_to(column, (n_rows, n_columns)), y


def codes(n_rows, n_columns):
    """Return bins that tell nothing of the class."""
    random = np.random.default_rng(0)
    return random.integers(0, 5, (n_rows, n_columns)), random.integers(0, 2, n_rows)


# Each takes half a second or more without a signal, with the kernels that a fit of few rows has compiled.
FITS = [
    (MaxRelevanceDiscretizer(), noise, (80_000, 2)),
    (MRmDDiscretizer(n_d=1e9), same, (80_000, 100)),
    (MRmDDiscretizer(search="exact", n_d=1e9), noise, (20_000, 8)),
    (MRmDDiscretizer(search="exact", monotonic="increasing"), noise, (20_000, 60)),
    (MDLPDiscretizer(), same, (200_000, 100)),
    (CAIMDiscretizer(), same, (200_000, 100)),
    (CACCDiscretizer(), noise, (200_000, 8)),
    (AmevaDiscretizer(), same, (200_000, 100, 20)),
    (ChiMergeDiscretizer(), same, (200_000, 100)),
    (Chi2Discretizer(), noise, (100_000, 20)),
    (ModifiedChi2Discretizer(), noise, (100_000, 20)),
    (ExtendedChi2Discretizer(), noise, (100_000, 20)),
    (CADDDiscretizer(), same, (200_000, 100)),
    (MODLDiscretizer(max_candidates=100), same, (200_000, 100)),
    (EMDDiscretizer(random_state=0), noise, (20_000, 10)),
    (MDmDDiscretizer(), noise, (100_000, 20)),
    (JointDiscretizer(choice="min"), noise, (200_000, 20)),
    (PKIDDiscretizer(), same, (200_000, 200)),
    (FixedFrequencyDiscretizer(), same, (200_000, 200)),
    (EqualFrequencyDiscretizer(), same, (200_000, 200)),
    (EqualWidthDiscretizer(), same, (200_000, 400)),
    (C45Classifier(), noise, (200_000, 20)),
    (AODEClassifier(), codes, (200_000, 120)),
    (AdditiveClassifier(), noise, (200_000, 20)),
    (CutwiseClassifier(), noise, (20_000, 10)),
    (ScorecardClassifier(EqualFrequencyDiscretizer(4), selection="forward", min_iv=0.0), noise, (200_000, 20)),
    (WANBIAClassifier(), codes, (200_000, 60)),
    (RVFLClassifier(n_hidden=500, random_state=0), noise, (20_000, 20)),
]


def interrupt(estimator, x, y, after):
    """Fit, send the signal after so many seconds, and tell how long it took to end; None if the fit was done before."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    try:
        timer.start()
        estimator.fit(x, y)
        timer.cancel()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    return None


def threads_left(patience=5.0):
    """Return the threads of the library that do not end."""
    end = time.perf_counter() + patience
    while names := [thread.name for thread in threading.enumerate() if thread.name.startswith("cutwise")]:
        if time.perf_counter() > end:
            return names
        time.sleep(0.01)
    return []


def learned(estimator):
    """Return what a fit has learned, as text."""
    return estimator.scheme_.to_json() if hasattr(estimator, "scheme_") else estimator.to_json()


def main():
    """Interrupt every fit with every number of jobs."""
    for jobs in map(int, sys.argv[1:]):
        for estimator, make, size in FITS:
            x, y = make(*size)
            if "n_jobs" in estimator.get_params():
                estimator.set_params(n_jobs=jobs)
            elif jobs > 1:
                continue
            few = slice(0, 300)
            for after in BEFORE:
                small = learned(estimator.fit(x[few, :4], y[few]))
                before = vars(estimator).copy()
                late = interrupt(estimator, x, y, after)
                if late is not None:
                    break
            report = {
                "fit": f"{estimator!r} {jobs}",
                "late": late,
                "unchanged": all(vars(estimator)[name] is value for name, value in before.items()),
                "left": threads_left(),
            }
            report["again"] = learned(estimator.fit(x[few, :4], y[few])) == small
            sys.stdout.write(json.dumps(report) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
