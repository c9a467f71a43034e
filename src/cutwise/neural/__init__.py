"""Neural classifiers on tables as they come."""

from __future__ import annotations

from cutwise.neural.rvfl import RVFLClassifier

__all__ = ["RVFLClassifier"]
