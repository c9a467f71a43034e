"""A data set from a service into the local folder: as a whole, or not at all."""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cutwise.errors import DatasetError
from cutwise.files import write_whole
from cutwise.paper.datasets import places
from cutwise.paper.datasets.catalogue import paper_catalogue
from cutwise.paper.datasets.derive import derive, judge
from cutwise.paper.datasets.files import write_table
from cutwise.paper.datasets.loading import FetchRecord, read_checked, record_path
from cutwise.paper.datasets.services import DataServices

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from cutwise.paper.datasets.catalogue import Catalogue, DatasetDescription
    from cutwise.paper.datasets.loading import Match

__all__ = ["DataServices", "FetchResult", "fetch"]


@dataclass(frozen=True)
class FetchResult:
    """What came of fetching a set.

    Parameters
    ----------
    name : str
        The data set.
    path : Path
        Its file.
    match : {"exact", "same rows", "other rows"}
        Whether the file has the values of the paper's, its rows in another order, or other
        rows.
    difference : str
        How it differs; empty if it does not.
    source : str
        Where it came from; empty if it was there already.
    """

    name: str
    path: Path
    match: Match
    difference: str
    source: str


def fetch(
    name: str,
    into: str | os.PathLike[str] | None = None,
    *,
    services: DataServices | None = None,
    catalogue: Catalogue | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> FetchResult:
    """Fetch a data set from OpenML or UCI into the local folder.

    The table of the service is brought into the form of the paper's file by the rules of the
    catalogue. OpenML is asked first; UCI if that fails or gives other rows than the paper's.
    A note beside the file tells where it came from and how it differs. A set that is there
    and right is left alone. If anything fails, nothing is left behind.

    Parameters
    ----------
    name : str
        The paper's name, or another spelling of it.
    into : path, optional
        The folder; by default `cutwise.paper.datasets.folder()`. It is made if need be.
    services : Services, optional
        The addresses of the services, timeouts and limits.
    catalogue : Catalogue, optional
        What is known of the sets; by default the paper's 45.
    progress : callable, optional
        Called with the bytes so far and in all (None if unknown).

    Returns
    -------
    Fetched

    Raises
    ------
    DatasetError
        If no service gives a table that fits, or the folder cannot be written.
    """
    about = (catalogue or paper_catalogue()).describe(name)
    folder = places.folder() if into is None else Path(into)
    path = folder / about.file
    if path.exists():
        there = read_checked(about, folder)
        return FetchResult(about.name, path, there.match, there.difference, source="")
    content, record = _best_copy(about, services or DataServices(), progress)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_both(path, content, record)
    except OSError as error:
        message = f"The data set {about.name!r} cannot be written to {str(folder)!r}: {error.strerror or error}."
        raise DatasetError(message) from None
    return FetchResult(about.name, path, record.match, record.difference, record.source)


def _best_copy(
    about: DatasetDescription, services: DataServices, progress: Callable[[int, int | None], None] | None
) -> tuple[bytes, FetchRecord]:
    """Return the first copy that has the paper's rows, else the first that fits at all."""
    usable: list[tuple[bytes, FetchRecord]] = []
    problems = []
    for source, get in services.offers(about, progress):
        try:
            table, remarks = derive(get(), about)
            content = write_table(table)
        except DatasetError as error:
            problems.append(str(error))
            continue
        match, difference = judge(table, about, remarks)
        copy = (content, FetchRecord(about.name, hashlib.sha256(content).hexdigest(), match, difference, source))
        if match != "other rows":
            return copy
        usable.append(copy)
    if usable:
        return usable[0]
    message = f"The data set {about.name!r} cannot be fetched. {' '.join(problems) or 'No service offers it.'}"
    raise DatasetError(message)


def _write_both(path: Path, content: bytes, record: FetchRecord) -> None:
    """Write the note and then the file; a set without its file is not there."""
    note = record_path(path)
    try:
        write_whole(note, record.to_bytes())
        write_whole(path, content)
    except BaseException:
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
        raise
