"""The methods that show what N_D does to MRmD, by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

GIVEN: Mapping[int, str] = MappingProxyType({n_d: f"mrmd-nd-{n_d}" for n_d in (2, 5, 10, 20, 50, 100, 200)})
"""Discretizers with an N_D for all data sets."""

CHOSEN: Mapping[str, str] = MappingProxyType({"nb": "mrmd-tuned", "c45": "mrmd-tuned-c45", "rnb": "mrmd-tuned"})
"""Discretizers whose N_D is chosen inside the training rows, by the classifier that they are measured with."""

NAMES = frozenset({*GIVEN.values(), *CHOSEN.values()})
