"""The public names, the layers they live in, and how quickly they load."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import cutwise

SOURCE = Path(cutwise.__file__).parent


def test_public_names():
    assert sorted(cutwise.__all__) == [
        "CutwiseError",
        "MRmDDiscretizer",
        "MaxRelevanceDiscretizer",
        "Scheme",
        "SchemeError",
        "TableError",
        "__version__",
    ]
    assert all(hasattr(cutwise, name) for name in cutwise.__all__)


def test_unknown_kernels_are_attribute_errors():
    from cutwise import kernels

    assert not hasattr(kernels, "unknown")


def test_import_is_quick_and_loads_no_compiler():
    program = (
        "import sys, time, sklearn; start = time.perf_counter(); import cutwise; "
        "took = time.perf_counter() - start; assert 'numba' not in sys.modules; print(took)"
    )
    took = min(
        float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    )
    assert took < 0.3


def test_nothing_runs_code_from_files():
    """No pickle, no eval: a scheme is data (promise 17)."""
    forbidden = {"pickle", "cloudpickle", "dill", "marshal", "shelve", "yaml"}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert not {alias.name.split(".")[0] for alias in node.names} & forbidden, path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in forbidden, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec"}, path
