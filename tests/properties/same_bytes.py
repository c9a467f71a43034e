"""A digest of what every method learns and predicts: `python -m tests.properties.same_bytes WAY …`.

A way is a number of workers, or a way to start a process.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import sys

import numpy as np


def table():
    random = np.random.default_rng(4)
    X = random.normal(size=(120, 5)).round(1)
    X[random.random(X.shape) < 0.05] = np.nan
    return X, (np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) * random.normal(size=120) > 0) * 1


def digests(n_jobs):
    """Return the SHA-256 of every scheme, and of every model with its probabilities."""
    from cutwise import MRmDDiscretizer
    from tests.methods import EVERY
    from tests.properties.test_failed_fit import CLASSIFIERS

    X, y = table()
    found = {}
    for method in EVERY:
        fitted = method.set_params(n_jobs=n_jobs).fit(X, y)
        found[repr(method.set_params(n_jobs=None))] = of_text(fitted.scheme_.to_json().encode())
    codes = MRmDDiscretizer(missing="bin").fit(X, y).transform(X)
    for model in CLASSIFIERS:
        if "n_jobs" in model.get_params():
            model.set_params(n_jobs=n_jobs)
        is_of_tables = hasattr(model.fit(codes, y), "scheme_")
        given = X if is_of_tables else codes
        model.fit(given, y)
        if "n_jobs" in model.get_params():
            model.set_params(n_jobs=None)
        content = model.to_json().encode() + model.predict_proba(given).tobytes()
        found[repr(model)] = of_text(content)
    return found


def of_text(content):
    return hashlib.sha256(content).hexdigest()


def in_child(method):
    """Return the digests as a process finds them that was started in one of the ways there are."""
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.apply(digests, (1,))


def main():
    # Children come first: a process is forked before it has threads.
    ways = sorted(sys.argv[1:], key=lambda way: way.isdigit())
    found = {way: digests(int(way)) if way.isdigit() else in_child(way) for way in ways}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
