"""The classifier for raw tables that averages members which err differently."""

from __future__ import annotations

import tempfile
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from cutwise import kernels
from cutwise.classify.additive.on_codes import AdditiveOnCodes
from cutwise.classify.additive.on_disk import open_counted, write_codes
from cutwise.classify.average.exported import as_one_mixture, joined_scheme
from cutwise.classify.average.members import (
    KINDS,
    LearningRows,
    Member,
    discretizers,
    learn_members,
)
from cutwise.classify.average.on_disk import RowsOfTable, additive_grids
from cutwise.classify.average.reasons import explain_average
from cutwise.classify.base import code_counts
from cutwise.classify.predicting import ScoresTables
from cutwise.counts import PLACES
from cutwise.counts.scanning import MAX_CATEGORIES
from cutwise.errors import ExportError
from cutwise.estimator import Choices, TakesTables, estimator
from cutwise.persist import SavedModel
from cutwise.persist.fields import as_names, plain_names
from cutwise.persist.saved_model import read_estimator, write_parameters
from cutwise.persist.strict import as_count, as_list, as_number, as_object, as_text, in_short, require
from cutwise.scheme import Scheme, encode_columns
from cutwise.scheme.figures import as_shares
from cutwise.scikit_learn import Interval, fit_context
from cutwise.validation import WEIGHTS, check_table, check_target, check_weights, set_fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.explain import Explanation

SHARED = ("special_values", "missing", "place", "n_jobs", "weights")
KEYS = ("parameters", "feature_names", "schemes", "sharpness", "members")
MEMBER_KEYS = ("name", "share", "scheme", "classifier")


