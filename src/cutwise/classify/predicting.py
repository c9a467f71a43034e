"""What all classifiers share: how they are called; the class and the probabilities follow from the logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from cutwise.export import system_to_onnx, system_to_pmml, system_to_polars, system_to_sql, table_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.explain import Explanation
    from cutwise.scheme import Scheme


class PredictsProbabilities(ClassifierMixin):
    """The base of the classifiers; a subclass gives ``fit`` and ``predict_log_proba``, and may have shorter ways."""

    classes_: NDArray[Any]

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from the rows of a table.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table of numeric and nominal columns; values may be missing.
        y : array-like of shape (n_samples,)
            The class of each row.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. A weight of 2 is the same as the row twice, a weight of 0 the same as no row.

        Returns
        -------
        self
        """
        raise NotImplementedError

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the probability of each class.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``. Missing values, unseen categories and
            infinities are never an error.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``.
        """
        raise NotImplementedError

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``, as for ``predict_log_proba``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``.
        """
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``, as for ``predict_log_proba``.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        places = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[places])


class ScoresTables(PredictsProbabilities):
    """The base of the classifiers of tables that explain rows and are written as SQL, polars expressions and ONNX.

    A subclass explains a row (``_explain``) and gives the scheme and the classifier of its codes to write
    (``_exported``).
    """

    _texts: ClassVar[Mapping[str, str]] = {
        "attributes": """
    classes_ : ndarray
        The class labels.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of them are strings.
    """,
        "workers": """
    n_jobs : int or None, default=None
        Columns cut at the same time, in threads. The result does not depend on it.
    weights : {"count", "relative"}, default="count"
        What sample weights mean: how often each row counts, or only their ratios. See "Sample
        weights" in the user guide.
    """,
    }

    def _explain(self, row: Any, target: Any, against: Any) -> Explanation:
        raise NotImplementedError

    def _exported(self) -> tuple[Scheme, Any]:
        raise NotImplementedError

    def explain(self, row: Any, target: Any = None, against: Any = None) -> Explanation:
        """Say what each attribute of a row adds to the log-odds of a class.

        The score is ``log(P(target | row) / P(against | row))``. It is the sum of a prior, of one number for each
        attribute and each pair of attributes that the model has scores for and, where the model is an average with
        members whose score is no such sum, of one number for each group of these.

        Parameters
        ----------
        row : mapping, series, table of one row or sequence
            The values by name, or one for each column in their order. A column that a mapping
            or a series does not name is missing.
        target : label, optional
            The class to explain, by default the most probable one.
        against : label, "mean" or None, default=None
            The class to compare it with, by default the most probable of the others. "mean"
            takes the mean of the log-odds against each of the other classes (a class of
            that name comes first).

        Returns
        -------
        Explanation
            Prints as a table; the numbers are in its fields.
        """
        check_is_fitted(self)
        return self._explain(row, target, against)

    def to_sql(self, dialect: str = "duckdb", table: str | Sequence[str] = "data", keep: Sequence[str] = ()) -> str:
        """Return a query that gives each row of a table its class and the probabilities.

        Its columns are "prediction" and, in the order of ``classes_``, "probability_0",
        "probability_1", … The probabilities are those of ``predict_proba`` up to rounding, so the
        prediction is that of ``predict`` unless two classes are equally probable.

        Parameters
        ----------
        dialect : {"duckdb", "postgresql", "sqlite", "mysql", "clickhouse", "spark", "databricks", "bigquery", \
"snowflake", "redshift", "trino", "sqlserver", "oracle"}
            The database that will run it.
        table : str or sequence of str, default="data"
            The table; with several parts, such as a schema and a name, a sequence.
        keep : sequence of str
            Columns of the table to put first, such as an identifier of the row.

        Returns
        -------
        str
        """
        check_is_fitted(self)
        return system_to_sql(*self._exported(), dialect, table, keep)

    def predict_table(self, table: Any, keep: Sequence[str] = ()) -> Any:
        """Return the classes and probabilities of a table beyond memory, as a table of the same engine.

        The columns are those of the query of ``to_sql``, which engines with SQL run; the rows of pandas, Arrow and Dask
        are predicted here, or by their workers. Columns are found by name, and there may be others.

        Parameters
        ----------
        table : path or table
            A path, a pattern such as ``"sales/*.parquet"``, a folder or a list of paths (Parquet or CSV); or a
            table of Arrow, DuckDB, polars, pandas, Spark, Dask or Ibis.
        keep : sequence of str
            Columns of the table to put first, such as an identifier of the row.

        Returns
        -------
        table
            Not computed yet, unless the table is in memory; of files a DuckDB relation.
        """
        check_is_fitted(self)
        return table_scores(self, self._exported(), table, keep)

    def to_polars(self, keep: Sequence[str] = ()) -> Any:
        """Return a function that gives each row of a polars frame its class and the probabilities.

        It is made of polars expressions alone and works on data frames and on lazy ones:
        ``frame.pipe(model.to_polars())``. The columns that come out are those of the query of ``to_sql``.

        Parameters
        ----------
        keep : sequence of str
            Columns of the frame to put first, such as an identifier of the row.

        Returns
        -------
        callable
            Its expressions are in ``first``, ``steps`` and ``last``.
        """
        check_is_fitted(self)
        return system_to_polars(*self._exported(), keep)

    def to_pmml(self) -> str:
        """Return a PMML document: columns in, "prediction" and "probability_0", "probability_1", … out.

        The model is a `RegressionModel` of the columns' codes. Class labels are texts. A classifier that mixes several
        sums, as `RNBClassifier` mostly does, is an `ExportError`.

        Returns
        -------
        str
        """
        check_is_fitted(self)
        return system_to_pmml(*self._exported())

    def to_onnx(self) -> Any:
        """Return an ONNX model: columns in, "prediction" and "probabilities" out.

        The inputs are those of ``Scheme.to_onnx``. The probabilities are doubles of the shape
        (rows, classes), in the order of ``classes_``.

        Returns
        -------
        onnx.ModelProto
        """
        check_is_fitted(self)
        return system_to_onnx(*self._exported())
