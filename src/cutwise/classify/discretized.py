"""Any discretizer and any classifier of codes as one classifier."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from sklearn.base import clone

from cutwise.classify.base import BaseSystem, FittedSteps, cloned_discretizer
from cutwise.classify.bayes.naive import NaiveBayesClassifier
from cutwise.classify.bayes.regularised import RNBClassifier
from cutwise.classify.trees.c45 import C45Classifier
from cutwise.classify.trees.fewer_bins import JudgedRows, n_d_for_tree
from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.mrmd import MRmDDiscretizer
from cutwise.estimator import estimator
from cutwise.persist import ClassifierModel, find_model
from cutwise.persist.saved_model import read_estimator, write_parameters
from cutwise.persist.strict import as_object, in_short, require
from cutwise.registry import DISCRETIZERS, find
from cutwise.scikit_learn import HasMethods
from cutwise.validation import WEIGHTS, meant_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from cutwise.scheme import Scheme


@estimator
class DiscretizedClassifier(BaseSystem):
    """Cut the columns of a table with one estimator, classify the codes with another.

    It is a pipeline of the two that also tells the classifier how many bins there are, passes
    sample weights to both, explains its predictions and is written to JSON.

    Parameters
    ----------
    discretizer : discretizer or None, default=None
        Any discretizer of the library; None for ``MRmDDiscretizer()``. What its ``encode``
        says does not matter. With ``n_d="auto"`` and a ``C45Classifier``, a smaller N_D than that of
        the bins is taken if the tree is then right on more of a held-out fifth of the rows, by more
        than one standard error; ``discretizer_.n_d_`` is what was taken.
    classifier : classifier or None, default=None
        A classifier of codes; None for ``NaiveBayesClassifier()``. If it has the parameter
        ``n_bins`` and that is None, the scheme decides.
    weights : {"count", "relative"}, default="count"
        What sample weights mean: how often each row counts, or only their ratios.
        "relative" holds for both, whatever they say themselves.

    Attributes
    ----------
    discretizer_, classifier_ : estimators
        The fitted copies.
    scheme_ : Scheme
        The bins of every column.
    {attributes}

    Examples
    --------
    >>> from cutwise import DiscretizedClassifier, MDLPDiscretizer, NaiveBayesClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = DiscretizedClassifier(MDLPDiscretizer(place="readable"), NaiveBayesClassifier()).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.947
    >>> print(model.explain(X.iloc[77]))
    2 against 1: log-odds +1.148, probability 0.759
      attribute          value  bin         log-odds
      (prior)                                 +0.000
      petal width (cm)   1.7    (0.8, 1.7]    -2.120
      petal length (cm)  5      (4.7, inf)    +1.966
      sepal length (cm)  6.7    (6.1, inf)    +0.856
      sepal width (cm)   3      (2.9, 3.3]    +0.446
      (sum)                                   +1.148
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSystem._parameter_constraints,  # noqa: SLF001
        "discretizer": [None, HasMethods(["fit", "transform"])],
        "classifier": [None, HasMethods(["fit", "predict"])],
    }

    discretizer: Any = field(default=None, kw_only=False)
    classifier: Any = field(default=None, kw_only=False)

    def _steps(self) -> FittedSteps:
        given = MRmDDiscretizer() if self.discretizer is None else self.discretizer
        discretizer = cloned_discretizer(given, "discretizer")
        classifier = NaiveBayesClassifier() if self.classifier is None else clone(self.classifier)
        if self.weights != "count":
            for step in (discretizer, classifier):
                if step.get_params(deep=False).get("weights") in WEIGHTS:
                    step.set_params(weights=self.weights)
        return FittedSteps(discretizer, classifier)

    def _adapt_bins(
        self, steps: FittedSteps, data: Any, target: NDArray[Any], weights: NDArray[np.float64] | None
    ) -> None:
        if not isinstance(steps.classifier, C45Classifier) or getattr(steps.discretizer, "n_d", None) != "auto":
            return
        counts = None if weights is None else meant_weights(weights, self.weights)
        n_d = n_d_for_tree(*steps, JudgedRows(data, target, counts))
        if n_d != steps.discretizer.n_d_:
            options = {} if weights is None else {"sample_weight": weights}
            steps.discretizer.set_params(n_d=n_d).fit(data, target, **options)

    def _write_parameters(self) -> dict[str, Any]:
        steps = {"discretizer": self.discretizer, "classifier": self.classifier}
        written: dict[str, Any] = {name: None if step is None else write_step(step) for name, step in steps.items()}
        return written if self.weights == "count" else {**written, "weights": self.weights}

    @classmethod
    def _read_parameters(cls, data: object, scheme: Scheme) -> Self:  # noqa: ARG003
        where = f"{cls.__name__}: 'parameters'"
        names = ("discretizer", "classifier", *(("weights",) if isinstance(data, dict) and "weights" in data else ()))
        body = as_object(data, names, where)
        meaning = body.get("weights", "count")
        require(meaning in WEIGHTS, f"{where}: 'weights' must be one of {', '.join(WEIGHTS)}, not {in_short(meaning)}.")
        return cls(
            weights=meaning,
            discretizer=read_discretizer(body["discretizer"], "discretizer"),
            classifier=_read_step(body["classifier"], _find_classifier, "classifier"),
        )


