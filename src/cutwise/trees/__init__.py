"""Trees: classifiers that split the rows by one attribute after another."""

from __future__ import annotations

from cutwise.trees.c45 import C45Classifier
from cutwise.trees.tree import Tree

__all__ = ["C45Classifier", "Tree"]
