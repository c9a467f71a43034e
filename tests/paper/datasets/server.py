"""A small HTTP server whose answers a test decides, good and bad ones."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Service:
    """Answers by path; what was asked is kept.

    An answer is bytes, or a function that takes the request handler, or a list of both, of
    which each request takes one (the last one stays).
    """

    def __init__(self):
        self.answers = {}
        self.asked = []
        self.url = ""
        self.released = threading.Event()

    def answer(self, handler):
        self.asked.append(handler.path)
        found = self.answers.get(handler.path)
        if isinstance(found, list):
            found = found.pop(0) if len(found) > 1 else found[0]
        if found is None:
            handler.send_error(404)
        elif callable(found):
            found(handler)
        else:
            send(handler, found)

    def offer_openml(self, arff, number=8, **changes):
        """Answer as OpenML does."""
        facts = {
            "id": str(number),
            "format": "ARFF",
            "url": f"{self.url}/data/v1/download/{number}/set.arff",
            "default_target_attribute": "class",
            "md5_checksum": hashlib.md5(arff).hexdigest(),  # noqa: S324
        }
        self.answers[f"/api/v1/json/data/{number}"] = json.dumps({"data_set_description": facts | changes}).encode()
        self.answers[f"/data/v1/download/{number}/set.arff"] = arff

    def offer_uci(self, table, number=7, target="class", ids=()):
        """Answer as UCI does."""
        header = table.decode().split("\n", 1)[0].split(",")
        roles = {name: "ID" if name in ids else "Target" if name == target else "Feature" for name in header}
        facts = {
            "data_url": f"{self.url}/static/public/{number}/data.csv",
            "variables": [{"name": name, "role": role} for name, role in roles.items()],
        }
        self.answers[f"/api/dataset?id={number}"] = json.dumps({"status": 200, "data": facts}).encode()
        self.answers[f"/static/public/{number}/data.csv"] = table


def send(handler, content, length=None, **headers):
    """Send an answer that says it is ``length`` bytes long."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(content) if length is None else length))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


def redirect_to(url, code=302):
    """An answer that leads elsewhere."""

    def answer(handler):
        handler.send_response(code)
        handler.send_header("Location", url)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def fail(code):
    """An answer with an error code."""
    return lambda handler: handler.send_error(code)


@contextlib.contextmanager
def running():
    """A service on a free port."""
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            with contextlib.suppress(ConnectionError):
                service.answer(self)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        service.released.set()
        server.shutdown()
        thread.join()
        server.server_close()
