"""Neural classifiers on tables as they come.

Those that learn by gradients need PyTorch; they are loaded when they are first asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

from cutwise.classify.networks.rvfl import RVFLClassifier

__all__ = ["RVFLClassifier"]

_NETWORKS = ("FTTransformerClassifier", "ResNetClassifier")


def __getattr__(name: str) -> Any:
    if name in _NETWORKS:
        return getattr(importlib.import_module("cutwise.classify.networks.deep"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
