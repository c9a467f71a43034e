"""A journal keeps what was measured, whatever happens to it (promises 18, 22, 23 and 24)."""

from __future__ import annotations

import errno
import gzip
import lzma
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.errors import JournalError
from cutwise.paper.evaluate import CellResult, Journal, ResultCell, journal_lines
from cutwise.paper.evaluate import journal as journal_module
from cutwise.paper.evaluate.journal import read_content
from tests.paper.evaluate.journals import FAILURES, FIVE, PROTOCOL, RESULTS, result_of, sorted_by_cell, write


@given(results=st.lists(st.one_of(RESULTS, FAILURES), max_size=8))
def test_what_is_kept_comes_back(results, quick, tmp_path_factory):
    path = tmp_path_factory.mktemp("journal") / "a.journal"
    write(path, results)
    last = {result.cell: result for result in results}
    assert Journal.read(path) == sorted_by_cell(last.values())
    with Journal(path, PROTOCOL) as journal:
        assert journal.results == last
        assert not journal.notes


@given(correct=st.floats(0, 10))
def test_weighted_rows_are_kept_to_the_last_digit(correct, quick, tmp_path_factory):
    path = tmp_path_factory.mktemp("journal") / "a.journal"
    result = replace(result_of(3), n_correct=correct)
    write(path, [result])
    assert Journal.read(path) == [result]


def test_a_journal_is_lines_of_text(whole):
    lines = whole.decode("ascii").splitlines()
    assert lines[0].startswith('{"format":"cutwise journal","protocol":{"n_folds":10,"seed":7},"version":1} ')
    assert lines[1].startswith('{"session":1,"versions":{"cutwise":')
    assert lines[2].startswith('{"cell":["set-0","mrmd","nb",0,0],"log_loss":0.0,"n_correct":0,"n_cuts":0,"n_rows":10,')
    assert lines[4].startswith('{"cell":["set-2","mrmd","nb",0,2],"error":"it broke","seconds":0.5,"session":1} ')
    assert len(lines) == 7


def test_numbers_of_numpy_are_kept_as_numbers(path):
    result = result_of(3)
    write(path, [replace(result, n_rows=np.int64(10), n_correct=np.int32(3), log_loss=np.float64(3 / 7))])
    assert Journal.read(path) == [result]


def test_the_last_result_of_a_cell_counts(path):
    write(path, [result_of(1, "first try"), result_of(2), result_of(1)])
    assert Journal.read(path) == sorted_by_cell([result_of(1), result_of(2)])


def test_each_run_is_a_session(path):
    write(path, [result_of(0)])
    before = path.read_bytes()
    write(path, [])
    assert path.read_bytes() == before
    write(path, [result_of(1)])
    content = read_content(path)
    assert [content.results[result_of(number).cell][1] for number in (0, 1)] == [1, 2]
    assert set(content.sessions) == {1, 2}
    assert {"cutwise", "python", "numpy", "scipy", "scikit-learn", "numba"} <= set(content.sessions[1])


def test_another_protocol_is_refused(path, whole):
    path.write_bytes(whole)
    with pytest.raises(JournalError, match=r"has the protocol .*'seed': 7.* this run .*'seed': 8.* Name another file"):
        Journal(path, {**PROTOCOL, "seed": 8})
    assert path.read_bytes() == whole


@pytest.mark.parametrize("opener", [gzip.open, lzma.open])
def test_compressed_journals_are_read_only(tmp_path, whole, opener):
    path = tmp_path / ("a.journal.gz" if opener is gzip.open else "a.journal.xz")
    with opener(path, "wb") as file:
        file.write(whole)
    assert Journal.read(path) == sorted_by_cell(FIVE)
    with pytest.raises(JournalError, match="is compressed and can only be read"):
        Journal(path, PROTOCOL)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(JournalError, match="cannot be read"):
        Journal.read(path)


def test_a_small_file_cannot_grow_without_limit(tmp_path, whole, monkeypatch):
    monkeypatch.setattr(journal_lines, "MAX_BYTES", 10**6)
    path = tmp_path / "bomb.journal.xz"
    with lzma.open(path, "wb") as file:
        file.write(whole + bytes(10**7))
    with pytest.raises(JournalError, match="more than 1000000 bytes"):
        Journal.read(path)


@pytest.mark.parametrize(
    "wrong",
    [
        CellResult(ResultCell("a", "b", "c", 0, 0), n_rows=10, n_correct=5, log_loss=math.nan),
        CellResult(ResultCell("a", "b", "c", 0, 0), n_rows=10, n_correct=5, seconds=math.inf),
        CellResult(ResultCell("a", "b", "c", 0, 0), n_rows=10, n_correct=11),
        CellResult(ResultCell("a", "b", "c", 0, 0), n_rows=10, n_correct=10.001),
        CellResult(ResultCell("a", "b", "c", 0, 0), n_rows=10, n_correct=math.nan),
        CellResult(ResultCell("a", "b", "c", 0, 0), n_rows=10, n_correct=-1),
        CellResult(ResultCell("a", "b", "c", 0, 0)),
        CellResult(ResultCell("a", "b", "c", 0, -1), n_rows=1),
        CellResult(ResultCell(3, "b", "c", 0, 0), n_rows=1),
        CellResult(ResultCell("a" * 10**5, "b", "c", 0, 0), n_rows=1),
        CellResult(ResultCell("a", "b", "c", 0, 0), n_rows=None),
    ],
)
def test_results_that_are_none_are_refused(path, wrong):
    with Journal(path, PROTOCOL) as journal, pytest.raises(JournalError, match="cannot be kept"):
        journal.append(wrong)
    assert path.read_bytes() == b""


