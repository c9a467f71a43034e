"""Evaluation: methods on folds of data sets, kept in a journal, compared by statistics."""

from __future__ import annotations

from cutwise.evaluate.cells import RAW, Cell, Result, Task
from cutwise.evaluate.folds import Protocol
from cutwise.evaluate.measure import Measure, Methods

__all__ = ["RAW", "Cell", "Measure", "Methods", "Protocol", "Result", "Task"]
