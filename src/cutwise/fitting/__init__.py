"""Fitting: what every estimator shares, whatever it learns."""

from __future__ import annotations

from cutwise.fitting.checks import (
    WEIGHTS,
    CheckedTable,
    check_nested,
    check_number_of_classes,
    check_table,
    check_target,
    check_weights,
    meant_weights,
    set_fitted,
)
from cutwise.fitting.choices import ChecksChoices, Choices
from cutwise.fitting.deal import deal_rows
from cutwise.fitting.rows import Rows, meaning_of, read_rows, weigh_rows
from cutwise.fitting.tables import TakesTables
from cutwise.fitting.texts import SharedParameters

__all__ = [
    "WEIGHTS",
    "CheckedTable",
    "ChecksChoices",
    "Choices",
    "Rows",
    "SharedParameters",
    "TakesTables",
    "check_nested",
    "check_number_of_classes",
    "check_table",
    "check_target",
    "check_weights",
    "deal_rows",
    "meaning_of",
    "meant_weights",
    "read_rows",
    "set_fitted",
    "weigh_rows",
]
