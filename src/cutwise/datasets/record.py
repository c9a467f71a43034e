"""What is noted beside a fetched file: whence it came, and how it differs from the paper's."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Literal, get_args

from cutwise.errors import DatasetError, SchemeError
from cutwise.scheme.json_format import parse_json, write_json

if TYPE_CHECKING:
    from pathlib import Path

Match = Literal["exact", "same rows", "other rows"]
MATCHES: tuple[Match, ...] = get_args(Match)
FORMAT = "cutwise fetched data set"
VERSION = 1
MAX_BYTES = 1 << 16


@dataclass(frozen=True)
class Record:
    """The note beside a fetched file.

    Parameters
    ----------
    name : str
        The data set.
    sha256 : str
        SHA-256 of the file.
    match : {"exact", "same rows", "other rows"}
        Whether the file has the values of the paper's, its rows in another order, or other
        rows.
    difference : str
        How it differs; empty if it does not.
    source : str
        The address of the download.
    """

    name: str
    sha256: str
    match: Match
    difference: str
    source: str

    def to_bytes(self) -> bytes:
        """Return the note as JSON."""
        return write_json({"format": FORMAT, "version": VERSION, **asdict(self)}).encode("ascii")


def record_path(file: Path) -> Path:
    """Return where the note of a file is."""
    return file.with_suffix(".fetched.json")


def read_record(file: Path) -> Record | None:
    """Return the note of a file, None if it has none."""
    path = record_path(file)
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"The file {str(path)!r} cannot be read: {error.strerror}."
        raise DatasetError(message) from None
    try:
        return _record(parse_json(content[:MAX_BYTES]))
    except (SchemeError, KeyError, TypeError, AttributeError) as error:
        message = f"The file {str(path)!r} is damaged: {error}. Delete it and {str(file)!r}, and fetch the set again."
        raise DatasetError(message) from None


def _record(data: object) -> Record | None:
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        message = "it is not such a note of version 1"
        raise TypeError(message)
    values = {item.name: data[item.name] for item in fields(Record)}
    if not all(isinstance(value, str) for value in values.values()) or values["match"] not in MATCHES:
        message = "a value is of the wrong kind"
        raise TypeError(message)
    return Record(**values)
