"""Check that the pages of a site load nothing but files of the site: ``python tools/offline_pages.py FOLDER``.

Exits with 1 and one line for each thing that a page would load from elsewhere, or that is not there.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "link": "href",
}
# Links that tell of another page and load nothing.
NOT_LOADED = {"index", "search", "next", "prev", "author", "canonical", "help"}


class Loads(HTMLParser):
    """Collects what a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the address that a tag loads."""
        values = dict(attrs)
        address = values.get(LOADED.get(tag, ""))
        if address and not (tag == "link" and set((values.get("rel") or "").split()) & NOT_LOADED):
            self.found.append(address)


def wrong_loads(page: Path) -> list[str]:
    """Return what a page loads and should not, each with the reason."""
    reader = Loads()
    reader.feed(page.read_text(encoding="utf-8"))
    wrong = []
    for address in reader.found:
        parts = urlsplit(address)
        if parts.scheme == "data":
            continue
        if parts.scheme or parts.netloc:
            wrong.append(f"{page}: loads {address} from the network")
        elif not (page.parent / unquote(parts.path)).exists():
            wrong.append(f"{page}: loads {address}, which is not there")
    return wrong


def main(folder: str) -> int:
    """Check every page of a folder."""
    pages = sorted(path for path in Path(folder).rglob("*.html") if "_static" not in path.parts)
    wrong = [line for page in pages for line in wrong_loads(page)]
    for line in wrong or ([] if pages else [f"{folder}: there are no pages"]):
        print(line)
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
