"""The docstrings of public names follow numpydoc: every parameter is there, in its order, and described."""

from __future__ import annotations

import inspect

import pytest
from numpydoc.validate import validate

import cutwise

# Parameters that exist, in their order, described; sections in order and underlined.
CHECKS = {"GL05", "GL06", "GL07", "PR01", "PR02", "PR03", "PR05", "PR07", "PR10", "SS01", "YD01"}


def documented_names():
    """Public classes and functions, and the public methods that our own classes define."""
    for name in sorted(set(cutwise.__all__) - {"__version__"}):
        found = getattr(cutwise, name)
        yield f"cutwise.{name}"
        if inspect.isclass(found) and not issubclass(found, Exception):
            for method, value in inspect.getmembers(found, inspect.isroutine):
                if not method.startswith("_") and getattr(value, "__module__", "").startswith("cutwise"):
                    yield f"cutwise.{name}.{method}"


@pytest.mark.parametrize("name", list(documented_names()))
def test_docstring(name):
    errors = [error for error in validate(name)["errors"] if error[0] in CHECKS]
    assert errors == []
