"""Two commits in one run, as ratios: `python benchmarks/guard.py [BASE]`, by default this tree against HEAD~1.

Each side runs in processes of its own that take turns, so that a slow moment of the machine meets
both; what counts is processor time. A case that is more than LIMIT times as slow as at the base, in the
best of its runs and again when it is repeated, fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIMIT = 1.2
ROUNDS = 3
# What a process times: the best of several runs after a first one that compiles.
SETUP = """
import json, sys, time
import numpy as np
import cutwise
random = np.random.default_rng(0)
X, noise = random.normal(size=(100_000, 4)), random.normal(size=100_000)
y = (X[:, 0] + noise > 0) * 1
codes = cutwise.EqualFrequencyDiscretizer(8).fit(X, y).transform(X)
scheme = cutwise.EqualFrequencyDiscretizer(200).fit(X, y).scheme_
text = scheme.to_json()
wide = random.normal(size=(200, 500))
labels = random.integers(0, 10, 10_000)
patchy = X[:10_000].copy()
patchy[:500, 0] = patchy[:900, 1] = np.nan
additive = cutwise.AdditiveClassifier(alpha=1.0).fit(X, y)
def best(action, repeats=5):
    times = []
    for _ in range(repeats + 1):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times[1:])
"""
CASES = {
    "fit MRmD": "cutwise.MRmDDiscretizer().fit(X, y)",
    "200 rows x 500": "cutwise.MRmDDiscretizer().fit(wide, y[:200])",
    "ten classes": "cutwise.MRmDDiscretizer().fit(X[:10_000], labels)",
    "missing values": "cutwise.MRmDDiscretizer().fit(patchy, y[:10_000])",
    "confirm": "cutwise.MRmDDiscretizer(confirm=0.05).fit(X[:10_000], y[:10_000])",
    "cross-fitting": "cutwise.MRmDDiscretizer(validation='crossfit', random_state=0).fit(X[:20_000], y[:20_000])",
    "fit MDLP": "cutwise.MDLPDiscretizer().fit(X, y)",
    "fit ChiMerge": "cutwise.ChiMergeDiscretizer().fit(X[:20_000, :1], y[:20_000])",
    "exact search": "cutwise.MRmDDiscretizer(search='exact').fit(X[:5_000, :1], y[:5_000])",
    "transform": "cutwise.FixedSchemeDiscretizer(scheme).transform(X)",
    "naive Bayes": "cutwise.NaiveBayesClassifier().fit(codes, y).predict(codes)",
    "RNB": "cutwise.RNBClassifier().fit(codes[:20_000], y[:20_000])",
    "C4.5": "cutwise.C45Classifier().fit(X[:20_000], y[:20_000])",
    "additive fit": "cutwise.AdditiveClassifier(alpha=1.0).fit(X, y)",
    "additive predict": "additive.predict_proba(X)",
    "scheme to JSON": "scheme.to_json()",
    "scheme from JSON": "cutwise.Scheme.from_json(text)",
}


def measure(source: Path, cache: Path, names: list[str]) -> dict[str, float]:
    """Return the seconds of each case with the library of a source tree."""
    actions = ", ".join(f"{name!r}: best(lambda: {CASES[name]})" for name in names)
    program = f"{SETUP}\nassert cutwise.__file__.startswith(sys.argv[1])\nprint(json.dumps({{{actions}}}))"
    environment = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(cache)}
    environment |= {f"{pool}_NUM_THREADS": "1" for pool in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    done = subprocess.run(
        [sys.executable, "-c", program, str(source)], capture_output=True, text=True, env=environment, check=True
    )
    times: dict[str, float] = json.loads(done.stdout)
    return times


def ratios(base: Path, now: Path, caches: Path, names: list[str]) -> dict[str, float]:
    """Return how many times as long each case takes now, from the best runs of both."""
    best: dict[str, dict[str, float]] = {"base": {}, "now": {}}
    for _ in range(ROUNDS):
        for side, source in (("base", base), ("now", now)):
            for name, seconds in measure(source, caches / side, names).items():
                best[side][name] = min(seconds, best[side].get(name, seconds))
    return {name: best["now"][name] / best["base"][name] for name in names}


def main() -> int:
    """Compare this tree with a commit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", default="HEAD~1")
    commit = parser.parse_args().base
    with tempfile.TemporaryDirectory() as folder:
        base, caches = Path(folder) / "base", Path(folder) / "caches"
        archive = Path(folder) / "base.tar"
        command = ["git", "archive", "--output", str(archive), commit, "src"]
        subprocess.run(command, cwd=ROOT, check=True)
        shutil.unpack_archive(archive, base, filter="data")
        found = ratios(base / "src", ROOT / "src", caches, list(CASES))
        slow = [name for name, ratio in found.items() if ratio > LIMIT]
        if slow:
            found |= ratios(base / "src", ROOT / "src", caches, slow)
    for name, ratio in found.items():
        print(f"{name:18} {ratio:6.2f}{'  SLOWER' if ratio > LIMIT else ''}")
    return int(any(ratio > LIMIT for ratio in found.values()))


if __name__ == "__main__":
    sys.exit(main())
