"""What a fitted scorecard gives: points, reasons, tables, figures, and itself in other languages."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import clone

from cutwise.classify.average.exported import Mixture
from cutwise.classify.base import BaseSystem, FittedSteps, FoundBySearch
from cutwise.classify.bayes.contributions import AdditivePart
from cutwise.classify.scorecard.frames import POINTS_COLUMNS, points_frame, points_lines, why_dropped
from cutwise.classify.scorecard.performance import Performance, ScoredRows, measure
from cutwise.classify.scorecard.points import BEST, MEAN, CardPoints, Scaling
from cutwise.discretize.fixed import FixedSchemeDiscretizer
from cutwise.discretize.scores import score_scheme
from cutwise.errors import ExportError
from cutwise.export import card_to_onnx, card_to_pmml, card_to_polars, card_to_sql
from cutwise.export.contents import CardContents
from cutwise.files import write_whole
from cutwise.scheme.figures import as_shares
from cutwise.table.engines.source import require
from cutwise.validation import check_target, check_weights

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.scheme import Scheme

SCALING = ("pdo", "base_score", "base_odds", "rounding")


class UsesCard(FoundBySearch, BaseSystem):
    """The part of a scorecard that only reads what was learned."""

    def _points(self) -> CardPoints:
        """Return the points of all bins."""
        scaling = Scaling(*(getattr(self, name) for name in SCALING))
        return CardPoints(self._fitted().card_, scaling)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the log-odds of the second class of ``classes_``.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        logs = self.predict_log_proba(X)
        return np.asarray(logs[:, 1] - logs[:, 0])

    def points(self, X: Any, *, by_column: bool = False) -> NDArray[np.float64]:
        """Return the score of each row: the sum of the points of its bins.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``.
        by_column : bool, default=False
            Return the points of each column that is used, in the order of ``columns_``.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_columns)
        """
        codes = self._codes(X)
        return self._points().by_column(codes) if by_column else self._points().scores(codes)

    def score_scheme(self, X: Any, y: Any, sample_weight: Any = None, *, n_bins: int = 10) -> Scheme:
        """Return the score of training rows as a scheme, with which that of new rows is compared.

        Parameters
        ----------
        X, y, sample_weight
            The training rows.
        n_bins : int, default=10
            The bins of the score, of about equally many rows.

        Returns
        -------
        Scheme
            See `cutwise.discretize.score_scheme`; ``evaluate(card.points(X_new)[:, None], y_new, by=…)`` gives PSI,
            rate and Gini of the score by period.
        """
        return score_scheme(self.points(X), y, sample_weight, n_bins=n_bins, event=self.event_)

    def reasons(self, X: Any, k: int = 4, *, against: str = BEST) -> NDArray[np.object_]:
        """Return the columns that cost each row most points.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``.
        k : int, default=4
            The most reasons of a row.
        against : {"best", "mean"}, default="best"
            What points are compared with: those of the best bin of the column that has training rows, or the mean of
            the training rows.

        Returns
        -------
        ndarray of str, of shape (n_samples, k)
            Names of columns, the most costly first, of equal ones in the order of the table; None where no other
            column costs anything. A bin without training rows is no reason.
        """
        check_whole(k, "k")
        check_against(against)
        codes = self._codes(X)
        names = np.array([*self.columns_, None], dtype=object)
        return np.asarray(names[self._points().reasons(codes, int(k), against)])

    def to_frame(self, library: str | None = None) -> Any:
        """Return the points of all bins of the columns that are used.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            The table library; by default the first of these that is installed.

        Returns
        -------
        table
            Column, bin, rows, share of all rows, events, rate of events, weight of evidence, coefficient, points.
            There is a line for missing values in any case and, for categories, one for those that were never seen.
        """
        return points_frame(self._points(), self.scheme_, library)

    def evaluate(
        self, X: Any, y: Any, sample_weight: Any = None, *, bands: int = 10, level: float = 0.95
    ) -> Performance:
        """Return how well the score ranks rows whose classes are known, and how the probabilities fit them.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            The same columns as in ``fit``.
        y : array-like of shape (n_samples,)
            The class of each row.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.
        bands : int, default=10
            The bands of the calibration table, of about equally many rows.
        level : float, default=0.95
            The confidence of the intervals.

        Returns
        -------
        Performance
            AUC, Gini and KS with intervals, losses, the ROC table and the calibration table. Prints as text.
        """
        check_whole(bands, "bands")
        if not 0.0 < level < 1.0:
            message = f"'level' must be a number between 0 and 1, not {level!r}."
            raise ValueError(message)
        codes = self._codes(X)
        labels, places = check_target(self, X, y)
        unknown = [label for label in labels.tolist() if label not in self.classes_.tolist()]
        if unknown:
            known = ", ".join(map(repr, self.classes_.tolist()))
            message = f"The target y has the class {unknown[0]!r}, but in fit the classes were {known}."
            raise ValueError(message)
        weights = check_weights(sample_weight, places.size)
        check_two(labels, places, weights)
        kept = np.ones(places.size, dtype=bool) if weights is None else weights > 0.0
        is_event = (labels[places] == self.event_)[kept]
        event = self._fitted().card_.event
        rows = ScoredRows(
            self._points().scores(codes[kept]),
            self.classifier_.predict_proba(codes[kept])[:, event],
            np.asarray(is_event),
            np.ones(places.size) if weights is None else weights[kept],
        )
        return measure(rows, int(bands), float(level))

    def _exported(self) -> tuple[Scheme, Any]:
        """Return the columns that are used alone: no export asks for others."""
        learned = self._fitted()
        kept = learned.card_.fates.kept
        if not kept:
            message = "The scorecard uses no column, so there is nothing to compute; dropped_ says why."
            raise ExportError(message)
        attributes = tuple(self.scheme_.attributes[j] for j in kept)
        used = {attribute.name for attribute in attributes}
        formats = {name: form for name, form in self.scheme_.formats.items() if name in used}
        scheme = replace(self.scheme_, attributes=attributes, formats=formats)
        tables = learned.tables_
        terms = np.concatenate([tables.log_likelihood[tables.offsets[j] : tables.offsets[j + 1]] for j in kept])
        return scheme, Mixture(scheme, self.classes_, (AdditivePart(tables.log_prior, terms),), ())

    def without_dropped(self) -> Self:
        """Return the same scorecard for tables that have the columns which are used, and no others.

        Its bins are a given scheme. A scorecard that uses no column is returned as it is.
        """
        learned = self._fitted()
        kept = learned.card_.fates.kept
        if not kept or len(kept) == len(self.scheme_.attributes):
            return self
        attributes = tuple(self.scheme_.attributes[j] for j in kept)
        used = {attribute.name for attribute in attributes}
        formats = {name: form for name, form in self.scheme_.formats.items() if name in used}
        scheme = replace(self.scheme_, attributes=attributes, formats=formats)
        steps = FittedSteps(FixedSchemeDiscretizer(scheme), learned.only(kept))
        # A table without names has made them up.
        names = np.array(scheme.names, dtype=object)
        other: Self = clone(self).set_params(discretizer=scheme)
        other._finish(steps, names)
        return other

    def _contents(self, reasons: int = 1, against: str = BEST) -> CardContents:
        check_whole(reasons, "reasons", least=0)
        check_against(against)
        points = self._points()
        return CardContents(
            names=self.columns_,
            event=points.card.event,
            points=points.points,
            costs=points.costs(against),
            reasons=int(reasons),
            baselines=points.baselines(against),
            filled=points.has_rows,
            scale=(points.scaling.offset, points.scaling.factor),
        )

    def to_sql(
        self,
        dialect: str = "duckdb",
        table: str | Sequence[str] = "data",
        keep: Sequence[str] = (),
        *,
        reasons: int = 4,
        against: str = BEST,
    ) -> str:
        """Return a query that gives each row of a table its score, probability, reasons and points.

        Its columns are "score", "probability" (of the event), "prediction", "reason_1", "reason_2", … (null where
        there is no other) and the points of each column that is used, ``points_`` and its name. The table needs no
        other columns than these.

        Parameters
        ----------
        dialect : {"duckdb", "postgresql", "sqlite", "mysql", "clickhouse", "spark", "databricks", "bigquery", \
"snowflake", "redshift", "trino", "sqlserver", "oracle"}
            The database that will run it.
        table : str or sequence of str, default="data"
            The table; with several parts, such as a schema and a name, a sequence.
        keep : sequence of str
            Columns of the table to put first, such as an identifier of the row.
        reasons : int, default=4
            The number of reasons.
        against : {"best", "mean"}, default="best"
            What points are compared with, see `reasons`.

        Returns
        -------
        str
        """
        self._fitted()
        return card_to_sql(self._exported(), self._contents(reasons, against), dialect, table, keep)

    def to_polars(self, keep: Sequence[str] = (), *, reasons: int = 4, against: str = BEST) -> Any:
        """Return a function that gives each row of a polars frame what the query of `to_sql` gives.

        It is made of polars expressions alone and works on data frames and on lazy ones:
        ``frame.pipe(card.to_polars())``.

        Parameters
        ----------
        keep : sequence of str
            Columns of the frame to put first, such as an identifier of the row.
        reasons : int, default=4
            The number of reasons.
        against : {"best", "mean"}, default="best"
            What points are compared with, see `reasons`.

        Returns
        -------
        callable
            Its expressions are in ``first``, ``steps`` and ``last``.
        """
        self._fitted()
        return card_to_polars(self._exported(), self._contents(reasons, against), keep)

    def to_onnx(self) -> Any:
        """Return an ONNX model: columns in, "prediction", "probabilities", "score" and "points" out.

        The inputs are the columns that are used, as those of ``Scheme.to_onnx``. Probabilities are in the order of
        ``classes_``, points in that of ``columns_``.

        Returns
        -------
        onnx.ModelProto
        """
        self._fitted()
        return card_to_onnx(self._exported(), self._contents())

    def to_pmml(self, *, reasons: int = 4, against: str = BEST) -> str:
        """Return the scorecard as PMML 4.4, with reason codes.

        Its outputs are "score", "probability" (of the event, that which belongs to the rounded score) and "reason_1",
        "reason_2", … Reason codes are the names of columns. Where fewer columns cost a row any points than reasons are
        asked for, what programs put into the others differs. Strings are compared as they are, blanks around them
        included.

        Parameters
        ----------
        reasons : int, default=4
            The number of reasons.
        against : {"best", "mean"}, default="best"
            What points are compared with, see `reasons`.

        Returns
        -------
        str
            XML.
        """
        self._fitted()
        return card_to_pmml(self._exported()[0], self._contents(reasons, against))

    def _point_names(self) -> list[str]:
        return list(POINTS_COLUMNS)

    def _point_lines(self) -> list[list[Any]]:
        return points_lines(self._points(), self.scheme_)

    def to_excel(self, path: str | os.PathLike[str], performance: Mapping[str, Performance] | None = None) -> Path:
        """Write a workbook: the points of all bins, why columns are not used and, with charts, how the score does.

        Parameters
        ----------
        path : str or path
            An .xlsx file; an older one of that name is replaced.
        performance : mapping of str to Performance, optional
            What `evaluate` returned, by the name of the rows, such as ``{"new rows": card.evaluate(X, y)}``.

        Returns
        -------
        Path
        """
        self._fitted()
        require("openpyxl", "excel")
        from cutwise.report.card_workbook import card_workbook  # noqa: PLC0415

        place = Path(path)
        if place.suffix.lower() != ".xlsx":
            message = f"A workbook has a name that ends in .xlsx, not {place.name!r}. Rename the file."
            raise ExportError(message)
        return write_whole(place, card_workbook(self, performance or {}))

    @property
    def points_table_(self) -> Any:
        """The points of all bins of the columns that are used."""
        self._fitted()
        return self.to_frame()

    @property
    def rounding_error_(self) -> float:
        """The largest difference that rounding makes in a score."""
        return self._points().error

    @property
    def columns_(self) -> tuple[str, ...]:
        """The columns that are used."""
        kept = self._fitted().card_.fates.kept
        return tuple(self.scheme_.names[place] for place in kept)

    @property
    def dropped_(self) -> dict[str, str]:
        """Why each column that is not used is not."""
        return why_dropped(self._fitted(), self.scheme_.names)

    @property
    def event_(self) -> Any:
        """The class that is foreseen."""
        return self.classes_[self._fitted().card_.event]

    @property
    def intercept_(self) -> float:
        """The log-odds of the other class before any column is known."""
        return float(self._fitted().card_.intercept)

    @property
    def coefficients_(self) -> NDArray[np.float64] | None:
        """What the weights of evidence of each column are multiplied with."""
        found: NDArray[np.float64] | None = self._fitted().card_.coefficients
        return found

    @property
    def information_values_(self) -> NDArray[np.float64]:
        """The information value of each column."""
        return np.asarray(self._fitted().card_.evidence.values)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each column moves the score of the training rows, as shares of 1."""
        card = self._fitted().card_
        moved = np.abs(card.log_odds) * card.counts.of_cell.sum(axis=1)
        return as_shares(np.add.reduceat(moved, card.counts.offsets[:-1]))


