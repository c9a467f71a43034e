"""The two services that offer the sets: OpenML and the UCI repository."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cutwise.errors import DatasetError, FormatError, TableError
from cutwise.paper.datasets.download import DownloadLimits, download
from cutwise.paper.datasets.files import RawTable, read_csv
from cutwise.persist.strict import parse_json
from cutwise.table.reading.arff import parse_arff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cutwise.paper.datasets.catalogue import DatasetDescription

    Progress = Callable[[int, int | None], None]
    Get = Callable[[], RawTable]


OPENML = "https://www.openml.org"
UCI = "https://archive.ics.uci.edu"
MAX_DESCRIPTION_BYTES = 1 << 22


@dataclass(frozen=True)
class DataServices:
    """Where the services are and how patiently they are asked.

    Parameters
    ----------
    openml, uci : str
        The first part of their addresses; empty for a service that is not to be asked.
    limits : Limits
    """

    openml: str = OPENML
    uci: str = UCI
    limits: DownloadLimits = field(default_factory=DownloadLimits)

    def offers(self, about: DatasetDescription, progress: Progress | None = None) -> Iterator[tuple[str, Get]]:
        """Yield the address of each copy of a set, and a function that gets it."""
        if about.openml is not None and self.openml:
            where = f"{self.openml}/api/v1/json/data/{about.openml}"
            yield where, lambda: openml_table(where, self.limits, progress)
        if about.uci is not None and self.uci:
            place = f"{self.uci}/api/dataset?id={about.uci}"
            yield (
                place,
                lambda: uci_table(place, f"{self.uci}/static/public/{about.uci}/data.csv", self.limits, progress),
            )


def openml_table(url: str, limits: DownloadLimits, progress: Progress | None = None) -> RawTable:
    """Return the table that an OpenML description leads to."""
    facts = _facts(url, limits, "data_set_description")
    file, md5 = facts.get("url"), facts.get("md5_checksum")
    if not isinstance(file, str) or not isinstance(md5, str) or not md5:
        message = f"{url} names no file with a checksum."
        raise DatasetError(message)
    if str(facts.get("format", "")).lower() != "arff":
        message = f"{url} offers the format {str(facts.get('format'))[:40]!r}; only ARFF is read."
        raise DatasetError(message)
    if urlsplit(url).scheme == "https" and file.startswith("http://"):
        file = f"https://{file.removeprefix('http://')}"
    table = read_arff(download(file, limits, md5, progress))
    target = facts.get("default_target_attribute")
    unused = (*_listed(facts.get("row_id_attribute")), *_listed(facts.get("ignore_attribute")))
    return replace(table, target=target if target in table.columns else "", unused=unused)


def uci_table(url: str, file: str, limits: DownloadLimits, progress: Progress | None = None) -> RawTable:
    """Return the table that a description of UCI leads to.

    Parameters
    ----------
    url : str
        The address of the description, which tells the part that each column plays.
    file : str
        The address of the table, used if the description names none.
    limits : Limits
    progress : callable, optional
    """
    facts = _facts(url, limits, "data")
    variables = facts.get("variables")
    if not isinstance(variables, list) or not all(isinstance(item, dict) for item in variables):
        message = f"{url} does not list the columns."
        raise DatasetError(message)
    named = facts.get("data_url")
    table = read_csv(download(named if isinstance(named, str) and named else file, limits, progress=progress))
    targets = [str(item.get("name")) for item in variables if item.get("role") == "Target"]
    unused = tuple(str(item.get("name")) for item in variables if item.get("role") == "ID")
    return replace(table, target=targets[0] if len(targets) == 1 else "", unused=unused)


def _facts(url: str, limits: DownloadLimits, key: str) -> dict[str, Any]:
    content = download(url, replace(limits, max_bytes=min(limits.max_bytes, MAX_DESCRIPTION_BYTES)))
    try:
        data = parse_json(content)
    except FormatError as error:
        message = f"{url} does not answer with proper JSON: {error}"
        raise DatasetError(message) from None
    facts = data.get(key) if isinstance(data, dict) else None
    if not isinstance(facts, dict):
        message = f"{url} does not answer with {key!r}."
        raise DatasetError(message)
    return facts


def _listed(names: object) -> tuple[str, ...]:
    """Return names that OpenML gives as a text (with commas between them) or as a list."""
    items = names.split(",") if isinstance(names, str) else names if isinstance(names, list) else []
    return tuple(str(item).strip() for item in items)


def read_arff(content: bytes) -> RawTable:
    """Return the table that an ARFF file holds."""
    try:
        table = parse_arff(content)
    except TableError as error:
        raise DatasetError(str(error)) from None
    return RawTable(tuple(attribute.name for attribute in table.attributes), table.rows)
