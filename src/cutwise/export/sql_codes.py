"""Codes by DuckDB and Spark, as selections from a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.export.code_query import code_selections
from cutwise.table.engines.duckdb_relation import quoted, relation_of_arrow
from cutwise.table.engines.opening import require
from cutwise.table.engines.spark_frame import by_place

if TYPE_CHECKING:
    from cutwise.scheme import Scheme


def arrow_codes(scheme: Scheme, table: Any, keep: list[str]) -> Any:
    """Return a relation with the codes of an Arrow dataset or stream."""
    require("duckdb", "engines")
    return duckdb_codes(scheme, relation_of_arrow(table), keep)


def duckdb_codes(scheme: Scheme, relation: Any, keep: list[str]) -> Any:
    """Return a relation with the codes of a relation."""
    first, second = code_selections(scheme, "duckdb", keep)
    numbered = [f"{quoted(name)} AS c{i}" for i, name in enumerate([*keep, *scheme.names])]
    for selection in (numbered, first, second):
        relation = relation.project(", ".join(selection))
    return relation


def spark_codes(scheme: Scheme, frame: Any, keep: list[str]) -> Any:
    """Return a data frame of Spark with the codes of one."""
    first, second = code_selections(scheme, "spark", keep)
    return by_place(frame, frame.columns, [*keep, *scheme.names]).selectExpr(*first).selectExpr(*second)
