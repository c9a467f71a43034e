"""A damaged journal gives an error or what is whole of it (promises 18 and 23)."""

from __future__ import annotations

import gzip
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise.errors import JournalError
from cutwise.paper.evaluate import CellResult, Journal, journal_lines
from cutwise.paper.evaluate.journal import notes_of, read_content
from tests.paper.evaluate.journals import FIVE, PROTOCOL, result_of, signed, sorted_by_cell


def test_a_journal_cut_anywhere_loses_only_the_torn_line(path, whole, quick):
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        n_whole = max(sum(end <= size for end in ends) - 2, 0)
        assert Journal.read(path) == sorted_by_cell(FIVE[:n_whole])
        with Journal(path, PROTOCOL) as journal:
            assert bool(journal.notes) == (size not in {0, *ends})
            for result in FIVE[n_whole:]:
                journal.append(result)
        assert Journal.read(path) == sorted_by_cell(FIVE)
        assert not read_content(path).damaged
        assert len(path.read_bytes()) <= len(whole) + 250


def test_a_torn_line_is_said_once(path, whole):
    path.write_bytes(whole[:-5])
    with Journal(path, PROTOCOL) as journal:
        assert journal.notes == ["1 torn line at the end dropped."]
    with Journal(path, PROTOCOL) as journal:
        assert journal.notes == []


@pytest.mark.parametrize("mask", [1, 255])
def test_a_wrong_byte_never_changes_a_result(path, whole, mask):
    header = whole.index(b"\n") + 1
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ mask]) + whole[at + 1 :])
        if at < header:
            with pytest.raises(JournalError):
                Journal.read(path)
        else:
            left = Journal.read(path)
            assert set(left) < set(FIVE) or (len(left) == 5 and len(read_content(path).sessions) == 0)
            assert notes_of(read_content(path))


def test_damage_in_the_midst_is_left_and_measured_again(path, whole):
    lines = whole.splitlines(keepends=True)
    lines[3] = lines[3].replace(b"n_correct", b"n_covrect")
    path.write_bytes(b"".join(lines))
    with Journal(path, PROTOCOL) as journal:
        assert journal.notes == ["1 damaged line not used: 4."]
        assert result_of(1).cell not in journal.results
        journal.append(result_of(1))
    assert path.read_bytes().startswith(b"".join(lines))
    assert Journal.read(path) == sorted_by_cell(FIVE)


def test_zeros_after_a_loss_of_power_are_cut_off(path, whole):
    path.write_bytes(whole + bytes(200_000))
    with Journal(path, PROTOCOL) as journal:
        assert journal.results.keys() == {result.cell for result in FIVE}
    assert path.read_bytes() == whole


@given(content=st.one_of(st.binary(), st.text().map(str.encode), st.binary().map(lambda rest: b'{"format":' + rest)))
def test_files_of_others_are_refused_and_not_touched(content, tmp_path_factory):
    path = tmp_path_factory.mktemp("other") / "notes.txt"
    path.write_bytes(content)
    if b'{"format":"cutwise journal","'.startswith(content):
        return
    with pytest.raises(JournalError, match="is no journal of cutwise"):
        Journal(path, PROTOCOL)
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


@given(rest=st.lists(st.one_of(st.binary(), st.binary().map(signed), st.sampled_from(FIVE))))
def test_hostile_bytes_give_an_error_or_what_was_kept(rest, whole, tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "a.journal"
    start = whole[: whole.index(b"\n") + 1]
    parts = [journal_lines.result_line(part, 1) if isinstance(part, CellResult) else part for part in rest]
    path.write_bytes(start + b"".join(parts))
    try:
        assert set(Journal.read(path)) <= set(FIVE)
    except JournalError as error:
        assert "is not understood" in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    "text",
    [
        b"[]",
        b"3",
        b"{}",
        b'{"session":1}',
        b'{"session":true,"versions":{}}',
        b'{"session":1,"versions":{"numpy":2}}',
        b'{"session":1,"versions":[]}',
        b'{"cell":["a","b","c",0,0],"session":1}',
        b'{"cell":["a","b","c",0],"error":"x","seconds":1,"session":1}',
        b'{"cell":["a","b","c",0,0,0],"error":"x","seconds":1,"session":1}',
        b'{"cell":["a","b",["c"],0,0],"error":"x","seconds":1,"session":1}',
        b'{"cell":["a","b","c",0,0],"error":"x","seconds":1,"session":-1}',
        b'{"cell":["a","b","c",0,0],"error":[],"seconds":1,"session":1}',
        b'{"cell":["a","b","c",0,0],"error":"x","seconds":1e999,"session":1}',
        b'{"cell":["a","b","c",0,0],"error":"x","seconds":1' + b"0" * 400 + b',"session":1}',
        b'{"cell":["a","b","c",0,0],"n_rows":0,"n_correct":0,"n_cuts":0,"log_loss":0,"seconds":1,"session":1}',
        b'{"cell":["a","b","c",0,0],"n_rows":1,"n_correct":2,"n_cuts":0,"log_loss":0,"seconds":1,"session":1}',
    ],
)
def test_signed_nonsense_names_the_line(path, whole, text):
    path.write_bytes(whole + signed(text))
    with pytest.raises(JournalError, match=r"Line 8 of the journal .* is not understood: .*Restore the file"):
        Journal.read(path)


@pytest.mark.parametrize("text", [b"[" * 30_000, b"NaN", b"1" * 5000, b"\xff", b'{"a":'])
def test_signed_text_that_is_no_json_is_damage(path, whole, text):
    path.write_bytes(whole + signed(text) + signed(b'{"session":2,"versions":{}}'))
    assert read_content(path).damaged == [8]


def test_a_later_format_is_refused(path):
    path.write_bytes(signed(b'{"format":"cutwise journal","protocol":{},"version":2}'))
    with pytest.raises(JournalError, match=r"has the format 2, not 1\. Use a newer cutwise"):
        Journal(path)


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_damage_of_a_compressed_journal_is_one_kind_of_error(tmp_path, whole, suffix, compress):
    squeezed = compress(whole)
    path = tmp_path / f"a.journal{suffix}"
    path.write_bytes(squeezed)
    assert Journal.read(path) == sorted_by_cell(FIVE)
    places = [(at, mask) for at in range(len(squeezed)) for mask in (1, 255)]
    mutants = [squeezed[:at] + bytes([squeezed[at] ^ mask]) + squeezed[at + 1 :] for at, mask in places]
    mutants += [squeezed[:at] for at in range(0, len(squeezed), 7)]
    n_refused = 0
    for mutant in mutants:
        path.write_bytes(mutant)
        try:
            Journal.read(path)
        except JournalError:
            n_refused += 1
    assert n_refused > len(mutants) // 2
