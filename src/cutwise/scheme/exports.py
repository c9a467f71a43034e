"""What a scheme is elsewhere: queries, expressions and models that give the same codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cutwise.scheme.scheme import Scheme


class ExportableBins:
    """The methods of a scheme that write it for other programs."""

    def to_sql(
        self,
        dialect: str = "duckdb",
        table: str | Sequence[str] = "data",
        keep: Sequence[str] = (),
        encode: str = "ordinal",
    ) -> str:
        """Return a query that gives each row of a table its codes, one column for each attribute.

        The codes are those of ``transform``, for every value. Names are quoted, spelled as the database spells them.

        Parameters
        ----------
        dialect : {"duckdb", "postgresql", "sqlite", "mysql", "clickhouse", "spark", "databricks", "bigquery", \
"snowflake", "redshift", "trino", "sqlserver", "oracle"}
            The database that will run it.
        table : str or sequence of str, default="data"
            The table; with several parts, such as a schema and a name, a sequence.
        keep : sequence of str
            Columns of the table to put before the codes, such as an identifier of the row.
        encode : {"ordinal", "woe", "rate"}, default="ordinal"
            Codes, weights of evidence or rates of the event.

        Returns
        -------
        str
        """
        from cutwise.export import scheme_to_sql  # noqa: PLC0415

        return scheme_to_sql(cast("Scheme", self), dialect, table, keep, encode)

    def to_dbt(self, folder: str | Path, name: str = "cutwise", dialect: str = "duckdb") -> list[Path]:
        """Write a seed with the bins and a macro that looks them up into the folder of a dbt project.

        In a model, ``{{ cutwise_codes(ref('people'), keep=['id']) }}`` gives the query for the codes of ``transform``.

        Parameters
        ----------
        folder : str or path
            The project; the files go into its folders ``seeds`` and ``macros`` and replace older ones.
        name : str, default="cutwise"
            The beginning of the names: the seed is ``cutwise_bins``, the macro ``cutwise_codes``.
        dialect : {"duckdb", "postgresql", "spark", "databricks", "bigquery", "snowflake", "redshift", "trino"}
            The database of the project.

        Returns
        -------
        list of Path
            The files.
        """
        from cutwise.export import scheme_to_dbt  # noqa: PLC0415

        return scheme_to_dbt(cast("Scheme", self), folder, name, dialect)

    def to_polars(self, encode: str = "ordinal") -> list[Any]:
        """Return polars expressions for the codes, one for each attribute and named like it.

        They work on data frames and on lazy ones: ``frame.with_columns(scheme.to_polars())``.

        Parameters
        ----------
        encode : {"ordinal", "woe", "rate"}, default="ordinal"
            Codes, weights of evidence or rates of the event.
        """
        from cutwise.export import scheme_to_polars  # noqa: PLC0415

        return scheme_to_polars(cast("Scheme", self), encode)

    def to_pmml(self, encode: str = "ordinal") -> str:
        """Return a PMML document that gives a row its codes: "code_age" for the column "age".

        Parameters
        ----------
        encode : {"ordinal", "woe", "rate"}, default="ordinal"
            Codes, weights of evidence ("woe_age") or rates of the event ("rate_age").
        """
        from cutwise.export import scheme_to_pmml  # noqa: PLC0415

        return scheme_to_pmml(cast("Scheme", self), encode)

    def transform_table(self, table: Any, keep: Sequence[str] = (), encode: str = "ordinal") -> Any:
        """Return the codes of a table beyond memory, as a table of the same engine; nothing is read yet.

        The codes are those of ``transform``, for every value.

        Parameters
        ----------
        table : path or table
            A path, a pattern such as ``"sales/*.parquet"``, a folder or a list of paths (Parquet or CSV); or a
            table of Arrow, DuckDB, polars, pandas, Spark, Dask or Ibis. Columns are found by name, and there
            may be others.
        keep : sequence of str
            Columns of the table to put before the codes, such as an identifier of the row.
        encode : {"ordinal", "woe", "rate"}, default="ordinal"
            Codes, weights of evidence or rates of the event.

        Returns
        -------
        table
            A lazy frame of polars, a DuckDB relation, a data frame of Spark or Dask, an Ibis table; of files and
            of an Arrow dataset or stream a DuckDB relation. A table in memory gives one in memory.

        Examples
        --------
        >>> import polars as pl
        >>> from cutwise import EqualWidthDiscretizer
        >>> scheme = EqualWidthDiscretizer(2).fit(pl.DataFrame({"age": [20, 30, 40, 60]})).scheme_
        >>> people = pl.LazyFrame({"id": ["a", "b", "c"], "age": [25, None, 70]})
        >>> scheme.transform_table(people, keep=["id"]).collect().rows()
        [('a', 0), ('b', -1), ('c', 1)]
        """
        from cutwise.export import table_codes  # noqa: PLC0415

        return table_codes(cast("Scheme", self), table, keep, encode)

    def to_onnx(self, encode: str = "ordinal") -> Any:
        """Return an ONNX model: columns in, codes out.

        There is one input of shape (rows, 1) for each attribute, named like it: doubles for numbers
        and booleans, where NaN is missing, and strings for the others, where any string that is no category is
        missing. The output "codes" has the shape (rows, attributes) and the type int32; "woe" and "rate" hold doubles.

        Parameters
        ----------
        encode : {"ordinal", "woe", "rate"}, default="ordinal"
            Codes, weights of evidence or rates of the event.

        Returns
        -------
        onnx.ModelProto
        """
        from cutwise.export import scheme_to_onnx  # noqa: PLC0415

        return scheme_to_onnx(cast("Scheme", self), encode)
