"""Classes and probabilities of tables of engines: those with SQL run the query, rows of the others are predicted."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.export.targets import system_to_polars, system_to_sql
from cutwise.table.engines.source import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.scheme import Scheme

    Parts = tuple[Scheme, Any]


# What a query calls the table.
ROWS = "cutwise_rows"


def scored(engine: tuple[str, str], model: Any, parts: Parts, table: Any, keep: list[str]) -> Any:
    """Return the classes and probabilities of a table of an engine; an unknown one is an Arrow stream or dataset."""
    if engine[0] == "polars":
        return table.pipe(system_to_polars(*parts, keep))
    if engine in _PREDICTED:
        return _PREDICTED[engine](table, model, parts[0], keep)
    if engine[0] == "pyspark":
        # A view of its own for each call: what was asked before is not computed yet.
        view = f"{ROWS}_{uuid.uuid4().hex}"
        table.createOrReplaceTempView(view)
        return table.sparkSession.sql(system_to_sql(*parts, "spark", view, keep))
    if engine[0] == "ibis":
        return _of_ibis(table, model, parts, keep)
    if engine[0] != "duckdb":
        require("duckdb", "engines")
        from cutwise.table.engines.duckdb_relation import relation_of_arrow  # noqa: PLC0415

        table = relation_of_arrow(table)
    return table.query(ROWS, system_to_sql(*parts, "duckdb", ROWS, keep))


def _predicted(model: Any, rows: Any) -> dict[str, NDArray[Any]]:
    """Return the columns of the predictions for rows in memory, of which there may be none."""
    shares = model.predict_proba(rows) if len(rows) else np.empty((0, len(model.classes_)))
    columns = {f"probability_{i}": shares[:, i] for i in range(shares.shape[1])}
    return {"prediction": model.classes_[shares.argmax(axis=1)], **columns}


def _of_pandas(frame: Any, model: Any, scheme: Scheme, keep: list[str]) -> Any:
    """Return a frame of pandas with the same row labels."""
    import pandas as pd  # noqa: PLC0415

    found = pd.DataFrame(_predicted(model, frame[list(scheme.names)]), index=frame.index)
    return pd.concat([frame[keep], found], axis=1)


def _of_dask(frame: Any, model: Any, scheme: Scheme, keep: list[str]) -> Any:
    """Return a frame of Dask, each partition of which is predicted when it is computed."""
    empty = _of_pandas(frame._meta, model, scheme, keep)  # noqa: SLF001 - Dask has no other name for it
    return frame.map_partitions(_of_pandas, model, scheme, keep, meta=empty)


def _of_arrow(table: Any, model: Any, scheme: Scheme, keep: list[str]) -> Any:
    """Return a table of Arrow."""
    import pyarrow as pa  # noqa: PLC0415

    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    return pa.table({name: table.column(name) for name in keep} | _predicted(model, table.select(list(scheme.names))))


def _of_ibis(table: Any, model: Any, parts: Parts, keep: list[str]) -> Any:
    """Return a table of Ibis, which its backend makes by a query in its own dialect."""
    import ibis  # noqa: PLC0415
    import pyarrow as pa  # noqa: PLC0415
    from ibis.expr.operations import SQLStringView  # noqa: PLC0415

    backend = table.get_backend().name
    query = system_to_sql(*parts, _OTHER_NAMES.get(backend, backend), ROWS, keep)
    kind = ibis.memtable(pa.table({"prediction": model.classes_.tolist()})).schema()["prediction"]
    shares = {f"probability_{i}": "float64" for i in range(len(model.classes_))}
    schema = ibis.schema({**{one: table.schema()[one] for one in keep}, "prediction": kind, **shares})
    # Table.sql would ask the backend for the types of the columns, which are known.
    # The first argument has another name from one version of Ibis to the next.
    return SQLStringView(table.alias(ROWS).op(), query, schema).to_expr()


# What Ibis calls backends that are called otherwise here.
_OTHER_NAMES = {"postgres": "postgresql", "pyspark": "spark", "mssql": "sqlserver"}

# Tables whose rows are predicted in memory.
_PREDICTED = {
    ("pandas", "DataFrame"): _of_pandas,
    ("dask", "DataFrame"): _of_dask,
    ("pyarrow", "Table"): _of_arrow,
    ("pyarrow", "RecordBatch"): _of_arrow,
}
