"""Build the site of this version into a folder of its own: ``python tools/site.py FOLDER --base /``.

FOLDER has a folder for each version, ``dev`` among them, a ``versions.json`` with which their pages lead to each
other, and an ``index.html`` that leads to the newest one. A version is named by the tag of the commit, such as v0.2.0;
without a tag it is ``dev``. ``--list`` builds nothing and writes the two files anew. ``--base`` is the address of
FOLDER on its host.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TAG = re.compile(r"v(\d+\.\d+\.\d+)$")
DEV = "dev"


def tagged_versions(*options: str) -> list[str]:
    """Return the versions that ``git tag`` lists, the newest first."""
    command = ["git", "-C", str(ROOT), "tag", *options]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()  # noqa: S603
    found = [match[1] for match in map(TAG.match, lines) if match]
    return sorted(found, key=lambda version: tuple(map(int, version.split("."))), reverse=True)


def version_here() -> str:
    """Return the version of the commit, or ``dev`` where it has no tag."""
    return (*tagged_versions("--points-at", "HEAD"), DEV)[0]


def build(folder: Path, version: str) -> None:
    """Build the pages of a version; a warning is an error."""
    program = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    pages = ["--doctree-dir", "docs/_build/doctrees", "docs", str((folder / version).resolve())]
    subprocess.run(  # noqa: S603
        [*program, *pages], cwd=ROOT, env=os.environ | {"CUTWISE_DOCS_VERSION": version}, check=True
    )


def list_versions(folder: Path, base: str, tags: list[str]) -> list[dict[str, object]]:
    """Return an entry for ``dev`` and each tag whose pages are there; the newest tag is the preferred one."""
    there = [version for version in (DEV, *tags) if (folder / version / "index.html").exists()]
    newest = next((version for version in there if version != DEV), None)
    return [
        {
            "name": f"{version} (newest)" if version == newest else version,
            "version": version,
            "url": f"{base.rstrip('/')}/{version}/",
            **({"preferred": True} if version == newest else {}),
        }
        for version in there
    ]


def write_list(folder: Path, entries: list[dict[str, object]]) -> None:
    """Write the list of versions, and the page that leads to the preferred one, or else to the first."""
    (folder / "versions.json").write_text(json.dumps(entries, indent=2) + "\n", encoding="utf-8")
    first = next((entry for entry in entries if "preferred" in entry), entries[0])["version"]
    lines = [
        "<!doctype html>",
        '<meta charset="utf-8">',
        "<title>cutwise</title>",
        f'<meta http-equiv="refresh" content="0; url={first}/index.html">',
        f'<a href="{first}/index.html">cutwise {first}</a>',
    ]
    (folder / "index.html").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Build the pages of this commit, then write the list of all versions in the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--base", default="/")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    if not given.list:
        build(given.folder, version_here())
    entries = list_versions(given.folder, given.base, tagged_versions())
    if not entries:
        print(f"{given.folder}: there are no versions")
        return 1
    write_list(given.folder, entries)
    print(f"{given.folder}: {', '.join(str(entry['version']) for entry in entries)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
