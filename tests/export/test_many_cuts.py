"""With many cuts, codes are searched for: they are those of the library, and memory does not follow the cuts."""

from __future__ import annotations

import math
import subprocess
import sys

import ibis
import numpy as np
import pyarrow as pa
import pytest

from cutwise.export.contents import MANY_CUTS, bin_groups
from tests.export.engines import ROW
from tests.export.schemes import EXTREMES, around, codes_of, numeric, scheme_of
from tests.export.test_codes import every_engine

RNG = np.random.default_rng(5)
SIZES = (1, MANY_CUTS, MANY_CUTS + 1, MANY_CUTS**2 - 1, MANY_CUTS**2)


def scheme_with(n_cuts, missing):
    cuts = np.unique(np.round(RNG.normal(size=n_cuts + 50) * 100, 6))[:n_cuts].tolist()
    return scheme_of(numeric("x", cuts, special=[-999.0, cuts[n_cuts // 2]]), missing=missing)


@pytest.mark.parametrize("missing", ["code", "bin"])
@pytest.mark.parametrize("n_cuts", SIZES)
def test_every_engine_gives_the_codes_of_the_library(n_cuts, missing):
    scheme = scheme_with(n_cuts, missing)
    cuts = scheme["x"].cuts
    values = [*EXTREMES, *around(cuts[:: max(1, n_cuts // 300)]), *around([cuts[0], cuts[-1]])]
    for engine, found in every_engine(scheme, [values]):
        assert found == codes_of(scheme, [values]), engine


def test_the_whole_range_of_doubles():
    largest = sys.float_info.max
    cuts = sorted({-largest, -1e300, -5e-324, 0.0, 5e-324, 1e-300, 1e300, *np.linspace(-2, 2, 80).tolist()})
    scheme = scheme_of(numeric("x", cuts))
    values = [*EXTREMES, *around(cuts)]
    for engine, found in every_engine(scheme, [values]):
        assert found == codes_of(scheme, [values]), engine


def test_ibis():
    scheme = scheme_with(MANY_CUTS + 10, "code")
    values = [*EXTREMES, *around(scheme["x"].cuts)]
    arrow = pa.table({ROW: list(range(len(values))), "x": pa.array(values, type=pa.float64(), from_pandas=False)})
    found = scheme.transform_table(ibis.memtable(arrow), keep=[ROW]).order_by(ROW).to_pyarrow()
    assert [[code] for code in found["x"].to_pylist()] == codes_of(scheme, [values])


def test_groups_of_codes_hold_each_code_once():
    for n_codes in range(2, 3 * MANY_CUTS**2, 97):
        groups = bin_groups(range(n_codes))
        assert [code for group in groups for code in group] == list(range(n_codes))
        assert 2 <= len(groups) <= MANY_CUTS


def test_conditions_of_a_query_are_nested_a_few_deep():
    query = scheme_with(5000, "code").to_sql("duckdb")
    depth = deepest = 0
    for word in query.split():
        depth += (word == "CASE") - word.startswith("END")
        deepest = max(deepest, depth)
    assert deepest <= math.ceil(math.log(5001, MANY_CUTS)) + 2


PROGRAM = """
import resource, sys
import numpy as np
from tests.export.schemes import numeric, scheme_of
scheme = scheme_of(numeric("x", np.linspace(0.0, 1.0, 4000).tolist()))
values = np.linspace(-0.1, 1.1, 100_000)
{prepare}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{run}
risen = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert (np.asarray(codes).ravel() == np.searchsorted(scheme["x"].cuts, values)).all()
print(risen // 1024)
"""
RUNS = {
    "polars": (
        "import polars as pl\nframe = pl.DataFrame({'x': values})\nframe[:10].select(scheme.to_polars())",
        "codes = frame.select(scheme.to_polars())['x'].to_numpy()",
    ),
    "onnx": (
        """
import onnxruntime
model = scheme.to_onnx().SerializeToString()
session = onnxruntime.InferenceSession(model, providers=['CPUExecutionProvider'])
session.run(None, {'x': values[:10, None]})
""",
        "codes = session.run(None, {'x': values[:, None]})[0]",
    ),
}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in the way of Linux")
@pytest.mark.parametrize("engine", RUNS)
def test_memory_does_not_follow_the_cuts(engine):
    """100,000 rows and 4,000 cuts: a table of all comparisons would take 400 MB as single bytes."""
    prepare, run = RUNS[engine]
    program = PROGRAM.format(prepare=prepare, run=run)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-800:]
    assert int(done.stdout.split()[-1]) <= 64
