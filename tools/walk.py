"""How far a call walks through the library: own files, functions, folders, and hops to the compiled loops.

Run it with ``python tools/walk.py``. The compiled loops run in plain Python, so that they can be seen; what lies
below their entry is not counted. A hop is a call of an own function by another one, threads and decorators left out.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ["NUMBA_DISABLE_JIT"] = "1"

import numpy as np
import pandas as pd

import cutwise

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

ROOT = Path(cutwise.__file__).parent
KERNELS = str(ROOT / "kernels")
# The searches' compiled loops were in kernels/ itself before they had folders.
SEARCHES = str(ROOT / "search")


class Walk:
    """The own functions that a call enters.

    Parameters
    ----------
    call : callable
        Called once in a thread of its own, where the library begins no further threads.
    """

    def __init__(self, call: Callable[[], Any]) -> None:
        self.functions: set[tuple[str, str]] = set()
        self.depth = 0
        self.hops: list[int] = []
        call()  # imports what is imported late
        thread = threading.Thread(target=self._run, args=(call,))
        thread.start()
        thread.join()

    def _run(self, call: Callable[[], Any]) -> None:
        sys.setprofile(self._see)
        call()
        sys.setprofile(None)

    def _see(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not is_own(code):
            return
        if code.co_filename.startswith(KERNELS):
            caller = frame.f_back
            if caller is not None and caller.f_code.co_filename.startswith(SEARCHES):
                self.hops.append(own_depth(caller))
            return
        self.functions.add((code.co_filename, code.co_qualname if hasattr(code, "co_qualname") else code.co_name))
        self.depth = max(self.depth, own_depth(frame))

    def row(self) -> tuple[int, int, int, int]:
        """Return the numbers of files, functions and folders, and the hops to the search's loop, or to the deepest."""
        files = {name for name, _ in self.functions}
        folders = {Path(name).parent for name in files}
        return len(files), len(self.functions), len(folders), min(self.hops or [self.depth])


def is_own(code: CodeType) -> bool:
    """Return whether code is a function of the library, not a part of one such as a comprehension."""
    return code.co_filename.startswith(str(ROOT)) and not code.co_name.startswith("<")


def own_depth(frame: FrameType | None) -> int:
    """Return how many own functions are at work, the caller of all included."""
    depth = 0
    while frame is not None:
        depth += is_own(frame.f_code) and "threads.py" not in frame.f_code.co_filename
        frame = frame.f_back
    return depth


def main() -> None:
    """Print a line for each way through the library."""
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3)).round(2)
    y = (X[:, 0] + random.normal(size=60) > 0).astype(int)
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=y)
    mrmd, mdlp, chi2, system = (
        cutwise.MRmDDiscretizer, cutwise.MDLPDiscretizer, cutwise.Chi2Discretizer, cutwise.MRmDRNBClassifier,
    )  # fmt: skip
    fitted = mrmd().fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        frame.to_parquet(path)
        ways: dict[str, Callable[[], Any]] = {
            "MRmDDiscretizer.fit": lambda: mrmd().fit(X, y),
            "MRmDDiscretizer.transform": lambda: fitted.transform(X),
            "MRmDDiscretizer.fit_table": lambda: mrmd().fit_table(path, "y"),
            "MDLPDiscretizer.fit": lambda: mdlp().fit(X, y),
            "Chi2Discretizer.fit": lambda: chi2().fit(X, y),
            "MRmDRNBClassifier.fit": lambda: system().fit(X, y),
        }
        print("| way | files | functions | folders | hops |")
        print("|---|---|---|---|---|")
        for name, call in ways.items():
            print(f"| `{name}` | " + " | ".join(map(str, Walk(call).row())) + " |")
    for estimator in (mrmd, mdlp, chi2):
        own = [base.__name__ for base in estimator.__mro__ if base.__module__.startswith("cutwise")]
        print(f"{len(own)} own classes of {estimator.__name__}: {', '.join(own)}")
    files = sorted((ROOT / "discretize").glob("*.py"))
    print(f"discretize: {len(files)} files, {sum(len(path.read_text('utf-8').splitlines()) for path in files)} lines")


if __name__ == "__main__":
    main()
