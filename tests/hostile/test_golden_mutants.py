"""Stored files of every format, damaged in all ways: one kind of error each, or a file that is whole (promise 18)."""

from __future__ import annotations

import contextlib
import hashlib
import json
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutwise import CheckpointError, CountsError, ModelError, Scheme, SchemeError
from cutwise.counts.file_format import DIGEST, MAGIC, from_bytes, to_bytes
from cutwise.errors import JournalError
from cutwise.paper.evaluate import Journal
from cutwise.persist import model_from_json
from cutwise.persist.strict import write_json
from cutwise.search.chc import Checkpoint
from tests.golden.stored import files, name_of

# For each of many files.
FEW = settings(max_examples=max(5, settings.default.max_examples // 3))
LARGE = 20_000
NUMBERS = [0, -1, 1, 2, 3, 0.5, -0.0, 1.0, 1e308, -1e308, 5e-324, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**330]
VALUES = st.one_of(
    st.sampled_from([None, True, False, "", "a", "\ud800", "\x00", "os.system", [], {}, [[]], [0], {"a": 1}, *NUMBERS]),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=3),
)


def each(kind):
    return pytest.mark.parametrize("path", files(kind), ids=name_of)


def damaged(draw, content):
    """Return bytes with some changed, inserted, lost or doubled."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(content)))
        junk = draw(st.binary(max_size=3))
        lost = draw(st.integers(0, 20))
        again = draw(st.sampled_from([0, 0, 40]))
        content = content[:at] + junk + content[at + lost - again if at + lost >= again else 0 :]
    return content


def places_in(tree, path=(), most=None):
    """Yield the way to every value of a tree; of long lists to the first ones and the last."""
    items = list(tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ())
    if most is not None and isinstance(tree, list) and len(items) > most:
        items = [*items[: most - 1], items[-1]]
    for key, value in items:
        yield (*path, key)
        yield from places_in(value, (*path, key), most)


def altered(draw, tree):
    """Change a tree in some places: other values, entries that are gone, come twice or change places."""
    for _ in range(draw(st.integers(1, 2))):
        places = list(places_in(tree))
        *way, key = draw(st.sampled_from(places))
        node = tree
        for step in way:
            node = node[step]
        what = draw(st.sampled_from(["put", "put", "put", "drop", "double", "swap"]))
        if what == "put":
            node[key] = draw(VALUES)
        elif what == "drop":
            del node[key]
        elif what == "double" and isinstance(node, list):
            node.insert(key, node[key])
        elif what == "double":
            node[f"{key}_"] = node[key]
        else:
            other = draw(st.sampled_from(list(node) if isinstance(node, dict) else range(len(node))))
            node[key], node[other] = node[other], node[key]
        if not list(places_in(tree)):
            break
    return tree


def text_of(tree):
    return json.dumps(tree, ensure_ascii=True).encode()


def check_scheme(content):
    with contextlib.suppress(SchemeError):
        scheme = Scheme.from_json(content)
        assert Scheme.from_json(scheme.to_json()) == scheme


def check_model(content):
    with contextlib.suppress(ModelError):
        text = model_from_json(content).to_json()
        assert model_from_json(text).to_json() == text


def check_counts(content):
    with contextlib.suppress(CountsError):
        written = to_bytes(from_bytes(content))
        assert to_bytes(from_bytes(written)) == written


JSON = [("schemes", check_scheme), ("models", check_model)]
JSON = [(path, check) for kind, check in JSON for path in files(kind)]
each_json = pytest.mark.parametrize(
    ("path", "check"), JSON, ids=lambda item: name_of(item) if hasattr(item, "stem") else ""
)


@each_json
@FEW
@given(data=st.data())
def test_damaged_json(path, check, data):
    check(damaged(data.draw, path.read_bytes()))


@each_json
@FEW
@given(data=st.data())
def test_altered_json(path, check, data):
    check(text_of(altered(data.draw, json.loads(path.read_text()))))


@each_json
def test_numbers_of_the_other_kind_are_refused_or_written_alike(path, check):
    """A whole number as a double or a double as a whole number: never two texts of one object."""
    read = Scheme.from_json if check is check_scheme else model_from_json
    tree = json.loads(path.read_text())
    # The entries of a list are read alike; every change means reading the whole file again.
    most = 8 if path.stat().st_size < LARGE else 2
    for *way, key in list(places_in(tree, most=most)):
        node = tree
        for step in way:
            node = node[step]
        old = node[key]
        if isinstance(old, bool) or not isinstance(old, int | float) or abs(old) > 2**53 or old != int(old):
            continue
        node[key] = int(old) if isinstance(old, float) else float(old)
        with contextlib.suppress(SchemeError, ModelError):
            text = read(text_of(tree)).to_json()
            assert read(text).to_json() == text
            if json.loads(text) == json.loads(path.read_text()) and not is_parameter(way):
                assert text.encode() == path.read_bytes(), (*way, key)
        node[key] = old


def is_parameter(way):
    """Whether a value is what a person gave, which is kept as it was given."""
    return "parameters" in way


@each("counts")
@FEW
@given(data=st.data(), is_signed=st.booleans())
def test_damaged_counts(path, data, is_signed):
    content = path.read_bytes()
    body = damaged(data.draw, content[:-DIGEST])
    check_counts(body + (hashlib.sha256(body).digest() if is_signed else content[-DIGEST:]))


@each("counts")
@FEW
@given(data=st.data())
def test_altered_headers_of_counts(path, data):
    content = path.read_bytes()
    end = content.index(b"\n", len(MAGIC))
    header = altered(data.draw, json.loads(content[len(MAGIC) : end]))
    body = MAGIC + text_of(header) + content[end:-DIGEST]
    check_counts(body + hashlib.sha256(body).digest())


def checked_load(path, content):
    """Load a checkpoint as the search that it claims to be of."""
    path.write_bytes(content)
    try:
        tree = json.loads(content)
        mark, state = tree["search"], tree["state"]
        n_bits, population = len(state["usage"]), max(len(state["costs"]), 1)
    except (ValueError, TypeError, KeyError, RecursionError):
        mark, n_bits, population = "", 1, 1
    with contextlib.suppress(CheckpointError):
        found = Checkpoint(path, mark, n_bits, population).load()
        assert found.members.shape == (found.costs.size, n_bits)
        assert np.isfinite(found.threshold)


@each("checkpoints")
@given(data=st.data())
def test_damaged_checkpoints(path, data, tmp_path):
    checked_load(tmp_path / "search.json", damaged(data.draw, path.read_bytes()))


@each("checkpoints")
@given(data=st.data())
def test_altered_and_signed_checkpoints(path, data, tmp_path):
    tree = json.loads(path.read_text())
    del tree["checksum"]
    tree = altered(data.draw, tree)
    try:
        body = write_json(tree)
    except ValueError:
        return
    digest = hashlib.sha256(body.encode()).hexdigest()
    checked_load(tmp_path / "search.json", f'{body[:-2]},"checksum":"{digest}"}}\n'.encode())


@pytest.mark.parametrize("path", [path for path in files("journals") if path.suffix == ".journal"], ids=name_of)
@given(data=st.data(), is_signed=st.booleans())
def test_damaged_journals(path, data, is_signed, tmp_path):
    lines = [line.rsplit(b" ", 1)[0] for line in path.read_bytes().splitlines()]
    at = data.draw(st.integers(0, len(lines) - 1))
    if data.draw(st.booleans()):
        lines[at] = damaged(data.draw, lines[at])
    else:
        lines[at] = text_of(altered(data.draw, json.loads(lines[at])))
    signed = [b"%s %08x\n" % (line, zlib.crc32(line) if is_signed else 1) for line in lines]
    copy = tmp_path / "run.journal"
    copy.write_bytes(b"".join(signed))
    with contextlib.suppress(JournalError):
        results = Journal.read(copy)
        again = tmp_path / "again.journal"
        again.unlink(missing_ok=True)
        with Journal(again) as journal:
            for result in results:
                journal.append(result)
        assert Journal.read(again) == results
