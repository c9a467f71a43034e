"""Evaluation: methods on folds of data sets, kept in a journal, compared by statistics."""

from __future__ import annotations

from cutwise.evaluate.cells import RAW, Cell, Result, Task
from cutwise.evaluate.folds import Protocol
from cutwise.evaluate.journal import Journal
from cutwise.evaluate.measure import Measure, Methods
from cutwise.evaluate.runner import Progress, Summary, run

__all__ = [
    "RAW",
    "Cell",
    "Journal",
    "Measure",
    "Methods",
    "Progress",
    "Protocol",
    "Result",
    "Summary",
    "Task",
    "run",
]
