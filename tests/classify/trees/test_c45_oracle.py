"""C4.5 against the trees of Weka's J48, which `make oracles` asks for again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from cutwise import C45Classifier
from tests.oracles.c45_tables import c45_tables

STORED = json.loads((Path(__file__).parents[2] / "oracles" / "c45_weka.json").read_text(encoding="utf-8"))
TABLES = {table.name: table for table in c45_tables()}
OPTIONS = {"default": {}, "unpruned": {"prune": False}, "no_raising": {"raise_subtrees": False}}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("options", OPTIONS)
def test_the_tree_is_that_of_j48(name, options):
    """As many leaves and nodes, and the same predictions; J48 separates no values closer than 1e-5."""
    table = TABLES[name]
    assert STORED["fingerprints"][name] == table.fingerprint
    fitted = C45Classifier(nominal=table.nominal, min_gap=1e-5, **OPTIONS[options]).fit(table.matrix, table.y)
    predictions, shares = fitted.predict(table.matrix), fitted.predict_proba(table.matrix)
    assert STORED["outputs"][name][options] == {
        "leaves": fitted.get_n_leaves(),
        "nodes": fitted.tree_.n_nodes,
        "errors": int((predictions != table.y).sum()),
        "predictions": hashlib.sha256(predictions.astype("<i8").tobytes()).hexdigest()[:16],
        "sure": pytest.approx(float(shares[np.arange(table.y.size), table.y].sum()), abs=2e-5),
    }


def test_every_table_is_stored():
    assert set(STORED["outputs"]) == set(TABLES)
    assert STORED["version"].startswith("3.9")
    assert set(STORED["options"]) == set(OPTIONS)
