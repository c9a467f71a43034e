"""The two services that offer the sets, OpenML and UCI; files come whole, of bounded size, in bounded time.

Only http and https. A redirect may not lead from https to http, a compressed answer is not
taken, and an answer must say how long it is unless a checksum is known.
"""

from __future__ import annotations

import hashlib
import http.client
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from cutwise.errors import DatasetError, FormatError, TableError
from cutwise.paper.datasets.files import RawTable, read_csv
from cutwise.persist.strict import parse_json
from cutwise.table.reading.arff import parse_arff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cutwise.paper.datasets.catalogue import DatasetDescription

    Progress = Callable[[int, int | None], None]
    Get = Callable[[], RawTable]

CHUNK = 1 << 16
MAX_REDIRECTS = 5
REDIRECTS = {301, 302, 303, 307, 308}
WORTH_ANOTHER_TRY = {408, 429, 500, 502, 503, 504}


@dataclass(frozen=True)
class DownloadLimits:
    """How long to wait and how much to take.

    Parameters
    ----------
    max_bytes : int
        The largest file.
    silence : float
        Seconds without a byte after which the server counts as dead.
    seconds : float
        Seconds for the whole file.
    tries : int
        How often a file is asked for before giving up.
    pause : float
        Seconds before the second try; doubled before each further one.
    """

    max_bytes: int = 1 << 26
    silence: float = 30.0
    seconds: float = 300.0
    tries: int = 4
    pause: float = 1.0


class _AnotherTryError(Exception):
    """The download failed in a way that may pass."""


class _ReportRedirects(HTTPRedirectHandler):
    """Redirects are followed by `_answer`, which checks where they lead."""

    def redirect_request(self, *_: Any) -> None:
        """Follow no redirect."""


def download(
    url: str, limits: DownloadLimits, md5: str = "", progress: Callable[[int, int | None], None] | None = None
) -> bytes:
    """Return the content of an address.

    Parameters
    ----------
    url : str
        An http or https address.
    limits : DownloadLimits
    md5 : str
        The MD5 that the content must have, in hex; empty if it is not known.
    progress : callable, optional
        Called with the bytes so far and in all (None if unknown).
    """
    _check_scheme(url, url)
    problem = ""
    for attempt in range(limits.tries):
        if attempt:
            time.sleep(limits.pause * 2 ** (attempt - 1))
        try:
            return _once(url, limits, md5, progress)
        except _AnotherTryError as error:
            problem = str(error)
    times = "once" if limits.tries == 1 else f"{limits.tries} times"
    raise DatasetError(f"{url} was tried {times} without success: {problem}. Try again later.")


