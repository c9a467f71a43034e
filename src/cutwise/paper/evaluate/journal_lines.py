"""The lines of a journal: canonical JSON with a checksum behind it.

The first line is the header, with the protocol that all results follow. A line that opens a
session tells the versions of the libraries; results name their session. A line whose checksum
is wrong is damaged and never used.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from cutwise.errors import JournalError
from cutwise.paper.evaluate.cells import CellResult, ResultCell
from cutwise.persist.strict import as_dict, as_list, as_number, as_text, in_short, require

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

FORMAT = "cutwise journal"
VERSION = 1
MAX_LINE = 1 << 16
MAX_BYTES = 1 << 29
MAX_ERROR = 500
_NUMBERS = ("n_rows", "n_cuts")
# A first line that begins otherwise is none of ours, whole or torn.
_BEGIN = f'{{"format":"{FORMAT}","'.encode()


@dataclass
class JournalContent:
    """What a journal holds.

    Parameters
    ----------
    protocol : dict
        What all results have in common; None if the journal is empty.
    sessions : dict
        The versions of the libraries by the session's number.
    results : dict
        The last result of each cell, and the number of its session.
    damaged : list of int
        The numbers of the lines that were skipped, from 1.
    n_torn : int
        Lines behind the last whole one: what a break in the midst of writing leaves.
    size : int
        The bytes up to the end of the last whole line.
    """

    protocol: dict[str, Any] | None = None
    sessions: dict[int, dict[str, str]] = field(default_factory=dict)
    results: dict[ResultCell, tuple[CellResult, int]] = field(default_factory=dict)
    damaged: list[int] = field(default_factory=list)
    n_torn: int = 0
    size: int = 0

    @property
    def next_session(self) -> int:
        """The smallest number that no line names."""
        return 1 + max([0, *self.sessions, *(session for _, session in self.results.values())])


def header_line(protocol: Mapping[str, Any]) -> bytes:
    """Return the first line of a journal."""
    return _line({"format": FORMAT, "protocol": dict(protocol), "version": VERSION})


def session_line(session: int, versions: Mapping[str, str]) -> bytes:
    """Return the line that opens a session."""
    return _line({"session": session, "versions": dict(versions)})


def result_line(result: CellResult, session: int) -> bytes:
    """Return the line of a result; figures of a failed cell are left out."""
    try:
        data = _plain(result) | {"session": session}
        _result(data)
        return _line(data)
    except (TypeError, ValueError, OverflowError) as error:
        raise JournalError(f"The result of {result.cell} cannot be kept: {str(error).rstrip('.')}.") from error


def one_line(text: str) -> str:
    """Return a string as one line that is not too long."""
    joined = " ".join(text.split()) or "no reason is known"
    return joined if len(joined) <= MAX_ERROR else joined[: MAX_ERROR - 1] + "…"


def read_lines(file: BinaryIO, name: str) -> JournalContent:
    """Read a journal, whole or with a torn end.

    Parameters
    ----------
    file : binary file
    name : str
        What errors call it.

    Raises
    ------
    JournalError
        If this is no journal, or if a whole line breaks the rules of the format.
    """
    content = JournalContent()
    unread: list[int] = []
    size = 0
    for number, line in enumerate(_lines(file), start=1):
        size += len(line)
        if size > MAX_BYTES:
            raise JournalError(f"The journal {name} has more than {MAX_BYTES} bytes. Split it into several.")
        data = _whole(line)
        if number == 1 and not _is_header(line, data, name):
            content.n_torn = 1
            return content
        if data is None:
            unread.append(number)
            continue
        try:
            _take(data, content)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            reason = str(error).rstrip(".")
            message = f"Line {number} of the journal {name} is not understood: {reason}. Restore the file from a copy."
            raise JournalError(message) from error
        content.size = size
        content.damaged += unread
        unread.clear()
    content.n_torn = len(unread)
    return content


def _lines(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.readline(MAX_LINE), b"")


def _plain(result: CellResult) -> dict[str, Any]:
    cell = result.cell
    data: dict[str, Any] = {
        "cell": [cell.dataset, cell.discretizer, cell.classifier, int(cell.repeat), int(cell.fold)],
        "seconds": float(result.seconds),
    }
    if result.error:
        return data | {"error": one_line(result.error)}
    numbers: dict[str, float] = {name: int(getattr(result, name)) for name in _NUMBERS}
    whole = int(result.n_correct)
    numbers["n_correct"] = whole if whole == result.n_correct else float(result.n_correct)
    return data | numbers | {"log_loss": float(result.log_loss)}


def _line(data: dict[str, Any]) -> bytes:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
    if len(text) > MAX_LINE - 10:
        raise ValueError(f"a line has {len(text)} bytes, the limit is {MAX_LINE - 10}")
    return b"%s %08x\n" % (text, zlib.crc32(text))


def _whole(line: bytes) -> Any:
    """Return what a line holds; None if it is damaged."""
    text, space, checksum = line.rpartition(b" ")
    if not space or checksum != b"%08x\n" % zlib.crc32(text):
        return None
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(token: str) -> NoReturn:
    raise ValueError(f"{token} is no number")


def _is_header(line: bytes, data: Any, name: str) -> bool:
    """Return whether the first line is whole; False if it is a torn header."""
    if isinstance(data, dict) and data.get("format") == FORMAT:
        if data.get("version") == VERSION:
            return True
        message = f"The journal {name} has the format {data.get('version')!r}, not {VERSION}. Use a newer cutwise."
        raise JournalError(message)
    if data is None and not line.endswith(b"\n") and line[: len(_BEGIN)] == _BEGIN[: len(line)]:
        return False
    begins = "is damaged in its first line" if line.startswith(_BEGIN) else "is no journal of cutwise"
    raise JournalError(f"The file {name} {begins}. Restore it from a copy, or name another file.")


def _take(data: Any, content: JournalContent) -> None:
    """Enter a whole line."""
    line = as_dict(data, "it")
    if content.protocol is None:
        content.protocol = as_dict(line["protocol"], "protocol")
    elif "cell" in line:
        result = _result(line)
        content.results[result.cell] = result, _count(line["session"], "session")
    else:
        versions = as_dict(line["versions"], "versions")
        content.sessions[_count(line["session"], "session")] = {
            name: as_text(version, "version") for name, version in versions.items()
        }


def _result(data: dict[str, Any]) -> CellResult:
    names_and_numbers = as_list(data["cell"], "cell")
    names: list[Any] = [as_text(name, "name") for name in names_and_numbers[:3]]
    cell = ResultCell(*names, *(_count(number, "repeat or fold") for number in names_and_numbers[3:]))
    seconds = as_number(data["seconds"], "seconds")
    if "error" in data:
        return CellResult(cell, error=one_line(as_text(data["error"], "error")), seconds=seconds)
    n_rows, n_cuts = (_count(data[name], name) for name in _NUMBERS)
    n_correct: float = data["n_correct"]
    if type(n_correct) is not int:
        n_correct = as_number(n_correct, "n_correct")
    require(0 <= n_correct <= n_rows and n_rows > 0, f"{n_correct} of {n_rows} rows are right.")
    return CellResult(cell, n_rows, n_correct, as_number(data["log_loss"], "log_loss"), n_cuts, seconds)


def _count(value: Any, name: str) -> int:
    require(type(value) is int and value >= 0, f"{name} must be a whole number from 0 on, not {in_short(value)}.")
    return int(value)
