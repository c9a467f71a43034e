"""Peak memory of one fit, in a process of its own: `python memory.py ROWS VALIDATION`.

Prints JSON. Compiled loops allocate behind Python's back, so the process is asked for its
resident memory; the peak is reset before the fit where Linux allows it and sampled where
it does not.
"""

from __future__ import annotations

from timing import TooSlowError

# isort: split
import ctypes
import gc
import json
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from data import Case, make

STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")
LIMIT = 300


def bytes_per_row(rows: int, validation: str) -> tuple[float, str]:
    """Return the extra memory of a fit per row and how it was measured, from a fresh process."""
    command = [sys.executable, __file__, str(rows), validation]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        raise TooSlowError from None
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1])
    answer = json.loads(done.stdout)
    return answer["bytes"] / rows, answer["how"]


def resident(field: str = "VmRSS") -> int:
    """Return the resident memory of this process in bytes, or its peak with the field VmHWM."""
    for line in STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    message = f"{STATUS} has no {field}"
    raise RuntimeError(message)


def release_free_memory() -> None:
    """Give back what the allocator keeps, or else the fit would get it for nothing."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def peak_of(action) -> tuple[int, str]:
    """Run an action; return how far resident memory rose above its start, and how that was seen."""
    release_free_memory()
    try:
        RESET.write_text("5")
    except OSError:
        return sampled_peak_of(action), "sampled"
    before = resident()
    action()
    return resident("VmHWM") - before, "VmHWM"


def sampled_peak_of(action) -> int:
    """Do as peak_of, looking every millisecond."""
    before = highest = resident()
    done = threading.Event()

    def watch() -> None:
        nonlocal highest
        while not done.is_set():
            highest = max(highest, resident())
            time.sleep(0.001)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        action()
    finally:
        done.set()
        thread.join()
    return highest - before


def main() -> None:
    """Measure in this process."""
    from cutwise import MRmDDiscretizer

    rows, validation = int(sys.argv[1]), sys.argv[2]
    discretizer = MRmDDiscretizer(validation=validation, random_state=0)
    discretizer.fit(*make(Case(1_000, 1)))
    X, y = make(Case(rows, 1))
    extra, how = peak_of(lambda: discretizer.fit(X, y))
    print(json.dumps({"bytes": extra, "how": how}))


if __name__ == "__main__":
    main()
