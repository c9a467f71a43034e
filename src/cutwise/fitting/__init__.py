"""Fitting: what every estimator shares, whatever it learns."""

from __future__ import annotations

from cutwise.fitting.checks import (
    CheckedTable,
    check_nested,
    check_table,
    check_target,
    check_weights,
    name_columns,
)
from cutwise.fitting.choices import ChecksChoices, Choices
from cutwise.fitting.deal import deal_rows
from cutwise.fitting.rows import Rows, read_rows, weigh_rows
from cutwise.fitting.tables import TakesTables
from cutwise.fitting.texts import SharedParameters

__all__ = [
    "CheckedTable",
    "ChecksChoices",
    "Choices",
    "Rows",
    "SharedParameters",
    "TakesTables",
    "check_nested",
    "check_table",
    "check_target",
    "check_weights",
    "deal_rows",
    "name_columns",
    "read_rows",
    "weigh_rows",
]
