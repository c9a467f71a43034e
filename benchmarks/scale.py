"""Fit tables that stay on disk: `python scale.py [--rows 10000000 100000000] [--fit WHAT] [--folder DIR] [--keep]`.

Makes Parquet files of eight numeric columns and a target, chunk by chunk, and prints for each size the
peak memory and the time of ``fit_table`` in a process of its own, beside one DuckDB scan that sums the same columns:
that of ``MRmDDiscretizer`` or, with --fit, of a model. At a million rows the scheme is compared with that of ``fit`` in
memory.
The files are removed at the end.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CHUNK = 1_000_000
FILE_ROWS = 5_000_000
GROUP_ROWS = 1 << 18
COMPARED = 1_000_000
TARGET = "target"
# What can be fitted, with the bytes and the ratio to a scan that are aimed at.
FITS = {
    "cuts": ("MRmDDiscretizer", {}, 1.5e9, 6.0),
    "additive": ("AdditiveClassifier", {}, 2e9, 20.0),
    "exportable": ("CutwiseClassifier", {"exportable": True}, 2e9, 20.0),
    "average": ("CutwiseClassifier", {}, 2e9, 20.0),
}


def make_chunk(rows: int, seed: int) -> pa.Table:
    """Return rows whose class depends on some of the columns."""
    random = np.random.default_rng(seed)
    normal = random.normal(size=rows)
    skewed = random.lognormal(3.0, 2.0, rows)
    zeros = np.where(random.random(rows) < 0.6, 0.0, random.exponential(5.0, rows))
    age = random.integers(18, 95, rows)
    units = random.integers(0, 1_000_000, rows)
    cents = np.round(random.gamma(2.0, 80.0, rows), 2)
    gaps = np.where(random.random(rows) < 0.05, np.nan, random.normal(50.0, 10.0, rows))
    noise = random.random(rows)
    logit = normal + (zeros == 0) - 0.02 * (age - 50) + (skewed > 60) + np.sin(cents / 60) - 1.5
    target = random.random(rows) < 1.0 / (1.0 + np.exp(-logit))
    columns = {
        "normal": normal,
        "skewed": skewed,
        "zeros": zeros,
        "age": age.astype(np.int32),
        "units": units,
        "cents": cents,
        "gaps": pa.array(gaps, from_pandas=True),
        "noise": noise,
        TARGET: target.astype(np.int8),
    }
    return pa.table(columns)


def make_files(folder: Path, rows: int) -> str:
    """Write the rows and return the pattern of the files."""
    folder.mkdir(parents=True)
    for first in range(0, rows, FILE_ROWS):
        last = min(first + FILE_ROWS, rows)
        chunks = [(start, min(CHUNK, last - start)) for start in range(first, last, CHUNK)]
        schema = make_chunk(1, 0).schema
        with pq.ParquetWriter(folder / f"{first // FILE_ROWS:04}.parquet", schema) as writer:
            for start, size in chunks:
                writer.write_table(make_chunk(size, start // CHUNK), row_group_size=GROUP_ROWS)
        print(f"\r{folder.name}: {last:,} of {rows:,} rows written", end="", flush=True)
    print()
    return str(folder / "*.parquet")


def scan(pattern: str) -> dict[str, float]:
    """Sum all columns with DuckDB."""
    import duckdb

    columns = make_chunk(1, 0).column_names
    sums = ", ".join(f"sum({name})" for name in columns)
    query = f"SELECT {sums} FROM read_parquet('{pattern}')"  # noqa: S608
    return timed(lambda: duckdb.sql(query).fetchall())[1]


def fit(pattern: str, what: str) -> dict[str, float | str]:
    """Fit the files, after a small table has compiled the loops."""
    import cutwise

    name, options, *_ = FITS[what]
    estimator = getattr(cutwise, name)(**options)
    estimator.fit_table(make_chunk(20_000, 0), TARGET)
    found, times = timed(lambda: estimator.fit_table(pattern, TARGET))
    errors = getattr(getattr(found, "discretizer_", found), "rank_errors_", None)
    return {**times, "rank_error": "unknown" if errors is None else f"{errors.max():.2e}"}


def timed(action) -> tuple[object, dict[str, float]]:
    """Return what an action returns, its seconds, and those that it kept processors busy."""
    begin, busy = time.perf_counter(), time.process_time()
    answer = action()
    return answer, {"seconds": time.perf_counter() - begin, "busy": time.process_time() - busy}


def compare(pattern: str) -> dict[str, float]:
    """Return Psi of each column in memory and from the files, and whether all is the same."""
    from cutwise import MRmDDiscretizer

    table = pq.read_table(sorted(Path(pattern).parent.glob("*.parquet")))
    in_memory = MRmDDiscretizer().fit(table.drop_columns([TARGET]), table[TARGET])
    from_files = MRmDDiscretizer().fit_table(pattern, TARGET)
    pairs = zip(in_memory.scheme_.attributes, from_files.scheme_.attributes, strict=True)
    return {"scores": [(left.name, left.score, right.score, left == right) for left, right in pairs]}


def in_fresh_process(what: str, pattern: str) -> dict[str, float]:
    """Run a function of this module in another process; add its peak memory."""
    command = [sys.executable, __file__, "--run", what, "--pattern", pattern]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{what} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def peak_memory() -> int:
    """Return the largest resident memory that this process had, in bytes."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


