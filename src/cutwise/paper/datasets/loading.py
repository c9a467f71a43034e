"""A data set from its file: hash first, then form, then counts."""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from cutwise.errors import DatasetError, DatasetWarning, FormatError
from cutwise.paper.datasets.catalogue import paper_catalogue
from cutwise.paper.datasets.files import MAX_BYTES, differences, read_table
from cutwise.persist.strict import as_object, as_text, check_head, parse_json, require, write_json
from cutwise.table.frames import choose_library, make_frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cutwise.paper.datasets.catalogue import Catalogue, DatasetDescription
    from cutwise.paper.datasets.files import DatasetRows

Match = Literal["exact", "same rows", "other rows"]
MATCHES: tuple[Match, ...] = get_args(Match)
FORMAT = "cutwise fetched data set"
VERSION = 1
MAX_RECORD_BYTES = 1 << 16


@dataclass(frozen=True)
class FetchRecord:
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


def read_record(file: Path) -> FetchRecord | None:
    """Return the note of a file, None if it has none."""
    path = record_path(file)
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_RECORD_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DatasetError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from None
    try:
        return _record(parse_json(content[:MAX_RECORD_BYTES]))
    except FormatError as error:
        message = f"The file {str(path)!r} is damaged: {error} Delete it and {str(file)!r}, and fetch the set again."
        raise DatasetError(message) from None


def _record(data: object) -> FetchRecord:
    check_head(data, FORMAT, VERSION, "note of a fetched file")
    names = [item.name for item in fields(FetchRecord)]
    found = as_object(data, ("format", "version", *names), "The note")
    values: dict[str, Any] = {name: as_text(found[name], f"{name!r}") for name in names}
    require(values["match"] in MATCHES, f"'match' must be one of {', '.join(MATCHES)}, not {values['match']!r}.")
    return FetchRecord(**values)


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set in memory.

    Parameters
    ----------
    name : str
        The paper's name.
    X : table
        The attributes: numeric columns as doubles, nominal ones as strings.
    y : ndarray of str
        The class of each row, a string even where it looks like a number.
    nominal : tuple of str
        The nominal columns.
    about : DatasetDescription
        What is known of the set.
    sha256 : str
        SHA-256 of the file that was read.
    match : {"exact", "same rows", "other rows"}
        Whether the file is the paper's; see `load`.
    """

    name: str
    X: Any
    y: NDArray[np.str_]
    nominal: tuple[str, ...]
    about: DatasetDescription
    sha256: str
    match: Match


@dataclass(frozen=True)
class CheckedFile:
    """A file that was read and found right.

    Parameters
    ----------
    table : DatasetRows
    sha256 : str
    match : {"exact", "same rows", "other rows"}
    difference : str
        How it differs from the paper's file; empty if it does not.
    """

    table: DatasetRows
    sha256: str
    match: Match
    difference: str


def load(
    name: str,
    frame: str | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    catalogue: Catalogue | None = None,
) -> Dataset:
    """Load a data set of the paper from the local folder; the network is not used.

    A file is taken if its SHA-256 is the catalogue's, or if `fetch` wrote it and noted how it
    differs from the paper's. In the second case a DatasetWarning tells the difference.

    Parameters
    ----------
    name : str
        The paper's name, or another spelling of it; `names` lists them.
    frame : {"pandas", "polars", "pyarrow"}, optional
        The library of the table; by default the first of them that is installed.
    folder : path, optional
        Where the files are; by default `cutwise.paper.datasets.folder()`.
    catalogue : Catalogue, optional
        What is known of the sets; by default the paper's 45.

    Returns
    -------
    Dataset

    Raises
    ------
    DatasetError
        If the set is unknown, or its file is absent, damaged or not the one that is known.

    Examples
    --------
    >>> from cutwise.paper.datasets import load
    >>> iris = load("iris")                  # doctest: +SKIP
    >>> iris.X.shape, iris.y[0], iris.match  # doctest: +SKIP
    ((150, 4), np.str_('Iris-setosa'), 'exact')
    """
    about = (catalogue or paper_catalogue()).describe(name)
    library = choose_library(frame)
    checked = read_checked(about, data_folder() if folder is None else Path(folder))
    if checked.match != "exact":
        message = f"The data set {about.name!r} is not quite the paper's: {checked.difference}."
        warnings.warn(message, DatasetWarning, stacklevel=2)
    columns = {column: checked.table.column(j) for j, column in enumerate(about.columns)}
    return Dataset(
        name=about.name,
        X=make_frame(columns, about.nominal, library),
        y=np.array(checked.table.classes(), dtype=np.str_),
        nominal=about.nominal,
        about=about,
        sha256=checked.sha256,
        match=checked.match,
    )


def read_checked(about: DatasetDescription, folder: Path) -> CheckedFile:
    """Return the content of a set's file, or raise a DatasetError that says what is wrong."""
    path = folder / about.file
    content = _read_bytes(path, about)
    sha256 = hashlib.sha256(content).hexdigest()
    if sha256 == about.sha256:
        table = read_table(content, about, str(path))
        wrong = differences(table, about)
        if wrong:
            message = f"The file {str(path)!r} has the right SHA-256, but {', '.join(wrong)}: the catalogue is wrong."
            raise DatasetError(message)
        return CheckedFile(table, sha256, "exact", "")
    record = read_record(path)
    if record is None or record.name != about.name or record.sha256 != sha256:
        raise DatasetError(
            f"The file {str(path)!r} is not the one that is known: its SHA-256 is {sha256}, "
            f"not {about.sha256}. Delete it and fetch the set again: cutwise.paper.datasets.fetch({about.name!r})."
        )
    return CheckedFile(read_table(content, about, str(path)), sha256, record.match, record.difference)


