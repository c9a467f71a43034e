"""Trees: classifiers that split the rows by one attribute after another."""

from __future__ import annotations

from cutwise.classify.trees.c45 import C45Classifier
from cutwise.classify.trees.tree import TreeNodes

__all__ = ["C45Classifier", "TreeNodes"]
