"""Cleaning: what columns of strings hold, and which columns are not worth learning from."""

from __future__ import annotations

from cutwise.table.cleaning.flags import flag_columns
from cutwise.table.cleaning.formats import PLAIN, TEXT, holds_numbers, is_format
from cutwise.table.cleaning.tables import CleanTable, clean_table

__all__ = ["PLAIN", "TEXT", "CleanTable", "clean_table", "flag_columns", "holds_numbers", "is_format"]
