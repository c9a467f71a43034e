"""What is written about an additive classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cutwise.classify.additive.on_codes import AdditiveOnCodes
from cutwise.classify.base import SystemModel, check_scheme_names, code_counts, read_scheme, restore
from cutwise.classify.discretized import read_discretizer, write_step
from cutwise.discretize.fixed_scheme import FixedSchemeDiscretizer
from cutwise.persist.plain import as_names
from cutwise.persist.saved_model import read_estimator, write_parameters
from cutwise.persist.strict import as_object, require
from cutwise.scheme import Scheme

if TYPE_CHECKING:
    pass
