"""A fit takes the stated memory and no more (promise 25); docs/architecture.md states it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cutwise

ROOT = Path(__file__).parent.parent.parent
# Room for what does not grow with the table.
FIXED = 24 << 20
# Bytes for each row of a column of distinct values.
PER_ROW = {
    "MRmDDiscretizer": 80,
    "MDLPDiscretizer": 80,
    "CAIMDiscretizer": 80,
    "EqualFrequencyDiscretizer": 80,
    "EqualWidthDiscretizer": 80,
    "ChiMergeDiscretizer": 120,
}
# Bytes that the scheme takes for each column.
PER_COLUMN = 8000
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is set in the way of Linux")


def rise(method, n_rows, *, n_columns=1, n_classes=2, room=0):
    """Return by how many bytes a fit raises the memory, within the stated limit and some room."""
    limit = FIXED + PER_ROW[method] * n_rows + room
    settings = {"method": method, "n_rows": n_rows, "n_columns": n_columns, "n_classes": n_classes, "limit": limit}
    environment = {**os.environ, "PYTHONPATH": f"{Path(cutwise.__file__).parent.parent}{os.pathsep}{ROOT}"}
    environment |= {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    command = [sys.executable, "-m", "tests.properties.limited_fit", json.dumps(settings)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT, timeout=550)
    assert done.returncode == 0, done.stderr[-800:]
    return int(done.stdout)


@pytest.mark.parametrize("method", PER_ROW)
def test_bytes_of_a_row(method):
    small, large = (rise(method, n_rows) for n_rows in (100_000, 1_000_000))
    assert (large - small) / 900_000 <= PER_ROW[method]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["MRmDDiscretizer", "MDLPDiscretizer"])
def test_ten_million_rows(method):
    assert rise(method, 10_000_000) <= PER_ROW[method] * 10_000_000 + FIXED


def test_classes_do_not_multiply_it():
    assert rise("MRmDDiscretizer", 300_000, n_classes=2000) <= PER_ROW["MRmDDiscretizer"] * 300_000 + FIXED


def test_columns_do_not_multiply_it():
    """One column is in flight at a time: ten thousand take what their schemes take."""
    n_rows, n_columns = 1000, 10_000
    assert n_rows * n_columns * 28 > 2 * (FIXED + n_columns * PER_COLUMN)
    room = n_columns * PER_COLUMN
    assert rise("MRmDDiscretizer", n_rows, n_columns=n_columns, room=room) <= room + FIXED
