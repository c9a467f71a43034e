"""MRmD-RNB: the system of the article, on tables as they come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from cutwise.bayes import RNBClassifier
from cutwise.discretize import MRmDDiscretizer
from cutwise.models import saved_model
from cutwise.systems.base import BaseSystem
from cutwise.systems.saved import Steps

OF_DISCRETIZER = (
    *("n_d", "validation", "n_splits", "search", "min_bin_size", "max_bins", "special_values", "missing"),
    *("place", "random_state", "n_jobs", "weights"),
)
OF_CLASSIFIER = ("smoothing", "gradient", "weights")


@saved_model
@dataclass(eq=False, repr=False, kw_only=True)
class MRmDRNBClassifier(BaseSystem):
    """Cut each column with MRmD, then mix two weighted naive Bayes models (RNB).

    MRmD finds cuts that tell of the class and hold on new rows. RNB then learns one weight
    for each attribute and one for each attribute and class, and how to mix the two models.

    Parameters
    ----------
    n_d : float, default=50.0
        How slowly the weight of the relevance falls with the number of cuts. Smaller
        values give fewer cuts.
    validation : {"expected", "crossfit", "holdout"}, default="expected"
        Which rows are the validation part; the article's is "holdout". See
        ``MRmDDiscretizer``.
    n_splits : int, default=9
        The validation part is one n_splits-th of the rows.
    search : {"greedy", "exact"}, default="greedy"
        How cuts are sought.
    min_bin_size : int, float or None, default=None
        The least number of rows in a bin, or as a float their least share of all rows.
    max_bins : int or None, default=None
        The largest number of bins of a numeric column.
    special_values : list, dict or None, default=None
        Numbers such as -999 that are codes, not measurements; each keeps a bin of its own.
    missing : {"code", "bin"}, default="code"
        A missing value is left out of the row ("code"), or is a bin like any other ("bin"). An
        unseen category is left out.
    place : {"midpoint", "readable", "value"}, default="midpoint"
        Where in the gap between two values a cut is put; "readable" gives the shortest
        decimals, for explanations.
    smoothing : {"m", "laplace"}, default="m"
        How RNB estimates probabilities.
    gradient : {"exact", "published"}, default="exact"
        How RNB finds its weights; "published" follows the authors' program.
    random_state : int, RandomState instance or None, default=None
        Deals the rows into parts for "crossfit" and "holdout".
    n_jobs : int or None, default=None
        Columns cut at the same time, in threads. The result does not depend on it.
    weights : {"count", "relative"}, default="count"
        What sample weights mean: how often each row counts, or only their ratios. See "Sample
        weights" in the user guide.

    Attributes
    ----------
    scheme_ : Scheme
        The bins of every column.
    discretizer_ : MRmDDiscretizer
        The fitted discretizer.
    classifier_ : RNBClassifier
        The fitted classifier of codes, with the weights.
    classes_ : ndarray
        The class labels.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of them are texts.

    See Also
    --------
    DiscretizedClassifier : Any discretizer and any classifier of codes.

    References
    ----------
    Wang, Ren, Bai, Yao and Jiang, "A Max-Relevance-Min-Divergence Criterion for Data
    Discretization with Applications on Naive Bayes", Pattern Recognition 149, 2024.

    Examples
    --------
    >>> from cutwise import MRmDRNBClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = MRmDRNBClassifier().fit(X, y)
    >>> model.predict(X.iloc[[0, 60, 120]])
    array([0, 1, 2])
    >>> again = MRmDRNBClassifier.from_json(model.to_json())
    >>> bool((again.predict_proba(X) == model.predict_proba(X)).all())
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{name: MRmDDiscretizer._parameter_constraints[name] for name in OF_DISCRETIZER},  # noqa: SLF001
        **{name: RNBClassifier._parameter_constraints[name] for name in OF_CLASSIFIER},  # noqa: SLF001
    }

    n_d: float = field(default=50.0, kw_only=False)
    validation: str = "expected"
    n_splits: int = 9
    search: str = "greedy"
    min_bin_size: float | None = None
    max_bins: int | None = None
    special_values: Any = None
    missing: Any = "code"
    place: Any = "midpoint"
    smoothing: str = "m"
    gradient: str = "exact"
    random_state: Any = None
    n_jobs: int | None = None

    def _steps(self) -> Steps:
        return Steps(
            MRmDDiscretizer(**{name: getattr(self, name) for name in OF_DISCRETIZER}),
            RNBClassifier(**{name: getattr(self, name) for name in OF_CLASSIFIER}),
        )
