"""Time Orange's EntropyMDL in an environment of its own: `python orange_worker.py CASE LIMIT REPEATS`.

CASE is a JSON object with the fields of data.Case. Prints a JSON object. Orange needs an
older numpy than the library, so np.argsort is timed here too.
"""

from __future__ import annotations

from timing import TooSlowError, race_within

# isort: split
import json
import sys

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess.discretize import EntropyMDL

from data import Case, make


def main() -> None:
    """Time one case."""
    case, limit, repeats = Case(**json.loads(sys.argv[1])), float(sys.argv[2]), int(sys.argv[3])
    X, y = make(case)
    labels = DiscreteVariable("y", values=tuple(map(str, range(case.classes))))
    domain = Domain([ContinuousVariable(f"x{j}") for j in range(case.columns)], labels)
    table = Table.from_numpy(domain, X, y)
    cuts = []

    def fit() -> None:
        cuts[:] = [len(EntropyMDL()(table, variable).compute_value.points) for variable in domain.attributes]

    def sort() -> None:
        for j in range(case.columns):
            np.argsort(X[:, j])

    try:
        answer = race_within(limit, repeats, fit, sort)
    except TooSlowError:
        print(json.dumps({"too_slow": True}))
        return
    print(json.dumps({**answer, "bins": float(np.mean(cuts)) + 1.0}))


if __name__ == "__main__":
    main()
