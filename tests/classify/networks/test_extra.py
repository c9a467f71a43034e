"""The networks come with an extra: who has it not is told, and nobody loads it unasked."""

from __future__ import annotations

import subprocess
import sys

import pytest

BLOCKED = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
sys.meta_path.insert(0, Absent())
import cutwise, cutwise.classify.networks
for place in (cutwise, cutwise.classify.networks):
    for name in ("ResNetClassifier", "FTTransformerClassifier"):
        try:
            getattr(place, name)
        except ImportError as error:
            print(error)
"""


def test_without_the_extra():
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=True)
    sentences = done.stdout.splitlines()
    assert len(sentences) == 4
    assert all('which come with pip install "cutwise[networks]".' in sentence for sentence in sentences)


def test_nobody_loads_it_unasked():
    program = "import sys, cutwise.paper.evaluate, cutwise.paper.registry; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_other_names_are_attribute_errors():
    import cutwise

    for place in (cutwise, cutwise.classify.networks):
        with pytest.raises(AttributeError, match="has no attribute 'Unknown'"):
            place.Unknown  # noqa: B018