def test_an_error_is_one_line(path):
    write(path, [result_of(0, "first\n\tsecond " + "x" * 10**6), result_of(1, " \n ")])
    first, second = Journal.read(path)
    assert first.error.startswith("first second xxx")
    assert first.error.endswith("…")
    assert len(first.error) == 500
    assert second.error == "no reason is known"


class FaultyOs:
    """The system's calls; the k-th one that changes a file fails, and what it wrote is torn."""

    def __init__(self, k, code):
        self.left = k
        self.code = code

    def __getattr__(self, name):
        call = getattr(os, name)
        if name not in {"open", "write", "fsync", "ftruncate"}:
            return call

        def counted(*args):
            self.left -= 1
            if self.left == 0:
                if name == "write":
                    os.write(args[0], bytes(args[1])[:7])
                raise OSError(self.code, os.strerror(self.code))
            return call(*args)

        return counted


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_call_that_fails_damages_nothing(tmp_path, whole, monkeypatch, code):
    for k in range(1, 100):
        path = tmp_path / f"{k}.journal"
        path.write_bytes(whole[:-5])
        new = [result_of(4), result_of(5), result_of(6)]
        failed = 0
        with monkeypatch.context() as patch:
            faulty = FaultyOs(k, code)
            patch.setattr(journal_module, "os", faulty)
            try:
                with Journal(path, PROTOCOL) as journal:
                    while new:
                        try:
                            journal.append(new[0])
                        except JournalError as error:
                            assert os.strerror(code) in str(error)  # noqa: PT017
                            failed += 1
                        else:
                            new.pop(0)
            except JournalError as error:
                assert os.strerror(code) in str(error)  # noqa: PT017
        assert set(Journal.read(path)) == set(FIVE[:4] + [result_of(4), result_of(5), result_of(6)][: 3 - len(new)])
        assert not read_content(path).damaged
        write(path, new)
        assert len(Journal.read(path)) == 7
        assert not (tmp_path / f"{k}.journal.lock").exists()
        if faulty.left > 0:
            break
    assert k > 8


def test_a_write_in_parts_is_one_line(path, monkeypatch):
    class Slow:
        def __getattr__(self, name):
            if name == "write":
                return lambda descriptor, data: os.write(descriptor, bytes(data)[:3])
            return getattr(os, name)

    monkeypatch.setattr(journal_module, "os", Slow())
    write(path, FIVE)
    assert Journal.read(path) == sorted_by_cell(FIVE)


def test_an_interrupted_write_is_taken_back(path, whole, monkeypatch):
    class Interrupted:
        def __getattr__(self, name):
            return self.write if name == "write" else getattr(os, name)

        def write(self, descriptor, data):
            os.write(descriptor, bytes(data)[:9])
            raise KeyboardInterrupt

    path.write_bytes(whole)
    with Journal(path, PROTOCOL) as journal:
        monkeypatch.setattr(journal_module, "os", Interrupted())
        with pytest.raises(KeyboardInterrupt):
            journal.append(result_of(9))
    assert path.read_bytes() == whole


def test_a_full_disk_damages_nothing(path):
    """The system's own limit on the size of files stands for a full disk."""
    program = """
import resource, signal, sys
from cutwise.errors import JournalError
from cutwise.paper.evaluate import Journal
from tests.paper.evaluate.journals import PROTOCOL, result_of
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
with Journal(sys.argv[1], PROTOCOL) as journal:
    for number in range(100):
        try:
            journal.append(result_of(number))
        except JournalError as error:
            print(number, error)
            break
"""
    pytest.importorskip("resource")
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True, cwd=root
    )
    number = int(done.stdout.split()[0])
    assert "cannot be written: File too large. What it held before is safe." in done.stdout
    assert 2 < number < 20
    assert Journal.read(path) == sorted_by_cell([result_of(i) for i in range(number)])
    assert read_content(path).n_torn == 0


def test_folders_that_are_not_there_and_folders_as_files(tmp_path):
    with pytest.raises(JournalError, match="cannot be opened: No such file or directory"):
        Journal(tmp_path / "none" / "a.journal")
    with pytest.raises(JournalError, match="cannot be opened: Is a directory"):
        Journal(tmp_path)
    with pytest.raises(JournalError, match="cannot be read: Is a directory"):
        Journal.read(tmp_path)
    with pytest.raises(JournalError, match=r"There is no journal .*none"):
        Journal.read(tmp_path / "none")


def test_a_journal_has_one_writer(path):
    with Journal(path, PROTOCOL) as journal:
        with pytest.raises(
            JournalError, match=f"is in use by process {os.getpid()}. Wait for its end, or name another"
        ):
            Journal(path, PROTOCOL)
        journal.append(result_of(0))
        assert Journal.read(path) == [result_of(0)]
    with pytest.raises(JournalError, match="is closed"):
        journal.append(result_of(1))
    journal.close()
    write(path, [result_of(1)])
    assert list(path.parent.iterdir()) == [path]


def test_a_killed_writer_leaves_no_lock(path):
    program = (
        "import sys; from cutwise.paper.evaluate import Journal; journal = Journal(sys.argv[1], {}); "
        "print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "open\n"
        with pytest.raises(JournalError, match=f"is in use by process {process.pid}"):
            Journal(path)
        process.kill()
        process.wait()
    Journal(path).close()