@contextmanager
def folder_for(path: str | None, *, keep: bool):
    """Yield a folder for the files and remove what was written there."""
    root = Path(tempfile.mkdtemp(prefix="cutwise-scale-", dir=path))
    # Whoever ends the program lets it clean up first.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        yield root
    finally:
        if not keep:
            shutil.rmtree(root, ignore_errors=True)


def measure(pattern: str, rows: int, repeats: int, what: str) -> float:
    """Print a line about one size and return the seconds of the fit."""
    name, _, aim_bytes, aim_ratio = FITS[what]
    # The first scan brings the files into memory.
    scans = [in_fresh_process("scan", pattern) for _ in range(repeats + 1)][1:]
    fits = [in_fresh_process(what, pattern) for _ in range(repeats)]
    best = {key: (min(one[key] for one in fits), min(one[key] for one in scans)) for key in ("seconds", "busy")}
    peak = max(one["peak"] for one in fits)
    print(
        f"{rows:>13,} rows, {what} ({name}): fit {best['seconds'][0]:7.2f} s, scan {best['seconds'][1]:6.2f} s, "
        f"ratio {ratio_of(best['seconds']):5.2f} (aim {aim_ratio:g}), of busy time {ratio_of(best['busy']):5.2f}; "
        f"peak {peak / 1e9:5.2f} GB (aim {aim_bytes / 1e9:g}); rank error {fits[0]['rank_error']}",
        flush=True,
    )
    return best["seconds"][0]


def ratio_of(times: tuple[float, float]) -> float:
    """Return by how much the fit takes longer than the scan."""
    return times[0] / times[1]


def main() -> None:
    """Measure all sizes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000_000, 100_000_000])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--fit", choices=FITS, nargs="+", default=["cuts"], help="what is fitted")
    parser.add_argument("--folder", help="where to make the folder for the files; the system's by default")
    parser.add_argument("--keep", action="store_true", help="do not remove the files")
    parser.add_argument("--run", choices=["scan", "compare", *FITS], help=argparse.SUPPRESS)
    parser.add_argument("--pattern", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        others = {"scan": scan, "compare": compare}
        answer = others[options.run](options.pattern) if options.run in others else fit(options.pattern, options.run)
        print(json.dumps({**answer, "peak": peak_memory()}))
        return
    with folder_for(options.folder, keep=options.keep) as root:
        print("column     Psi in memory  Psi from files      loss  same scheme")
        for name, left, right, same in in_fresh_process("compare", make_files(root / "compared", COMPARED))["scores"]:
            print(f"{name:10} {left:13.6f} {right:15.6f} {left - right:9.1e}  {'yes' if same else 'no'}")
        patterns = {rows: make_files(root / f"{rows}", rows) for rows in sorted(options.rows)}
        for what in options.fit:
            times = {rows: measure(pattern, rows, options.repeats, what) for rows, pattern in patterns.items()}
            small, large = min(times), max(times)
            if large > small:
                growth = times[large] / times[small] / (large / small)
                print(f"time per row at {large:,} rows is {growth:.2f} times that at {small:,}")


if __name__ == "__main__":
    main()
