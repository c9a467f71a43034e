"""Orange's EntropyMDL as a service: each line of the input is a column and its class numbers, each answer its cuts."""

from __future__ import annotations

import json
import sys

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess.discretize import EntropyMDL


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        values, labels = json.loads(line)
        classes = DiscreteVariable("y", values=tuple(map(str, range(max(labels) + 1))))
        table = Table.from_numpy(Domain([ContinuousVariable("x")], classes), np.array(values)[:, np.newaxis], labels)
        print(json.dumps(list(EntropyMDL()(table, table.domain[0]).compute_value.points)), flush=True)


if __name__ == "__main__":
    main()
