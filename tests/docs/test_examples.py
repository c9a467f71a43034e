"""The programs of the gallery run without a warning."""

from __future__ import annotations

import runpy
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("plot_*.py"))


@pytest.fixture
def shown(monkeypatch):
    """The figures that a program shows, in a backend without a window."""
    figures = []
    monkeypatch.setattr(plt, "show", lambda: figures.extend(plt.get_fignums()) or plt.close("all"))
    before = mpl.get_backend()
    plt.switch_backend("agg")
    yield figures
    plt.close("all")
    plt.switch_backend(before)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, shown, capsys):
    runpy.run_path(str(path), run_name="__main__")
    assert shown


def test_there_are_examples():
    assert len(EXAMPLES) >= 4
