"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import time

from cutwise.files import STALE, write_whole


def test_drafts_of_killed_processes_are_swept_and_nothing_else(tmp_path):
    path = tmp_path / "scheme.json"
    names = {
        ".scheme.json.0123456789abcdef.tmp": False,
        ".scheme.json.fedcba9876543210.tmp": True,  # of a process that writes just now
        ".other.json.0123456789abcdef.tmp": True,
        ".scheme.json.tmp": True,
        ".scheme.json.0123456789ABCDEF.tmp": True,
        "scheme.json.0123456789abcdef.tmp": True,
        ".scheme.json.0123456789abcdef.tmp.gz": True,
    }
    long_ago = time.time() - STALE - 60.0
    for name in names:
        (tmp_path / name).write_text("")
        if "fedcba" not in name:
            os.utime(tmp_path / name, (long_ago, long_ago))
    assert write_whole(path, b"{}") == path
    left = {entry.name for entry in tmp_path.iterdir()}
    assert left == {"scheme.json", *(name for name, stays in names.items() if stays)}
