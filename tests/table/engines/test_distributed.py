"""Dask frames whose partitions are on the workers of a cluster; `make test-dask` runs these."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from cutwise import AdditiveClassifier, MDLPDiscretizer, MRmDDiscretizer
from cutwise.errors import TableError
from cutwise.table.engines import open_source
from tests.table.engines.summaries import KillWorkerOnce, refuse
from tests.table.engines.tables import in_dask

distributed = pytest.importorskip("distributed", reason="distributed is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")
N_ROWS = 600


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """Nothing is checked here: the threads of a cluster draw from Python's random numbers at any time."""


@pytest.fixture(scope="module", autouse=True)
def client():
    """Two workers, each a process of its own."""
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def people():
    random = np.random.default_rng(0)
    ages = random.integers(18, 80, N_ROWS).astype(np.float64)
    towns = random.choice(["Bern", "Oslo"], N_ROWS)
    paid = ages + 10 * (towns == "Oslo") + random.normal(0, 9, N_ROWS) > 50
    return pa.table({"id": np.arange(N_ROWS), "age": ages, "town": towns.tolist(), "paid": paid})


@pytest.mark.parametrize("discretizer", [MRmDDiscretizer(), MDLPDiscretizer()], ids=lambda one: one.method_name)
def test_workers_give_the_scheme_of_one_machine(discretizer, tmp_path):
    table = people()
    columns = ["age", "town"]
    found = discretizer.fit_table(in_dask(table, tmp_path), "paid", columns=columns).scheme_.to_json()
    assert found == discretizer.fit_table(table, "paid", columns=columns).scheme_.to_json()


def test_workers_encode_and_predict(tmp_path):
    table = people()
    rows = table.select(["age", "town"])
    frame = in_dask(table, tmp_path)
    model = AdditiveClassifier().fit_table(frame, "paid", columns=["age", "town"])
    codes = model.scheme_.transform_table(frame).compute()
    np.testing.assert_array_equal(codes, model.scheme_.transform(rows))
    shares = model.predict_table(frame).compute()[["probability_0", "probability_1"]]
    np.testing.assert_allclose(shares, model.predict_proba(rows), rtol=0, atol=1e-15)


def test_a_killed_worker_loses_nothing(tmp_path):
    source = open_source(in_dask(people(), tmp_path))
    assert sum(source.fold(["age"], KillWorkerOnce(str(tmp_path / "mark")))) == N_ROWS
    assert (tmp_path / "mark").exists()


def test_errors_of_workers_are_ours(tmp_path):
    with pytest.raises(TableError, match="Column 'x': no good"):
        list(open_source(in_dask(people(), tmp_path)).fold(["age"], refuse))
