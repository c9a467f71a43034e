"""Export: a scheme, and a classifier on top of it, as SQL, polars expressions and ONNX."""

from __future__ import annotations

from cutwise.export.targets import (
    card_to_onnx,
    card_to_pmml,
    card_to_polars,
    card_to_sql,
    scheme_to_dbt,
    scheme_to_onnx,
    scheme_to_pmml,
    scheme_to_polars,
    scheme_to_sql,
    system_to_onnx,
    system_to_pmml,
    system_to_polars,
    system_to_sql,
    table_codes,
    table_scores,
)

__all__ = [
    "card_to_onnx",
    "card_to_pmml",
    "card_to_polars",
    "card_to_sql",
    "scheme_to_dbt",
    "scheme_to_onnx",
    "scheme_to_pmml",
    "scheme_to_polars",
    "scheme_to_sql",
    "system_to_onnx",
    "system_to_pmml",
    "system_to_polars",
    "system_to_sql",
    "table_codes",
    "table_scores",
]