def _once(url: str, limits: DownloadLimits, md5: str, progress: Callable[[int, int | None], None] | None) -> bytes:
    try:
        with _answer(url, limits) as answer:
            content = _body(answer, url, limits, needs_length=not md5, progress=progress)
    except HTTPError as error:
        with error:
            if error.code in WORTH_ANOTHER_TRY:
                raise _AnotherTryError(f"the server answers {error.code} ({_shown(error.reason)})") from None
            message = f"{url} cannot be fetched: the server answers {error.code} ({_shown(error.reason)})."
            raise DatasetError(message) from None
    except (URLError, OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        message = f"{type(reason).__name__}: {_shown(reason)}" if str(reason) else type(reason).__name__
        raise _AnotherTryError(message) from None
    if md5 and hashlib.md5(content, usedforsecurity=False).hexdigest() != md5.lower():
        raise _AnotherTryError(f"the content does not have the MD5 {md5} that the service promises")
    return content


def _shown(text: object) -> str:
    """Return what a server said, on one line and without what a terminal would act on."""
    return "".join(letter if letter.isprintable() else " " for letter in str(text)[:200]).strip()


def _answer(url: str, limits: DownloadLimits) -> Any:
    """Return the open answer, after redirects."""
    opener = _opener()
    place = url
    for _ in range(MAX_REDIRECTS + 1):
        request = Request(place, headers={"User-Agent": "cutwise", "Accept-Encoding": "identity"})  # noqa: S310
        try:
            return opener.open(request, timeout=limits.silence)
        except HTTPError as error:
            target = error.headers.get("Location", "")
            if error.code not in REDIRECTS or not target:
                raise
            error.close()
        place = urljoin(place, target)
        _check_scheme(place, url)
    raise DatasetError(f"{url} cannot be fetched: it redirects more than {MAX_REDIRECTS} times.")


def _opener() -> OpenerDirector:
    """Return what opens http and https addresses, and no others."""
    opener = OpenerDirector()
    for handler in (ProxyHandler, HTTPHandler, HTTPSHandler, HTTPErrorProcessor, HTTPDefaultErrorHandler):
        opener.add_handler(handler())
    opener.add_handler(_ReportRedirects())
    return opener


def _check_scheme(url: str, first: str) -> None:
    scheme = urlsplit(url).scheme
    if scheme not in {"http", "https"}:
        raise DatasetError(f"{url!r} is not fetched: only http and https addresses are.")
    if scheme == "http" and urlsplit(first).scheme == "https":
        raise DatasetError(f"{first} cannot be fetched: it redirects from https to {url!r}.")


def _body(
    answer: Any,
    url: str,
    limits: DownloadLimits,
    *,
    needs_length: bool,
    progress: Callable[[int, int | None], None] | None,
) -> bytes:
    """Return the body of an answer; what is cut off, endless or compressed raises."""
    encoding = answer.headers.get("Content-Encoding", "identity")
    if encoding.lower() != "identity":
        message = f"{url} cannot be fetched: the answer is compressed ({encoding}) though that was not asked for."
        raise DatasetError(message)
    total: int | None = answer.length
    if total is None and not answer.chunked and needs_length:
        raise DatasetError(f"{url} cannot be fetched: the answer does not say how long it is.")
    content = bytearray()
    deadline = time.monotonic() + limits.seconds
    while chunk := answer.read1(CHUNK):
        content += chunk
        if max(len(content), total or 0) > limits.max_bytes:
            raise DatasetError(f"{url} cannot be fetched: it is larger than {limits.max_bytes:,} bytes.")
        if time.monotonic() > deadline:
            raise _AnotherTryError(f"only {len(content):,} bytes came in {limits.seconds:g} seconds")
        if progress:
            progress(len(content), total)
    if total is not None and len(content) != total:
        raise _AnotherTryError(f"the answer was cut off after {len(content):,} of {total:,} bytes")
    return bytes(content)


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
    limits : DownloadLimits
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
        raise DatasetError(f"{url} names no file with a checksum.")
    if str(facts.get("format", "")).lower() != "arff":
        raise DatasetError(f"{url} offers the format {str(facts.get('format'))[:40]!r}; only ARFF is read.")
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
    limits : DownloadLimits
    progress : callable, optional
    """
    facts = _facts(url, limits, "data")
    variables = facts.get("variables")
    if not isinstance(variables, list) or not all(isinstance(item, dict) for item in variables):
        raise DatasetError(f"{url} does not list the columns.")
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
        raise DatasetError(f"{url} does not answer with proper JSON: {error}") from None
    facts = data.get(key) if isinstance(data, dict) else None
    if not isinstance(facts, dict):
        raise DatasetError(f"{url} does not answer with {key!r}.")
    return facts


def _listed(names: object) -> tuple[str, ...]:
    """Return names that OpenML gives as a string (with commas between them) or as a list."""
    items = names.split(",") if isinstance(names, str) else names if isinstance(names, list) else []
    return tuple(str(item).strip() for item in items)


def read_arff(content: bytes) -> RawTable:
    """Return the table that an ARFF file holds."""
    try:
        table = parse_arff(content)
    except TableError as error:
        raise DatasetError(str(error)) from None
    return RawTable(tuple(attribute.name for attribute in table.attributes), table.rows)
