"""Settings and checks that hold for every test."""

from __future__ import annotations

import decimal
import hashlib
import locale
import os
import random
import signal
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import polars  # noqa: F401, ICN001  # sets an environment variable when it is first imported
import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent

# numba does not notice that a kernel called by another one has changed, so the cache is
# kept apart for each state of the kernels.
_STATE = hashlib.sha256(b"".join(p.read_bytes() for p in sorted((ROOT / "src/cutwise/kernels").rglob("*.py"))))
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"cutwise-{_STATE.hexdigest()[:12]}"))

# A shell without job control lets what it starts in the background ignore Ctrl-C, and so would what the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# One of scikit-learn's checks runs only with it; it is read when scipy is first imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

# These set environment variables or draw a random number when they are first imported.
import rich.style  # noqa: E402, F401
import sklearn.base  # noqa: E402, F401

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]}
settings.register_profile("dev", max_examples=25, **_COMMON)
settings.register_profile("ci", max_examples=100, derandomize=True, **_COMMON)
settings.register_profile("nightly", max_examples=5000, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

DATA = Path(os.environ.get("CUTWISE_DATA", ROOT.parent / "shared" / "datasets"))


@pytest.fixture(scope="session")
def paper_data():
    """The folder with the paper's data sets."""
    if not (DATA / "manifest.json").exists():
        pytest.skip(f"the paper's data sets are not at {DATA}; set CUTWISE_DATA to their folder")
    return DATA


@pytest.fixture(scope="session", params=["classic", "connect"])
def spark(request, tmp_path_factory):
    """A Spark session in this process, then one that talks to a server of Spark Connect; run by `make test-spark`."""
    pytest.importorskip("pyspark", reason="pyspark is not installed; run make test-spark")
    from tests.spark import spark_environment, start_session

    if request.param == "connect" and "PYTEST_XDIST_WORKER" in os.environ:
        pytest.skip("servers of Spark Connect have one port, so one process runs these; run make test-spark")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(action="ignore"):
        for name, value in spark_environment(tmp_path_factory.mktemp("spark")).items():
            patch.setenv(name, value)
        session = start_session("local[2,3]", request.param)
        yield session
        session.stop()


@pytest.fixture(scope="module")
def pypmml():
    """The program PMML4S, if it and a Java for it are there."""
    found = pytest.importorskip("pypmml", reason="pypmml is not installed; make test-pmml gets it")
    try:
        found.PMMLContext.getOrCreate()
    except Exception as error:  # noqa: BLE001 - whatever keeps Java from starting
        pytest.skip(f"no Java for pypmml: {error}")
    yield found
    found.PMMLContext.shutdown()


@pytest.fixture(autouse=True)
def _leaves_no_trace():
    """The library touches no global state."""
    numpy_state = np.random.get_state()  # noqa: NPY002
    python_state = random.getstate()
    environment = dict(os.environ)
    folder = Path.cwd()
    yield
    after = np.random.get_state()  # noqa: NPY002
    assert all(np.array_equal(a, b) for a, b in zip(numpy_state, after, strict=True))
    assert random.getstate() == python_state
    assert {k: v for k, v in os.environ.items() if k != "PYTEST_CURRENT_TEST"} == {
        k: v for k, v in environment.items() if k != "PYTEST_CURRENT_TEST"
    }
    assert Path.cwd() == folder


def settings_of_libraries():
    """Return what nothing may change for good, not even the first use of the library."""
    context = decimal.getcontext().copy()
    context.clear_flags()  # what computing leaves behind, such as "a decimal was compared with a double", is no setting
    return {
        "locale": locale.setlocale(locale.LC_ALL),
        "floating-point errors": np.geterr(),
        "print options": {name: str(value) for name, value in np.get_printoptions().items()},
        "decimal context": str(context),
    }


def state_of_process():
    """Return what else all code of a process shares, besides random numbers, environment and folder."""
    hooks = sys.excepthook, sys.displayhook, sys.getprofile()
    return sys.getrecursionlimit(), list(sys.path), signal.getsignal(signal.SIGINT), hooks


AT_THE_START = settings_of_libraries()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call():
    """Compare what a process shares before and after a test, within the filters of warnings that pytest sets for it."""
    before, filters, modules = state_of_process(), list(warnings.filters), set(sys.modules)
    result = yield
    assert settings_of_libraries() == AT_THE_START
    assert state_of_process() == before
    # Libraries may add filters when they are first imported.
    if set(sys.modules) == modules:
        assert warnings.filters == filters
    return result
