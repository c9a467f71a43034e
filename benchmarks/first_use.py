"""The first fit on a machine and the start of the command line: `python benchmarks/first_use.py [NAME …]`.

Processor seconds of processes that begin with an empty cache of compiled code, then again with what the first one left
there; and what `cutwise fit` of 300 rows takes beside `import sklearn`. All in one run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cutwise.registry import DISCRETIZERS, entries

ROOT = Path(__file__).parent.parent
# Methods with options that compile more; the others are measured as they are.
OPTIONS = {
    "MRmDDiscretizer": ("", "confirm=0.05", "validation='holdout'", "validation='crossfit'", "search='exact'"),
    "MDLPDiscretizer": ("", "confirm=0.05"),
    "MDmDDiscretizer": ("", "validation='holdout'"),
    "EMDDiscretizer": ("max_evaluations=100",),
    "FixedCutsDiscretizer": ("cuts=[0.0]",),
    "FixedSchemeDiscretizer": (),
}
FIT = """
import sys, time
import numpy as np, sklearn.base
import cutwise
X = np.random.default_rng(0).normal(size=(300, 5))
y = (X[:, 0] > 0).astype(int)
start = time.process_time()
cutwise.{name}({options}).fit(X, y)
print(time.process_time() - start)
"""
AIMS = {"MRmDDiscretizer()": 4.0}
AIM = 6.0
AIM_OF_COMMAND = 1.2


def environment(cache: str) -> dict[str, str]:
    """Return the variables of a process: bytecode is kept, as where the library is installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    threads = {f"{pool}_NUM_THREADS": "1" for pool in ("OMP", "OPENBLAS", "MKL")}
    return {**kept, **threads, "PYTHONPATH": str(ROOT / "src"), "NUMBA_CACHE_DIR": f"{cache}/numba"} | {
        "PYTHONPYCACHEPREFIX": f"{cache}/bytecode"
    }


def seconds_of_fit(name: str, options: str, cache: str) -> float:
    """Return the processor seconds of a fit in a process of its own."""
    program = [sys.executable, "-c", FIT.format(name=name, options=options)]
    return float(subprocess.run(program, capture_output=True, text=True, check=True, env=environment(cache)).stdout)


def seconds_of(arguments: list[str], cache: str, repeats: int = 3) -> float:
    """Return the least processor seconds of some runs of Python."""
    return min(_seconds_of(arguments, cache) for _ in range(repeats))


def _seconds_of(arguments: list[str], cache: str) -> float:
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment(cache))
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def measure_fits(names: list[str]) -> None:
    """Print the seconds of the first fit of each method and of the next one."""
    print(f"{'fit of 300 x 5':46} {'first':>6} {'next':>6}  aim of the first")
    for entry in entries(list(DISCRETIZERS)):
        for options in OPTIONS.get(entry.name, ("",)):
            what = f"{entry.name}({options})"
            if names and entry.name not in names:
                continue
            with tempfile.TemporaryDirectory() as cache:
                # Bytecode is written when a package is installed.
                seconds_of_fit(entry.name, options, cache)
                shutil.rmtree(f"{cache}/numba")
                first, later = (seconds_of_fit(entry.name, options, cache) for _ in range(2))
            print(f"{what:46} {first:6.1f} {later:6.2f}  {AIMS.get(what, AIM):.0f}", flush=True)


def measure_command() -> None:
    """Print what the command line takes, beside the import of scikit-learn."""
    with tempfile.TemporaryDirectory() as cache:
        path = Path(cache) / "table.csv"
        rows = "\n".join(f"{i * 7 % 300},{i * 11 % 100},{int(i * 7 % 300 > 150)}" for i in range(300))
        path.write_text(f"a,b,y\n{rows}\n", encoding="utf-8")
        fit = ["-m", "cutwise", "fit", str(path), "--target", "y"]
        # Bytecode is written when a package is installed.
        seconds_of(fit, cache, 1)
        shutil.rmtree(f"{cache}/numba")
        first = seconds_of(fit, cache, 1)
        sklearn = seconds_of(["-c", "import sklearn"], cache)
        later = seconds_of(fit, cache)
    print(f"\nimport sklearn {sklearn:.2f} s; cutwise fit of 300 rows: first {first:.2f} s, next {later:.2f} s")
    print(f"beyond import sklearn {later - sklearn:.2f} s (aim {AIM_OF_COMMAND}), {later / sklearn:.2f} times as long")


def main() -> None:
    """Measure all methods, or those that are named."""
    measure_command()
    measure_fits(sys.argv[1:])


if __name__ == "__main__":
    main()
