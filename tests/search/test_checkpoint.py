"""A genetic search that is broken off and continued (promises 18, 23, 24 and 26)."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.errors import CheckpointError
from cutwise.search import BinLimits, GeneticSearch, GeneticSettings, chc
from cutwise.search.fitness import Classifier, NaiveBayesErrors, TreeErrors
from tests.search.genetic_tables import Clock, joint_of, noisy

RULES = GeneticSettings(population=10, max_evaluations=300, min_bits=20)
SEARCH = GeneticSearch(rules=RULES, seed=5)


def result_of(found):
    return [(column.gaps.tolist(), column.stop, column.score) for column in found]


class BrokenOffError(Exception):
    """Stands for anything that ends a run early."""


def break_after(n_generations, error=BrokenOffError):
    """Return a report that raises after some generations."""
    seen = []

    def report(progress):
        seen.append(progress)
        if len(seen) == n_generations:
            raise error

    return report


@pytest.fixture
def writes(monkeypatch):
    """Let every generation be written."""
    monkeypatch.setattr(chc, "SECONDS_BETWEEN_WRITES", 0.0)


@pytest.fixture(scope="module")
def joint():
    return noisy(150, 3)


@pytest.fixture(scope="module")
def whole(joint, tmp_path_factory):
    """The result, the reports and the last checkpoint of a run without a break."""
    path = tmp_path_factory.mktemp("whole") / "search.json"
    reports = []
    found = SEARCH.run(joint, checkpoint=path, report=reports.append)
    assert len(reports) > 12
    assert found[0].stop == "evaluations"
    return result_of(found), reports, path.read_bytes()


def test_a_checkpoint_does_not_change_the_result(joint, whole):
    assert result_of(SEARCH.run(joint)) == whole[0]


@pytest.mark.parametrize("breaks", [[1], [2, 1, 1], [7], [3, 8], [11]])
def test_a_continued_run_ends_like_one_without_a_break(joint, whole, tmp_path, breaks):
    path = tmp_path / "search.json"
    for n_generations in breaks:
        with pytest.raises(BrokenOffError):
            SEARCH.run(joint, checkpoint=path, report=break_after(n_generations))
    rest = []
    found = SEARCH.run(joint, checkpoint=path, report=rest.append, n_threads=2)
    assert result_of(found) == whole[0]
    assert rest == whole[1][sum(breaks) :]
    assert path.read_bytes() == whole[2]
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_that_is_over_is_not_repeated(joint, whole, tmp_path):
    path = tmp_path / "search.json"
    path.write_bytes(whole[2])
    assert result_of(SEARCH.run(joint, checkpoint=path, report=break_after(1))) == whole[0]


def test_a_run_continues_after_a_deadline(joint, whole, tmp_path):
    path = tmp_path / "search.json"
    stops = set()
    for _ in range(100):
        found = SEARCH.run(joint, checkpoint=path, max_seconds=30.0, clock=Clock())
        stops.add(found[0].stop)
        if found[0].stop != "deadline":
            break
    assert stops == {"deadline", "evaluations"}
    assert result_of(found) == whole[0]
    assert path.read_bytes() == whole[2]


class Fuse:
    """Naive Bayes that fails after some questions."""

    name = "naive Bayes with a fuse"
    error: type[BaseException] = BrokenOffError
    left = 10**9

    def __init__(self, cells):
        self.naive = NaiveBayesErrors(cells)

    def errors(self, ends):
        Fuse.left -= 1
        if Fuse.left == 0:
            raise Fuse.error
        return self.naive.errors(ends)


@pytest.mark.parametrize("error", [BrokenOffError, KeyboardInterrupt])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_break_within_a_generation_loses_only_that_generation(joint, whole, tmp_path, error, n_threads):
    path = tmp_path / "search.json"
    search = GeneticSearch(rules=RULES, seed=5, classifiers=(Classifier(Fuse, 1), Classifier(TreeErrors, 1)))
    Fuse.error = error
    for left in (5, 70, 33, 10**9):
        Fuse.left = left
        if left < 1000:
            with pytest.raises(error):
                search.run(joint, checkpoint=path, n_threads=n_threads)
        else:
            found = search.run(joint, checkpoint=path, n_threads=n_threads)
    assert result_of(found) == whole[0]


KILLED = """
import os, signal, sys
from cutwise.search import chc
from tests.search.genetic_tables import noisy
from tests.search.test_checkpoint import SEARCH
left = int(sys.argv[2])
chc.SECONDS_BETWEEN_WRITES = {seconds}

def report(progress):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.{signal})

