"""The list of folders in docs/architecture.md is the only one; it has every folder, in the order of the layers."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import cutwise

ROOT = Path(__file__).parents[2]
SOURCE = Path(cutwise.__file__).parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
BELOW = {"kernels", "persist"}


def listed():
    return re.findall(r"^(\w+) .* ->  ", PAGE.split("```")[1], re.MULTILINE)


def test_every_folder_is_listed():
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert folders == {*listed(), *BELOW}
    assert all(f"`{name}` " in PAGE for name in BELOW)


def test_every_module_beside_the_folders_is_named():
    modules = {path.stem for path in SOURCE.glob("*.py") if not path.stem.startswith("__")}
    assert {name for name in modules if f"`{name}`" not in PAGE} == set()


def test_the_order_is_that_of_the_layers():
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    places = {
        name.removeprefix("cutwise."): place for place, line in enumerate(layers[::-1]) for name in line.split(" | ")
    }
    assert [places[name] for name in listed()] == sorted(places[name] for name in listed())
