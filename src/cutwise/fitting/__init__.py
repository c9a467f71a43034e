"""Fitting: what every estimator shares, whatever it learns."""

from __future__ import annotations

from cutwise.fitting.checks import CheckedTable, check_table, check_target, check_weights, set_fitted
from cutwise.fitting.deal import deal_rows
from cutwise.fitting.rows import Rows, read_rows, weigh_rows
from cutwise.fitting.tables import TakesTables
from cutwise.fitting.texts import SharedParameters

__all__ = [
    "CheckedTable",
    "Rows",
    "SharedParameters",
    "TakesTables",
    "check_table",
    "check_target",
    "check_weights",
    "deal_rows",
    "read_rows",
    "set_fitted",
    "weigh_rows",
]
