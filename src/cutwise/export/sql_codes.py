"""Codes by DuckDB and Spark, as selections from a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.export.code_query import code_selections
from cutwise.sources.duckdb_relation import quoted, relation_of_arrow, relation_of_files
from cutwise.sources.files import is_path
from cutwise.sources.spark_frame import by_place

if TYPE_CHECKING:
    from cutwise.scheme import Scheme


def codes_by_duckdb(scheme: Scheme, table: Any, keep: list[str]) -> Any:
    """Return a relation with the codes of files, an Arrow dataset or a stream."""
    relation = relation_of_files(table) if is_path(table) else relation_of_arrow(table)
    return duckdb_codes(scheme, relation, keep)


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
