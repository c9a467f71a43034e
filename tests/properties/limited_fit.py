"""One fit in a process that may take only so much memory: `python -m tests.properties.limited_fit METHOD …`.

Prints by how many bytes the resident memory rose. What is beyond the limit fails with MemoryError.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
from pathlib import Path

import numpy as np

import cutwise


def of_process(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{field}:")).split()[1]) * 1024


def make_table(n_rows, n_columns, n_classes):
    random = np.random.default_rng(0)
    X = np.asfortranarray(random.random((n_rows, n_columns)))
    # Many classes are texts: as many numbers would be taken for measurements.
    return X, np.arange(n_classes).astype("U4")[random.integers(0, n_classes, n_rows)]


def main():
    settings = json.loads(sys.argv[1])
    method = getattr(cutwise, settings["method"])(**settings.get("parameters", {}))
    # Compiled code and libraries are loaded before the limit is set.
    method.fit(*make_table(2000, 2, settings["n_classes"]))
    X, y = make_table(settings["n_rows"], settings["n_columns"], settings["n_classes"])
    gc.collect()
    limit = of_process("VmSize") + settings["limit"]
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    Path("/proc/self/clear_refs").write_text("5")
    before = of_process("VmRSS")
    method.fit(X, y)
    sys.stdout.write(str(of_process("VmHWM") - before))


if __name__ == "__main__":
    main()
