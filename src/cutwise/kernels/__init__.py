"""Compiled loops: arrays in, arrays out; no classes, no checks.

The modules of this folder load numba. They are loaded when one of them is first used,
so that importing the library stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

_MODULES = (
    "additive",
    "agreement",
    "assign",
    "boxed",
    "c45",
    "c45_cells",
    "c45_predict",
    "c45_prune",
    "c45_rows",
    "c45_scores",
    "cells",
    "climbing",
    "counting",
    "curvature",
    "dependence",
    "elementary",
    "exact",
    "genetic",
    "grouping",
    "heap",
    "information",
    "joint",
    "losses",
    "merging",
    "minima",
    "modl",
    "modl_merge",
    "modl_polish",
    "monotone",
    "one_dependence",
    "pair_inputs",
    "pairs",
    "quanta",
    "sorting",
    "splitting",
    "stopping",
    "tallies",
    "terms",
)


def __getattr__(name: str) -> ModuleType:
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
