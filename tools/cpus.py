"""Run what can depend on the processor as if on several of them, and compare the answers.

A flavour switches off what this processor has beyond others: instructions that numpy, OpenBLAS, the C
library and numba would choose. Each flavour has compiled kernels of its own. `python tools/cpus.py` runs
the tests named below under every flavour and compares what `tools/answers.py` prints: schemes byte by
byte, weights to 1e-6, losses to a relative 1e-9. `python tools/cpus.py short` takes the two flavours
that differ most and fewer tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).parent.parent
TESTS = (
    "tests/bayes",
    "tests/kernels",
    "tests/criteria",
    "tests/search",
    "tests/systems",
    "src/cutwise/bayes",
    "docs",
    "README.md",
)
SHORT_TESTS = ("tests/kernels/test_elementary.py", "tests/bayes/test_weighted_vectors.py", "docs/index.md")
WEIGHT_TOLERANCE, LOSS_TOLERANCE = 1e-6, 1e-9


def flavours() -> dict[str, dict[str, str]]:
    """Return the environment of each flavour by its name; the first is this processor as it is."""
    numpy_has = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    no_fma = "-AVX512F,-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-FMA4,-FMA4_Usable,-AVX,-AVX_Usable"
    found = {
        "as it is": {},
        "oldest": {
            "OPENBLAS_CORETYPE": "Nehalem",
            "NPY_DISABLE_CPU_FEATURES": " ".join(numpy_has),
            "NUMBA_CPU_NAME": "generic",
            "NUMBA_CPU_FEATURES": "",
            "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={no_fma}",
        },
        "OpenBLAS Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
        "OpenBLAS Nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
        "numpy without features": {"NPY_DISABLE_CPU_FEATURES": " ".join(numpy_has)},
        "numba generic": {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        "C library without FMA": {"GLIBC_TUNABLES": f"glibc.cpu.hwcaps={no_fma}"},
    }
    if __cpu_features__.get("X86_V4") or __cpu_features__.get("AVX512_SKX"):
        found["OpenBLAS SkylakeX"] = {"OPENBLAS_CORETYPE": "SkylakeX"}
    return found


def run(command: list[str], flavour: dict[str, str], cache: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with a flavour and its own cache of compiled kernels."""
    environment = os.environ | flavour | {"NUMBA_CACHE_DIR": str(cache), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(  # noqa: S603 our own programs
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def differences(one: Any, other: Any, place: str = "") -> list[str]:
    """Return the places where two answers differ by more than is promised."""
    if isinstance(one, dict):
        return [text for key in one for text in differences(one[key], other[key], f"{place}/{key}")]
    if isinstance(one, list):
        pairs = list(zip(one, other, strict=True))
        return [text for i, (a, b) in enumerate(pairs) for text in differences(a, b, f"{place}[{i}]")][:5]
    if isinstance(one, float):
        allowed = LOSS_TOLERANCE * max(1.0, abs(one)) if place.endswith("loss") else WEIGHT_TOLERANCE
        return [f"{place}: {one!r} and {other!r}"] if abs(one - other) > allowed else []
    return [] if one == other else [f"{place}: {one!r} and {other!r}"]


def main() -> int:
    """Return 0 if every flavour passes its tests and gives the answers of the first."""
    short = sys.argv[1:] == ["short"]
    chosen = dict(list(flavours().items())[:2]) if short else flavours()
    first: Any = None
    failed = []
    with tempfile.TemporaryDirectory(prefix="cutwise-cpus-") as folder:
        for name, flavour in chosen.items():
            cache = Path(folder) / name.replace(" ", "-")
            told = run(["tools/answers.py", *(["short"] if short else [])], flavour, cache)
            if told.returncode:
                failed.append(f"{name}: {told.stderr[-2000:]}")
                continue
            given = json.loads(told.stdout)
            first = given if first is None else first
            failed += [f"{name}: {text}" for text in differences(first, given)]
            tests = [] if short and not flavour else list(SHORT_TESTS if short else TESTS)
            if tests:
                result = run(["-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", *tests], flavour, cache)
                print(name, "-", result.stdout.strip().rpartition("\n")[2], flush=True)
                if result.returncode:
                    failed.append(f"{name}: {result.stdout[-3000:]}{result.stderr[-1000:]}")
    print("\n".join(failed) or f"{len(chosen)} flavours, one answer")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
