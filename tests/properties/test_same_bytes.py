"""The same bytes for any number of workers and threads, and any way to start a process (promise 7)."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cutwise
from cutwise import Scheme
from tests.golden.stored import VERSIONS, content_of, load_tool

ROOT = Path(__file__).parent.parent.parent
POOLS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA")


def digests(n_threads, *ways):
    """Return what a process of its own finds, in each of the ways to run there."""
    folders = [str(Path(cutwise.__file__).parent.parent), str(ROOT)]
    environment = {
        **os.environ,
        **{f"{pool}_NUM_THREADS": str(n_threads) for pool in POOLS},
        "PYTHONPATH": os.pathsep.join(folders),
        "PYTHONHASHSEED": str(n_threads),
    }
    command = [sys.executable, "-m", "tests.properties.same_bytes", *ways]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT, timeout=1000)
    assert done.returncode == 0, done.stderr[-2000:]
    return list(json.loads(done.stdout).items())


def check_all_alike(found):
    _, expected = found[0]
    assert len(expected) > 25
    for way, one in found:
        assert {name for name in expected if one[name] != expected[name]} == set(), way


def test_workers_and_threads_do_not_matter():
    check_all_alike(digests(1, "1") + digests(4, "8"))


@pytest.mark.slow
def test_ways_to_start_a_process_do_not_matter():
    starts = [way for way in ("fork", "spawn", "forkserver") if way in multiprocessing.get_all_start_methods()]
    check_all_alike(digests(1, "1", "2", "8", *starts) + digests(4, "1", "8", *starts))


TOOL = load_tool()
CURRENT = [folder for folder in VERSIONS if folder.name == TOOL.folder_name(cutwise.__version__)]


@pytest.mark.parametrize("name", TOOL.DISCRETIZERS)
def test_every_machine_finds_the_stored_bins(name):
    """Where a method is corrected on purpose, the changelog says so and the folder of the next version holds it."""
    rows = content_of(CURRENT[0], "rows")
    stored = Scheme.from_json((CURRENT[0] / "schemes" / f"{name}.json").read_bytes())
    found = TOOL.DISCRETIZERS[name].fit(TOOL.frame_of(rows), np.array(rows["kind"])).scheme_
    for old, new in zip(stored.attributes, found.attributes, strict=True):
        assert getattr(new, "cuts", None) == getattr(old, "cuts", None)
        assert (new.class_counts, new.missing_by_class, new.stop) == (old.class_counts, old.missing_by_class, old.stop)
