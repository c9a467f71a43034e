"""Downloads: whole and in time, or an error; never a part of a file."""

from __future__ import annotations

import gzip
import hashlib
import time
from dataclasses import replace

import pytest

from cutwise.errors import DatasetError
from cutwise.paper.datasets.services import DownloadLimits, download
from tests.paper.datasets.server import fail, redirect_to, send

QUICK = DownloadLimits(max_bytes=100_000, silence=0.3, seconds=5.0, tries=3, pause=0.0)
BODY = b"0123456789" * 1000


def ask(service, limits=QUICK, **options):
    return download(f"{service.url}/file", limits, **options)


def md5_of(content):
    return hashlib.md5(content).hexdigest()  # noqa: S324


def without_length(handler):
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(BODY)


def chunked(*chunks, closed=True):
    def answer(handler):
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.send_header("Connection", "close")
        handler.end_headers()
        for chunk in chunks:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        if closed:
            handler.wfile.write(b"0\r\n\r\n")
        handler.close_connection = True

    return answer


def test_a_file_comes_as_it_is(service):
    service.answers["/file"] = BODY
    seen = []
    assert ask(service, progress=lambda so_far, total: seen.append((so_far, total))) == BODY
    assert seen[-1] == (len(BODY), len(BODY))
    assert ask(service, md5=md5_of(BODY).upper()) == BODY


def test_an_empty_file_is_a_file(service):
    service.answers["/file"] = b""
    assert ask(service) == b""


def test_chunks_are_put_together(service):
    service.answers["/file"] = chunked(BODY, BODY)
    assert ask(service) == BODY + BODY


@pytest.mark.parametrize("answer", [
    lambda handler: send(handler, BODY, length=len(BODY) + 1),
    lambda handler: send(handler, b"", length=5),
    chunked(BODY, closed=False),
    lambda handler: handler.wfile.write(b"no HTTP at all\r\n\r\n"),
    lambda handler: None,
])  # fmt: skip
def test_what_is_cut_off_is_asked_for_again(service, answer):
    service.answers["/file"] = [answer, BODY]
    assert ask(service) == BODY
    service.answers["/file"] = answer
    with pytest.raises(DatasetError, match=r"tried 3 times without success: .*\. Try again later\."):
        ask(service)
    assert len(service.asked) == 2 + 3


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_server_in_trouble_is_asked_again(service, code):
    service.answers["/file"] = [fail(code), fail(code), BODY]
    assert ask(service) == BODY
    service.answers["/file"] = fail(code)
    with pytest.raises(DatasetError, match=f"the server answers {code}"):
        ask(service)


@pytest.mark.parametrize("code", [403, 404, 412])
def test_a_refusal_is_final(service, code):
    service.answers["/file"] = fail(code)
    with pytest.raises(DatasetError, match=rf"/file cannot be fetched: the server answers {code} \("):
        ask(service)
    assert len(service.asked) == 1


def test_a_wrong_checksum_is_tried_again_and_then_refused(service):
    service.answers["/file"] = [b"damaged", BODY]
    assert ask(service, md5=md5_of(BODY)) == BODY
    service.answers["/file"] = b"damaged"
    with pytest.raises(DatasetError, match="does not have the MD5"):
        ask(service, md5=md5_of(BODY))


def test_without_a_length_only_a_checksum_tells_that_all_came(service):
    service.answers["/file"] = without_length
    assert ask(service, md5=md5_of(BODY)) == BODY
    with pytest.raises(DatasetError, match="does not say how long"):
        ask(service)


def test_too_large_a_file_is_not_taken(service):
    small = replace(QUICK, max_bytes=len(BODY) - 1)
    for answer in (BODY, chunked(BODY), lambda handler: send(handler, b"x", length=10**12)):
        service.answers["/file"] = answer
        with pytest.raises(DatasetError, match="larger than 9,999 bytes"):
            ask(service, small)
    assert len(service.asked) == 3


def test_a_compressed_answer_is_not_opened(service):
    bomb = gzip.compress(bytes(10**7))
    service.answers["/file"] = lambda handler: send(handler, bomb, Content_Encoding="gzip")
    with pytest.raises(DatasetError, match=r"compressed \(gzip\)"):
        ask(service)


def test_a_server_that_falls_silent_is_given_up(service):
    def stall(handler):
        send(handler, b"part", length=100)
        handler.wfile.flush()
        service.released.wait(20)

    service.answers["/file"] = stall
    started = time.monotonic()
    with pytest.raises(DatasetError, match=r"tried once without success: TimeoutError"):
        ask(service, replace(QUICK, tries=1))
    assert time.monotonic() - started < 10


def test_a_server_that_drips_is_given_up(service):
    def drip(handler):
        send(handler, b"", length=10**5)
        while not service.released.wait(0.05):
            handler.wfile.write(b"x")

    service.answers["/file"] = drip
    with pytest.raises(DatasetError, match=r"only \d+ bytes came in 0.3 seconds"):
        ask(service, replace(QUICK, seconds=0.3, tries=1))


def test_redirects_are_followed(service):
    service.answers |= {"/file": redirect_to("/a", 301), "/a": redirect_to(f"{service.url}/b", 307), "/b": BODY}
    assert ask(service) == BODY
    assert service.asked == ["/file", "/a", "/b"]


def test_redirects_end(service):
    service.answers |= {"/file": redirect_to("/a"), "/a": redirect_to("/file")}
    with pytest.raises(DatasetError, match="redirects more than 5 times"):
        ask(service)
    assert len(service.asked) == 6


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x"])
def test_only_http_is_fetched(service, target):
    service.answers["/file"] = redirect_to(target)
    with pytest.raises(DatasetError, match="only http and https"):
        ask(service)
    with pytest.raises(DatasetError, match="only http and https"):
        download(target, QUICK)


def test_https_does_not_lead_to_http(monkeypatch):
    """A redirect of a safe address to an open one is refused before it is followed."""
    from cutwise.paper.datasets import services as module

    with pytest.raises(DatasetError, match="redirects from https to"):
        module._check_scheme("http://a/b", "https://a/b")


def test_pauses_double(service, monkeypatch):
    slept = []
    monkeypatch.setattr("cutwise.paper.datasets.services.time.sleep", slept.append)
    service.answers["/file"] = fail(503)
    with pytest.raises(DatasetError, match="tried 4 times"):
        ask(service, replace(QUICK, tries=4, pause=0.5))
    assert slept == [0.5, 1.0, 2.0]


def test_a_dead_address_is_an_error(service):
    with pytest.raises(DatasetError, match="ConnectionRefusedError"):
        download("http://127.0.0.1:9/file", replace(QUICK, tries=2))


def test_what_the_server_says_is_shown_on_one_plain_line(service):
    service.answers["/file"] = lambda handler: handler.wfile.write(b"HTTP/1.0 404 \x1b[2Jgone \x07\r\n\r\n")
    with pytest.raises(DatasetError, match=r"answers 404 \( ?\[2Jgone\)\."):
        ask(service)
