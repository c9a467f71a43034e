"""Ask Orange for the MDLP cuts of the tables in tests/oracles/data.py.

Run by `make oracles` in Orange's own environment.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

import Orange.data
from Orange.preprocess.discretize import EntropyMDL
from store import store

if TYPE_CHECKING:
    from tests.oracles.data import Table


def cuts_of(table: Table) -> dict[str, list[float]]:
    """Return Orange's cuts of each column."""
    labels = Orange.data.DiscreteVariable("class", values=tuple(map(str, range(table.n_classes))))
    domain = Orange.data.Domain([Orange.data.ContinuousVariable(name) for name in table.columns], labels)
    data = Orange.data.Table.from_numpy(domain, table.matrix, table.y)
    return {column.name: points_of(EntropyMDL()(data, column)) for column in domain.attributes}


def points_of(column: Orange.data.DiscreteVariable) -> list[float]:
    """Return the cuts of a discretized column."""
    return [float(point) for point in column.compute_value.points]


if __name__ == "__main__":
    about = {
        "package": "Orange3",
        "version": version("Orange3"),
        "method": "Orange.preprocess.discretize.EntropyMDL()",
        "bins": "cut <= x < next cut",
    }
    store("mdlp_orange.json", about, cuts_of)
