"""Tables from files: CSV, Parquet, Excel, ARFF and KEEL, strictly and with bounded memory."""

from __future__ import annotations

from cutwise.table.reading.files import FORMATS, read_table
from cutwise.table.reading.settings import ReadSettings

__all__ = ["FORMATS", "ReadSettings", "read_table"]