def write_step(step: Any) -> dict[str, Any]:
    """Return the name and the parameters of an estimator that is a parameter."""
    return {"name": type(step).__name__, "parameters": write_parameters(step)}


def read_discretizer(data: object, what: str) -> Any:
    """Return the discretizer that a parameter describes, not fitted."""
    return _read_step(data, _find_discretizer, what)


def _read_step(data: object, find: Callable[[str], type[Any] | None], what: str) -> Any:
    if data is None:
        return None
    step = as_object(data, ("name", "parameters"), f"The parameter {what!r}")
    name = step["name"]
    found = find(name) if isinstance(name, str) else None
    require(found is not None, f"The {what} {in_short(name)} is unknown.")
    return read_estimator(cast("type[Any]", found), step["parameters"])


def _find_discretizer(name: str) -> type[Any] | None:
    """Return the discretizer of this name; one of a given scheme has no parameters that can be written."""
    found = find(name, DISCRETIZERS)
    return found if found is not None and issubclass(found, BaseDiscretizer) else None


def _find_classifier(name: str) -> type[Any] | None:
    """Return the classifier of this name; a system is none that a system can have."""
    found = find_model(name)
    return found if found is not None and issubclass(found, ClassifierModel) else None


OF_DISCRETIZER = (
    *("n_d", "validation", "n_splits", "search", "min_bin_size", "max_bins", "confirm", "special_values"),
    *("missing", "place", "random_state", "n_jobs", "weights"),
)
OF_CLASSIFIER = ("smoothing", "gradient", "weights")


@estimator
class MRmDRNBClassifier(BaseSystem):
    """Cut each column with MRmD, then mix two weighted naive Bayes models (RNB).

    MRmD finds cuts that are informative and hold on new rows. RNB then learns one weight
    for each attribute and one for each attribute and class, and how to mix the two models.

    Parameters
    ----------
    n_d : float or "auto", default=50.0
        How slowly the weight of the relevance falls with the number of cuts. Smaller
        values give fewer cuts. "auto" chooses one for the table by the held-out log loss of
        its bins; ``discretizer_.n_d_`` is what was chosen.
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
    confirm : float or None, default=None
        A cut is made only if the best cut of its bin would be as good by chance with at most this
        probability; see ``MRmDDiscretizer``.
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
    {workers}

    Attributes
    ----------
    scheme_ : Scheme
        The bins of every column.
    discretizer_ : MRmDDiscretizer
        The fitted discretizer.
    classifier_ : RNBClassifier
        The fitted classifier of codes, with the weights.
    {attributes}

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

    n_d: Any = field(default=50.0, kw_only=False)
    validation: str = "expected"
    n_splits: int = 9
    search: str = "greedy"
    min_bin_size: float | None = None
    max_bins: int | None = None
    confirm: float | None = None
    special_values: Any = None
    missing: Any = "code"
    place: Any = "midpoint"
    smoothing: str = "m"
    gradient: str = "exact"
    random_state: Any = None
    n_jobs: int | None = None

    def _steps(self) -> FittedSteps:
        return FittedSteps(
            MRmDDiscretizer(**{name: getattr(self, name) for name in OF_DISCRETIZER}),
            RNBClassifier(**{name: getattr(self, name) for name in OF_CLASSIFIER}),
        )
