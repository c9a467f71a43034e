"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

The arguments are the extras to take in; an extra of the project's own that stands in another one is taken in, too.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
_REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(?:\[(?P<extras>[\w,-]+)\])?(?:>=(?P<lowest>[\w.]+))?[^;]*(?P<marker>;.*)?"
)


def constraints(project: dict[str, object], extras: list[str]) -> list[str]:
    """Return a line such as ``numpy==2.0.0`` for each direct requirement."""
    optional = project["optional-dependencies"]
    waiting, found = list(project["dependencies"]), []
    for extra in extras:
        waiting += optional[extra]
    while waiting:
        match = _REQUIREMENT.fullmatch(waiting.pop())
        if match["name"] == project["name"]:
            waiting += [line for extra in match["extras"].split(",") for line in optional[extra]]
        elif match["lowest"]:
            found.append(f"{match['name']}=={match['lowest']}{match['marker'] or ''}")
    return sorted(set(found))


if __name__ == "__main__":
    print("\n".join(constraints(tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"], sys.argv[1:])))
