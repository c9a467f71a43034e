"""The ways out; each loads the library that it needs when it is called."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutwise.errors import ExportError, TableError
from cutwise.export.contents import additive_score, holds_numbers, with_numbers
from cutwise.files import write_whole
from cutwise.scheme import NominalAttribute, NumericAttribute, encode_columns
from cutwise.scheme.codes import numbers_of_columns
from cutwise.table.engines import open_source
from cutwise.table.engines.source import check_columns, engine_of, is_path, require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.export.contents import CardContents
    from cutwise.scheme import Attribute, Scheme
    from cutwise.table.engines import Source


def scheme_to_sql(scheme: Scheme, dialect: str, table: str | Sequence[str], keep: Sequence[str], encode: str) -> str:
    """Return a query for the codes of a table, see ``Scheme.to_sql``."""
    require("sqlglot", "sql")
    from cutwise.export.queries import code_query  # noqa: PLC0415

    return code_query(scheme, dialect, table, keep, encode)


def scheme_to_dbt(scheme: Scheme, folder: str | Path, name: str, dialect: str) -> list[Path]:
    """Write a seed and a macro into a dbt project, see ``Scheme.to_dbt``."""
    require("sqlglot", "sql")
    from cutwise.export.dbt import dbt_files  # noqa: PLC0415

    files = {Path(folder) / path: text for path, text in dbt_files(scheme, name, dialect).items()}
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    return list(files)


def scheme_to_polars(scheme: Scheme, encode: str) -> list[Any]:
    """Return polars expressions for the codes of a table, see ``Scheme.to_polars``."""
    require("polars", "tables")
    from cutwise.export.polars_expressions import code_expressions  # noqa: PLC0415

    return code_expressions(scheme, encode)


def scheme_to_onnx(scheme: Scheme, encode: str) -> Any:
    """Return an ONNX model for the codes of a table, see ``Scheme.to_onnx``."""
    require("onnx", "onnx")
    from cutwise.export.onnx_graph import code_model  # noqa: PLC0415

    return code_model(scheme, encode)


def system_to_sql(
    scheme: Scheme, classifier: Any, dialect: str, table: str | Sequence[str], keep: Sequence[str]
) -> str:
    """Return a query for classes and probabilities, see ``DiscretizedClassifier.to_sql``."""
    require("sqlglot", "sql")
    from cutwise.export.queries import score_query  # noqa: PLC0415

    return score_query(scheme, additive_score(classifier), dialect, table, keep)


def system_to_polars(scheme: Scheme, classifier: Any, keep: Sequence[str]) -> Any:
    """Return a function of polars frames for classes and probabilities, see ``DiscretizedClassifier.to_polars``."""
    require("polars", "tables")
    from cutwise.export.polars_expressions import score_steps  # noqa: PLC0415

    return score_steps(scheme, additive_score(classifier), keep)


def system_to_onnx(scheme: Scheme, classifier: Any) -> Any:
    """Return an ONNX model for classes and probabilities, see ``DiscretizedClassifier.to_onnx``."""
    require("onnx", "onnx")
    from cutwise.export.onnx_graph import score_model  # noqa: PLC0415

    return score_model(scheme, additive_score(classifier))


def scheme_to_pmml(scheme: Scheme, encode: str) -> str:
    """Return PMML for the codes of a table, see ``Scheme.to_pmml``."""
    from cutwise.export.pmml_sums import code_document  # noqa: PLC0415

    return code_document(scheme, encode)


def system_to_pmml(scheme: Scheme, classifier: Any) -> str:
    """Return PMML for classes and probabilities, see ``DiscretizedClassifier.to_pmml``."""
    from cutwise.export.pmml_sums import score_document  # noqa: PLC0415

    return score_document(scheme, additive_score(classifier))


def card_to_sql(
    parts: tuple[Scheme, Any], card: CardContents, dialect: str, table: str | Sequence[str], keep: Sequence[str]
) -> str:
    """Return a query for scores, points and reasons, see ``ScorecardClassifier.to_sql``."""
    require("sqlglot", "sql")
    from cutwise.export.card_query import card_query  # noqa: PLC0415

    scheme, classifier = parts
    return card_query((scheme, additive_score(classifier)), card, dialect, table, keep)


def card_to_polars(parts: tuple[Scheme, Any], card: CardContents, keep: Sequence[str]) -> Any:
    """Return a function of polars frames for the same, see ``ScorecardClassifier.to_polars``."""
    require("polars", "tables")
    from cutwise.export.card_expressions import card_steps  # noqa: PLC0415

    scheme, classifier = parts
    return card_steps(scheme, additive_score(classifier), card, keep)


def card_to_onnx(parts: tuple[Scheme, Any], card: CardContents) -> Any:
    """Return an ONNX model for scores and points, see ``ScorecardClassifier.to_onnx``."""
    require("onnx", "onnx")
    from cutwise.export.onnx_graph import card_model  # noqa: PLC0415

    scheme, classifier = parts
    return card_model(scheme, additive_score(classifier), card)


def card_to_pmml(scheme: Scheme, card: CardContents) -> str:
    """Return PMML for scores and reasons, see ``ScorecardClassifier.to_pmml``."""
    from cutwise.export.pmml import card_document  # noqa: PLC0415

    return card_document(scheme, card)


# The library that holds a table: the function for its codes. DuckDB reads files, Arrow datasets and streams.
_TARGETS = {
    ("polars", "LazyFrame"): ("targets", "polars_codes"),
    ("polars", "DataFrame"): ("targets", "polars_codes"),
    ("pandas", "DataFrame"): ("targets", "pandas_codes"),
    ("pyarrow", "Table"): ("targets", "arrow_codes"),
    ("pyarrow", "RecordBatch"): ("targets", "arrow_codes"),
    ("dask", "DataFrame"): ("targets", "dask_codes"),
    ("duckdb", "DuckDBPyRelation"): ("queries", "duckdb_codes"),
    ("pyspark", "DataFrame"): ("queries", "spark_codes"),
    ("ibis", "Table"): ("ibis_codes", "ibis_codes"),
}
# Their codes come from the same functions as in memory, which look at the values themselves.
_READ_HERE = ("dask", "pandas")


def table_codes(scheme: Scheme, table: Any, keep: Sequence[str], encode: str) -> Any:
    """Return the codes of a table, see ``Scheme.transform_table``."""
    if not scheme.attributes:
        raise ExportError("The scheme has no attribute, so there are no codes.")
    engine, table = _checked(scheme, table, keep)
    both = [name for name in keep if name in scheme.names]
    if both:
        raise ExportError(
            f"Column {both[0]!r} is replaced by its codes, so it cannot be kept too. Rename it, or do not keep it."
        )
    module, function = _TARGETS.get(engine, ("queries", "arrow_codes"))
    if module == "queries":
        require("sqlglot", "sql")
    return getattr(importlib.import_module(f"cutwise.export.{module}"), function)(scheme, table, list(keep), encode)


def table_scores(model: Any, parts: tuple[Scheme, Any], table: Any, keep: Sequence[str]) -> Any:
    """Return the classes and probabilities of a table, see ``ScoresTables.predict_table``.

    Parameters
    ----------
    model : classifier
        What predicts rows in memory.
    parts : tuple of Scheme and classifier
        What is written as a query.
    table : path or table
    keep : sequence of str
    """
    engine, table = _checked(parts[0], table, keep)
    new = {"prediction", *(f"probability_{i}" for i in range(len(model.classes_)))}
    both = [name for name in keep if name in new]
    if both:
        raise ExportError(f"There would be two columns {both[0]!r} in the result. Rename it, or do not keep it.")
    from cutwise.export.scored_tables import scored  # noqa: PLC0415

    return scored(engine, model, parts, table, list(keep))


def _checked(scheme: Scheme, table: Any, keep: Sequence[str]) -> tuple[tuple[str, str], Any]:
    """Return the engine of a table and the table, of files a relation; raise if it lacks columns, or they are others.

    The engine of an Arrow stream or dataset has no name.
    """
    if isinstance(keep, str):
        raise ExportError(f"'keep' must be a list of names, not the string {keep!r}.")
    if is_path(table):
        table = _relation(table)
    engine = engine_of(table) or ("", "")
    source = open_source(table)
    check_columns(source.names, keep)
    check_columns(source.names, scheme.names)
    if engine[0] not in _READ_HERE:
        _check_contents(scheme, source)
    return engine, table


def _relation(paths: Any) -> Any:
    """Return a DuckDB relation that reads files."""
    require("pyarrow", "engines")
    require("duckdb", "engines")
    from cutwise.table.engines.duckdb_relation import relation_of_files  # noqa: PLC0415

    return relation_of_files(paths)


def _check_contents(scheme: Scheme, source: Source) -> None:
    """Raise TableError if a column cannot hold what it held in fit."""
    from cutwise.table.engines.arrow import content_of_type  # noqa: PLC0415

    for attribute in scheme.attributes:
        content = content_of_type(source.schema.field(attribute.name).type)
        expected = _contents(attribute)
        if content not in (*expected, "nothing"):
            raise TableError(
                f"Column {attribute.name!r} has the type {source.types[attribute.name]}, but in fit it held "
                f"{expected[0]}s. Turn it into {expected[0]}s here too."
            )


def _contents(attribute: Attribute) -> tuple[str, ...]:
    """Return what a column of an attribute may hold."""
    if isinstance(attribute, NumericAttribute):
        return "number", "boolean"
    if isinstance(attribute, NominalAttribute) and holds_numbers(attribute):
        return ("number",)
    return "text", "boolean", "number"


def polars_codes(scheme: Scheme, frame: Any, keep: list[str], encode: str) -> Any:
    """Return a frame of polars, lazy if it was."""
    from polars import selectors  # noqa: PLC0415

    return frame.select(selectors.by_name(*keep), *scheme.to_polars(encode))


def pandas_codes(scheme: Scheme, frame: Any, keep: list[str], encode: str) -> Any:
    """Return a frame of pandas with the same row labels."""
    import pandas as pd  # noqa: PLC0415

    names = list(scheme.names)
    codes = pd.DataFrame(_encoded(scheme, frame[names], encode), columns=names, index=frame.index)
    return pd.concat([frame[keep], codes], axis=1)


def dask_codes(scheme: Scheme, frame: Any, keep: list[str], encode: str) -> Any:
    """Return a frame of Dask, each partition of which is encoded when it is computed."""
    _, numbers = with_numbers(scheme, encode)
    kind = "int32" if numbers is None else "float64"
    meta = {**{name: frame.dtypes[name] for name in keep}, **dict.fromkeys(scheme.names, kind)}
    return frame.map_partitions(_codes_of_part, scheme, keep, encode, meta=meta)


def _codes_of_part(part: Any, scheme: Scheme, keep: list[str], encode: str) -> Any:
    return pandas_codes(scheme, part, keep, encode)


def _encoded(scheme: Scheme, data: Any, encode: str) -> NDArray[Any]:
    """Return the codes of a table in memory, or their numbers."""
    _, numbers = with_numbers(scheme, encode)
    return encode_columns(scheme, data) if numbers is None else numbers_of_columns(scheme, data, encode)


def arrow_codes(scheme: Scheme, table: Any, keep: list[str], encode: str) -> Any:
    """Return a table of Arrow."""
    import pyarrow as pa  # noqa: PLC0415

    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    names = list(scheme.names)
    codes = _encoded(scheme, table.select(names), encode)
    kind = pa.int32() if encode == "ordinal" else pa.float64()
    fields = [*(table.schema.field(name) for name in keep), *(pa.field(name, kind) for name in names)]
    arrays = [*(table.column(name) for name in keep), *(pa.array(codes[:, j]) for j in range(len(names)))]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))
