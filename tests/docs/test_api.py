"""The reference lists every public name, and no other."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

import cutwise
from tests.golden.stored import load_tool

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
BLOCK = re.compile(
    r"```\{eval-rst\}\n\.\. currentmodule:: (\S+)\n\n\.\. autosummary::\n   :toctree: generated\n\n(.*?)```", re.DOTALL
)
FOLDERS = ("classify", "counts", "criteria", "discretize", "export", "paper", "paper.datasets", "paper.evaluate")
FOLDERS += ("persist", "report", "scheme", "search", "table.engines")


def listed():
    """The names on the page by module."""
    names = {}
    for module, lines in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        names.setdefault(module, []).extend(lines.split())
    return names


def test_every_public_name_is_listed_once():
    assert sorted(listed()["cutwise"]) == sorted(set(cutwise.__all__) - {"__version__"})


def test_the_estimators_are_those_of_the_registry():
    text = PAGE.read_text(encoding="utf-8")
    assert load_tool("public_names").page(text) == text, "Run make format."


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_class_and_function_of_a_folder_is_listed_once(folder):
    module = importlib.import_module(f"cutwise.{folder}")
    public = [name for name in module.__all__ if is_described(getattr(module, name)) and name not in cutwise.__all__]
    assert sorted(listed()[module.__name__]) == sorted(public)


def is_described(found):
    """Whether it is a class or a function, and not a constant or a name for a type."""
    return inspect.isclass(found) or inspect.isfunction(inspect.unwrap(found))


def test_what_is_listed_is_there():
    for module, names in listed().items():
        assert all(hasattr(importlib.import_module(module), name) for name in names)