def sharpened(mean: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Return probabilities to a power, each row divided by its sum."""
    if power != 1.0:
        ratios = mean / mean.max(axis=1, keepdims=True)
        logs = kernels.elementary.log_of(np.where(ratios > 0.0, ratios, 1.0))
        mean = np.where(ratios > 0.0, kernels.elementary.exp_of(power * logs), 0.0)
    return np.asarray(mean / mean.sum(axis=1, keepdims=True))


class AverageModel(SavedModel):
    """The base of averages that are written to JSON."""

    members_: tuple[Member, ...]
    sharpness_: float

    def _finish(self, members: tuple[Member, ...], sharpness: float, feature_names: NDArray[np.object_] | None) -> None:
        """Set the fitted attributes, all of them at once."""
        learned = {"classes_": members[0].classifier.classes_, "members_": members, "sharpness_": sharpness}
        set_fitted(self, len(members[0].scheme.attributes), feature_names, learned)

    def _write_body(self) -> dict[str, Any]:
        schemes = list({id(member.scheme): member.scheme for member in self.members_}.values())
        places = {id(scheme): place for place, scheme in enumerate(schemes)}
        return {
            "parameters": write_parameters(self),
            "feature_names": plain_names(getattr(self, "feature_names_in_", None)),
            "schemes": [scheme.to_dict() for scheme in schemes],
            "sharpness": self.sharpness_,
            "members": [
                {
                    "name": member.name,
                    "share": member.share,
                    "scheme": places[id(member.scheme)],
                    "classifier": member.classifier._write_model(),  # noqa: SLF001
                }
                for member in self.members_
            ],
        }

    @classmethod
    def _read_body(cls, data: dict[str, Any]) -> Self:
        where = cls.__name__
        body = as_object(data, KEYS, where)
        model: Self = read_estimator(cls, body["parameters"])
        names = as_names(body["feature_names"], f"{where}: 'feature_names'")
        schemes = [Scheme.from_dict(one) for one in as_list(body["schemes"], f"{where}: 'schemes'")]
        members = tuple(_read_member(one, schemes, where) for one in as_list(body["members"], f"{where}: 'members'"))
        _check_members(members, names, where)
        sharpness = as_number(body["sharpness"], f"{where}: 'sharpness'")
        require(sharpness > 0.0, f"{where}: 'sharpness' must be above 0, not {sharpness!r}.")
        # Exports write the mean as it is.
        is_sum = all(member.is_sum for member in members)
        require(not is_sum or sharpness == 1.0, f"{where}: 'sharpness' of members that are sums must be 1.")
        model._finish(members, sharpness, names)
        return model


@estimator
class CutwiseClassifier(AverageModel, TakesTables, ScoresTables, BaseEstimator):
    """Average classifiers that err differently: additive models, AODE on several bins, and trees.

    Each member learns from bins of the same table and gives probabilities; the answer is a power of their weighted
    mean. There are five groups: the additive model of single columns, the one with pairs of columns, AODE on six
    discretizations (MRmD, MDLP and 3, 5, 7 and 10 bins of equal frequency), extremely randomised trees and a random
    forest on a fine grid. How much each group counts, and how sure the mean may be, is chosen inside the training rows:
    in up to five folds the members predict rows that they have not seen, and the shares are those under which the
    classes of these rows are most probable, near equal ones if there are few rows. AODE is judged there by its bins of
    equal frequency, since those of MRmD and MDLP know the classes of all rows. So trees count for little where they
    only learn noise, and for much where columns tell of the class only together. Of more than 10,000 rows so many are
    drawn for this, and of more than 20,000 one fold is enough. Of more than 262,144 rows the trees see so many, drawn
    at random, and of more than 32,768 each tree draws so many with replacement.

    Parameters
    ----------
    exportable : bool, default=False
        Learn only members whose scores are sums over columns and pairs: the additive models and, in place of AODE,
        logistic regression on the six discretizations; no trees. The whole can then be written as SQL, polars
        expressions and ONNX, and every prediction is explained as a sum.
    special_values : list, dict or None, default=None
        Numbers such as -999 that are codes, not measurements; each keeps a bin of its own.
    missing : {"bin", "code"}, default="bin"
        A missing value is a bin like any other, or is left out of the row ("code"). What no training row has is no
        evidence.
    place : {"midpoint", "readable", "value"}, default="midpoint"
        Where in the gap between two values a cut is put.
    random_state : int, default=0
        Random seed of the trees.
    {workers}

    Attributes
    ----------
    members_ : tuple of Member
        The fitted classifiers with their names, shares and schemes.
    sharpness_ : float
        The power of the mean that gives the probabilities, chosen with the shares, near 1.25: a mean of members that
        differ is less sure than it might be. 1 with `exportable`.
    n_sampled_ : float
        How many rows the members beside the additive models learned from, or the sum of their weights: all of them
        after ``fit``, at most about a million after ``fit_table``.
    feature_importances_ : ndarray of shape (n_features,)
        How much each column moves the scores of the additive models for the training rows, in the mean, as shares of 1;
        a pair counts half for each of its columns. What AODE, logistic regression and the trees see in a column is not
        in it.
    {attributes}

    See Also
    --------
    AdditiveClassifier : One member alone: shapes that can be read, nearly as accurate.

    Examples
    --------
    >>> from cutwise import CutwiseClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = CutwiseClassifier().fit(X, y)
    >>> model.predict(X.iloc[[0, 60, 120]])
    array([0, 1, 2])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "exportable": ["boolean"],
        "special_values": [None, "array-like", dict],
        "missing": [Choices("bin", "code")],
        "place": [Choices(*PLACES)],
        "random_state": [Interval(Integral, 0, 2**32 - 1, closed="both")],
        "n_jobs": [None, Integral],
        "weights": [Choices(*WEIGHTS)],
    }

    exportable: bool = False
    special_values: Any = None
    missing: Any = "bin"
    place: Any = "midpoint"
    random_state: int = 0
    n_jobs: int | None = None
    weights: str = "count"

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: D102
        table = check_table(self, X, reset=True)
        labels, places = check_target(self, table.data, y)
        weights = check_weights(sample_weight, places.size)
        settings = {name: getattr(self, name) for name in SHARED}
        rows = LearningRows(X, table.data, table.names, labels[places], weights, settings)
        schemes = {name: rows.cut(one) for name, one in discretizers(exportable=self.exportable).items()}
        self._finish(*learn_members(rows, schemes, self.random_state), table.feature_names)
        return self

    @fit_context(prefer_skip_nested_validation=False)
    def fit_table(
        self,
        table: Any,
        target: str,
        *,
        columns: Sequence[str] | None = None,
        weight: str | None = None,
        max_categories: int = MAX_CATEGORIES,
    ) -> Self:
        """Learn from a table that stays where it is, however many rows it has.

        The table is counted by the engine that holds it, which gives the bins of all members; then it is read once
        more, and the codes of its rows are kept in a temporary folder: two bytes for each value. Up to a million rows
        the members are those of ``fit`` with these bins. With more, the additive models learn from all rows, as those
        of ``AdditiveClassifier.fit_table`` do; the other members, with their few bins, learn from a random million of
        them (``n_sampled_``), the trees from 262,144 of these.

        Parameters
        ----------
        table : path or table
            The path of Parquet or CSV files, a pattern such as ``"sales/*.parquet"`` or a list of
            paths; or a table of Arrow, DuckDB, polars, pandas, Spark, Dask or Ibis, lazy or not. The workers of an
            engine must write to disks that can be read from here.
        target : str
            The column of the classes.
        columns : sequence of str, optional
            The columns to learn; by default all but the target and the weight.
        weight : str, optional
            A column of whole numbers that tells how often each row counts; with
            ``weights="relative"`` only their ratios matter.
        max_categories : int, default=1000
            The largest number of categories of a nominal column.

        Returns
        -------
        self
        """
        options = {"special_values": self.special_values, "weight": weight, "max_categories": max_categories}
        source, counts = open_counted(table, target, columns=columns, **options)
        settings = {name: getattr(self, name) for name in SHARED}
        grids = additive_grids(counts, settings)
        schemes = {
            name: one.set_params(**settings).fit_counts(counts).scheme_
            for name, one in discretizers(exportable=self.exportable).items()
        }
        joined = joined_scheme([*grids, *schemes.values()])
        with tempfile.TemporaryDirectory(prefix="cutwise-") as folder:
            written = write_codes(source, joined, counts, folder, weight=weight)
            learned = learn_members(RowsOfTable(written, joined, grids, settings), schemes, self.random_state)
        self._finish(*learned, np.array(counts.names, dtype=object))
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        check_is_fitted(self)
        table = check_table(self, X, reset=False)
        mean: Any = 0.0
        codes: dict[int, NDArray[np.int32]] = {}
        for member in self.members_:
            key = id(member.scheme)
            if key not in codes:
                codes[key] = encode_columns(member.scheme, table.data, table.names)
            mean = mean + member.share * member.classifier.predict_proba(codes[key])
        return sharpened(mean, self.sharpness_)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        return np.asarray(kernels.elementary.log_of(np.maximum(self.predict_proba(X), np.finfo(float).tiny)))

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: D102
        places = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[places])

    @property
    def n_sampled_(self) -> float:
        """How many rows the members beside the additive models learned from."""
        check_is_fitted(self)
        counted = [member.classifier.tables_ for member in self.members_ if hasattr(member.classifier, "tables_")]
        return float(min(tables.counts.of_class.sum() for tables in counted))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each column moves the scores of the additive models, as shares of 1."""
        check_is_fitted(self)
        additive = [member for member in self.members_ if isinstance(member.classifier, AdditiveOnCodes)]
        return as_shares(sum(member.share * member.classifier.column_importances() for member in additive))

    def _explain(self, row: Any, target: Any, against: Any) -> Explanation:
        return explain_average(self, row, target, against)

    def _exported(self) -> tuple[Scheme, Any]:
        others = [member.name for member in self.members_ if not member.is_sum]
        if others:
            raise ExportError(
                f"The member {others[0]!r} has no score that is a sum over columns, so it cannot be written as SQL, "
                "polars expressions or ONNX. Fit with exportable=True, which learns only members that can."
            )
        mixture = as_one_mixture(self.members_)
        return mixture.scheme, mixture


def _read_member(data: object, schemes: list[Scheme], where: str) -> Member:
    member = as_object(data, MEMBER_KEYS, f"{where}: 'members'")
    place = as_count(member["scheme"], f"{where}: 'scheme'")
    require(place < len(schemes), f"{where}: a member names scheme {place} of {len(schemes)}.")
    model = as_object(member["classifier"], member["classifier"], f"{where}: 'classifier'")
    name = model.get("model")
    require(isinstance(name, str) and name in KINDS, f"{where}: a member cannot be {in_short(name)}.")
    classifier = KINDS[str(name)]._read_model(model)  # noqa: SLF001
    fits = classifier._fits_codes(code_counts(schemes[place]))  # noqa: SLF001
    require(fits, f"{where}: the scheme and the classifier of a member differ in their bins.")
    share = as_number(member["share"], f"{where}: 'share'")
    return Member(as_text(member["name"], f"{where}: 'name'"), share, schemes[place], classifier)


def _check_members(members: tuple[Member, ...], names: NDArray[np.object_] | None, where: str) -> None:
    require(len(members) > 0, f"{where} has no member.")
    shares = [member.share for member in members]
    require(min(shares) > 0.0 and abs(sum(shares) - 1.0) < 1e-9, f"{where}: the shares must be positive, their sum 1.")
    first = members[0]
    expected = [f"x{j}" for j in range(len(first.scheme.attributes))] if names is None else list(names)
    for member in members:
        require(list(member.scheme.names) == expected, f"{where}: 'feature_names' and a scheme name different columns.")
        same = np.array_equal(member.classifier.classes_, first.classifier.classes_)
        require(same, f"{where}: the members differ in their classes.")