SEARCH.run(noisy(150, 3), checkpoint=sys.argv[1], report=report)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal here")
@pytest.mark.parametrize(("name", "seconds"), [("SIGKILL", 0.0), ("SIGINT", 1000.0)])
def test_a_killed_process_leaves_a_checkpoint(joint, whole, tmp_path, name, seconds):
    path = tmp_path / "search.json"
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)])}
    done = subprocess.run(
        [sys.executable, "-c", KILLED.format(signal=name, seconds=seconds), path, "6"],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -getattr(signal, name), done.stderr
    rest = []
    found = SEARCH.run(joint, checkpoint=path, report=rest.append)
    assert result_of(found) == whole[0]
    assert rest == whole[1][6:]
    assert path.read_bytes() == whole[2]


@pytest.mark.parametrize(
    "search",
    [
        GeneticSearch(0.6, RULES, 5),
        GeneticSearch(rules=RULES, seed=6),
        GeneticSearch(rules=RULES),
        GeneticSearch(rules=GeneticSettings(population=10, max_evaluations=301, min_bits=20), seed=5),
        GeneticSearch(rules=RULES, seed=5, classifiers=(Classifier(NaiveBayesErrors, 1),)),
    ],
)
def test_other_parameters_are_refused(joint, whole, tmp_path, search):
    path = tmp_path / "search.json"
    path.write_bytes(whole[2])
    with pytest.raises(CheckpointError, match=r"search\.json.*another search.*parameters.*delete"):
        search.run(joint, checkpoint=path)
    assert path.read_bytes() == whole[2]


def test_other_data_and_limits_are_refused(joint, whole, tmp_path):
    path = tmp_path / "search.json"
    path.write_bytes(whole[2])
    for other in (noisy(150, 3, seed=1), noisy(149, 3)):
        with pytest.raises(CheckpointError, match="another search"):
            SEARCH.run(other, checkpoint=path)
    with pytest.raises(CheckpointError, match="another search"):
        SEARCH.run(joint, BinLimits(max_bins=4), checkpoint=path)


def test_a_run_without_a_seed_continues_with_its_own(joint, tmp_path):
    path = tmp_path / "search.json"
    search = GeneticSearch(rules=RULES)
    with pytest.raises(BrokenOffError):
        search.run(joint, checkpoint=path, report=break_after(5))
    begun = path.read_bytes()
    results = []
    for _ in range(2):
        path.write_bytes(begun)
        results.append(result_of(search.run(joint, checkpoint=path)))
    assert results[0] == results[1]


def forge(content, change):
    """Return a checkpoint with a right checksum and a wrong state."""
    data = json.loads(content)
    change(data["state"])
    del data["checksum"]
    text = json.dumps(data, separators=(",", ":")) + "\n"
    data["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    return json.dumps(data, separators=(",", ":")).encode()


FORGERIES = {
    "no members": lambda state: state.update(members=[], costs=[]),
    "too many members": lambda state: state.update(members=state["members"] * 2, costs=state["costs"] * 2),
    "short member": lambda state: state["members"].append("00"),
    "no bits": lambda state: state.update(active=""),
    "not hexadecimal": lambda state: state.update(active="x" * len(state["active"])),
    "fewer costs": lambda state: state["costs"].pop(),
    "fewer uses": lambda state: state["usage"].pop(),
    "a text as a number": lambda state: state.update(evaluations="many"),
    "a huge number": lambda state: state["costs"].__setitem__(0, 10**30),
    "a lacking key": lambda state: state.pop("threshold"),
    "no generator": lambda state: state.update(generator=[1]),
    "a negative generator": lambda state: state.update(generator=[-1, 3]),
    "members that are numbers": lambda state: state.update(members=[1, 2]),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_state_is_refused(joint, whole, tmp_path, name):
    path = tmp_path / "search.json"
    path.write_bytes(forge(whole[2], FORGERIES[name]))
    with pytest.raises(CheckpointError, match=r"search\.json.*cannot be read"):
        SEARCH.run(joint, checkpoint=path)


def test_a_forgery_that_changes_nothing_is_read(joint, whole, tmp_path):
    path = tmp_path / "search.json"
    path.write_bytes(forge(whole[2], lambda state: None))
    assert result_of(SEARCH.run(joint, checkpoint=path)) == whole[0]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{}", b"[]", b"null", b"\xff\xfe", b"{" * 1000, b'{"format": "cutwise scheme"}'),
        b'{"format": "cutwise genetic search", "version": 2}',
        b'{"format": "cutwise genetic search", "version": 1, "state": NaN}',
    ],
)
def test_what_is_no_checkpoint_is_refused(joint, tmp_path, content):
    path = tmp_path / "search.json"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"search\.json.*cannot be read.*[Dd]elete it"):
        SEARCH.run(joint, checkpoint=path)


@given(st.data())
def test_any_change_of_a_byte_is_noticed(joint, whole, tmp_path_factory, data):
    content = bytearray(whole[2])
    at = data.draw(st.integers(0, len(content) - 2))
    content[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[at]))
    path = tmp_path_factory.mktemp("changed") / "search.json"
    path.write_bytes(content if data.draw(st.booleans()) else content[:at])
    with pytest.raises(CheckpointError):
        SEARCH.run(joint, checkpoint=path)


def test_a_lacking_folder_is_noticed_at_once(joint, tmp_path):
    with pytest.raises(CheckpointError, match="folder"):
        SEARCH.run(joint, checkpoint=tmp_path / "nowhere" / "search.json")


@pytest.mark.parametrize(
    ("name", "error"),
    list(itertools.product(["fsync", "replace"], [OSError("disk full"), KeyboardInterrupt()])),
)
@pytest.mark.usefixtures("writes")
def test_a_failed_write_leaves_the_last_checkpoint(joint, whole, tmp_path, name, error):
    path = tmp_path / "search.json"
    original = getattr(os, name)
    left = [4]

    def fail_once(*arguments):
        left[0] -= 1
        if left[0] == 0:
            raise error
        return original(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, name, fail_once)
        with pytest.raises(type(error)):
            SEARCH.run(joint, checkpoint=path)
    assert list(tmp_path.iterdir()) == [path]
    assert result_of(SEARCH.run(joint, checkpoint=path)) == whole[0]


def test_few_candidates_need_no_checkpoint(tmp_path):
    path = tmp_path / "search.json"
    joint = joint_of(np.arange(6), [0, 0, 1, 1, 0, 0])
    assert SEARCH.run(joint, checkpoint=path)[0].stop == "optimum"
    assert not path.exists()