def _read_bytes(path: Path, about: DatasetDescription) -> bytes:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        where = "the file" if path.parent.is_dir() else "its folder"
        raise DatasetError(
            f"The data set {about.name!r} is not at {str(path)!r}: {where} does not exist. "
            f"Fetch it: cutwise.paper.datasets.fetch({about.name!r}); or set CUTWISE_DATA to the folder that has it."
        ) from None
    except OSError as error:
        raise DatasetError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from None
    if len(content) > MAX_BYTES:
        message = f"The file {str(path)!r} is larger than {MAX_BYTES:,} bytes. Delete it and fetch the set again."
        raise DatasetError(message)
    return content


def check_present(names: Iterable[str]) -> None:
    """Raise DatasetError if the file of a set is not in the local folder; what it holds is not looked at."""
    folder = data_folder()
    absent = [name for name in names if not (folder / paper_catalogue().describe(name).file).exists()]
    if absent:
        more = f" and {len(absent) - 1} more are" if len(absent) > 1 else " is"
        raise DatasetError(
            f"The data set {absent[0]!r}{more} not in {str(folder)!r}. Fetch what is missing with "
            "cutwise.paper.datasets.fetch, or set CUTWISE_DATA to the folder that has it."
        )


VARIABLE = "CUTWISE_DATA"


def data_folder() -> Path:
    """Return the folder of the data sets.

    It is the one that the environment variable ``CUTWISE_DATA`` names, else a folder in the
    user's cache. It need not exist.
    """
    named = os.environ.get(VARIABLE)
    return Path(named) if named else user_cache(sys.platform) / "cutwise" / "datasets"


def user_cache(platform: str) -> Path:
    """Return the folder where the platform wants caches: ``sys.platform`` names it."""
    if platform == "win32":
        return _from_environment("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return _from_environment("XDG_CACHE_HOME") or Path.home() / ".cache"


def _from_environment(variable: str) -> Path | None:
    """Return the folder that a variable names; relative ones do not count, as XDG demands."""
    path = Path(os.environ.get(variable, ""))
    return path if path.is_absolute() else None
