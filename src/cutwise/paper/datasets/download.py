"""One file over HTTP: whole, of bounded size, in bounded time, or an error.

Only http and https. A redirect may not lead from https to http, a compressed answer is not
taken, and an answer must say how long it is unless a checksum is known.
"""

from __future__ import annotations

import hashlib
import http.client
import time
from dataclasses import dataclass
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

from cutwise.errors import DatasetError

if TYPE_CHECKING:
    from collections.abc import Callable

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
    limits : Limits
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
    message = f"{url} was tried {times} without success: {problem}. Try again later."
    raise DatasetError(message)


def _once(url: str, limits: DownloadLimits, md5: str, progress: Callable[[int, int | None], None] | None) -> bytes:
    try:
        with _answer(url, limits) as answer:
            content = _body(answer, url, limits, needs_length=not md5, progress=progress)
    except HTTPError as error:
        with error:
            if error.code in WORTH_ANOTHER_TRY:
                message = f"the server answers {error.code} ({_shown(error.reason)})"
                raise _AnotherTryError(message) from None
            message = f"{url} cannot be fetched: the server answers {error.code} ({_shown(error.reason)})."
            raise DatasetError(message) from None
    except (URLError, OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        message = f"{type(reason).__name__}: {_shown(reason)}" if str(reason) else type(reason).__name__
        raise _AnotherTryError(message) from None
    if md5 and hashlib.md5(content, usedforsecurity=False).hexdigest() != md5.lower():
        message = f"the content does not have the MD5 {md5} that the service promises"
        raise _AnotherTryError(message)
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
    message = f"{url} cannot be fetched: it redirects more than {MAX_REDIRECTS} times."
    raise DatasetError(message)


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
        message = f"{url!r} is not fetched: only http and https addresses are."
        raise DatasetError(message)
    if scheme == "http" and urlsplit(first).scheme == "https":
        message = f"{first} cannot be fetched: it redirects from https to {url!r}."
        raise DatasetError(message)


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
        message = f"{url} cannot be fetched: the answer does not say how long it is."
        raise DatasetError(message)
    content = bytearray()
    deadline = time.monotonic() + limits.seconds
    while chunk := answer.read1(CHUNK):
        content += chunk
        if max(len(content), total or 0) > limits.max_bytes:
            message = f"{url} cannot be fetched: it is larger than {limits.max_bytes:,} bytes."
            raise DatasetError(message)
        if time.monotonic() > deadline:
            message = f"only {len(content):,} bytes came in {limits.seconds:g} seconds"
            raise _AnotherTryError(message)
        if progress:
            progress(len(content), total)
    if total is not None and len(content) != total:
        message = f"the answer was cut off after {len(content):,} of {total:,} bytes"
        raise _AnotherTryError(message)
    return bytes(content)