def check_two(labels: NDArray[Any], places: NDArray[np.int64], weights: NDArray[np.float64] | None) -> None:
    """Raise ValueError unless there are rows of just two classes."""
    seen = np.unique(places if weights is None else places[weights > 0.0])
    if labels.size > 2:
        listed = ", ".join(map(repr, labels[:4].tolist())) + (", …" if labels.size > 4 else "")
        message = (
            f"Only binary classification is supported. The target y has {labels.size} classes ({listed}); a scorecard "
            f"foresees one of two. Name the event and join the others, as in y == {labels.tolist()[0]!r}."
        )
        raise ValueError(message)
    if seen.size < 2:
        message = (
            f"A scorecard compares two classes, but y has one class only, {labels.tolist()[int(seen[0])]!r}. "
            "Add rows of the other class."
        )
        raise ValueError(message)


def check_whole(number: Any, name: str, least: int = 1) -> None:
    """Raise ValueError unless a setting is a whole number that is not too small."""
    if not isinstance(number, Integral) or number < least:
        message = f"{name!r} must be a whole number from {least} on, not {number!r}."
        raise ValueError(message)


def check_against(against: Any) -> None:
    """Raise ValueError if costs are not measured so."""
    if against not in (BEST, MEAN):
        message = f"'against' must be 'best' or 'mean', not {against!r}."
        raise ValueError(message)
