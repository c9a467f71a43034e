"""Scheme: the result of a discretizer, as plain data."""

from __future__ import annotations

from cutwise.scheme.attribute import Attribute, Category, NominalAttribute, NumericAttribute, Trial
from cutwise.scheme.scheme import Scheme
from cutwise.scheme.stop import STOP_REASONS

__all__ = ["STOP_REASONS", "Attribute", "Category", "NominalAttribute", "NumericAttribute", "Scheme", "Trial"]
