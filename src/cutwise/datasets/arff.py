"""ARFF, the format of OpenML."""

from __future__ import annotations

from cutwise.datasets.raw import RawTable
from cutwise.errors import DatasetError, TableError
from cutwise.table.reading.arff import parse_arff


def read_arff(content: bytes) -> RawTable:
    """Return the table that an ARFF file holds."""
    try:
        table = parse_arff(content)
    except TableError as error:
        raise DatasetError(str(error)) from None
    return RawTable(tuple(attribute.name for attribute in table.attributes), table.rows)
