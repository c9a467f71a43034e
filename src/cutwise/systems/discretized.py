"""Any discretizer and any classifier of codes as one classifier."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from sklearn.base import clone
from sklearn.utils._param_validation import HasMethods

from cutwise import discretize
from cutwise.bayes import NaiveBayesClassifier
from cutwise.discretize import MRmDDiscretizer
from cutwise.discretize.base import BaseDiscretizer
from cutwise.fitting import WEIGHTS
from cutwise.models import ClassifierModel, find_model, saved_model
from cutwise.models.plain import as_object, in_short, require
from cutwise.models.saved_model import read_estimator, write_parameters
from cutwise.systems.base import BaseSystem
from cutwise.systems.saved import Steps

if TYPE_CHECKING:
    from collections.abc import Callable

DISCRETIZERS: dict[str, type[Any]] = {
    name: getattr(discretize, name) for name in discretize.__all__ if hasattr(getattr(discretize, name), "method_name")
}


@saved_model
@dataclass(eq=False, repr=False, kw_only=True)
class DiscretizedClassifier(BaseSystem):
    """Cut the columns of a table with one estimator, classify the codes with another.

    It is a pipeline of the two that also tells the classifier how many bins there are, passes
    sample weights to both, explains its predictions and is written to JSON.

    Parameters
    ----------
    discretizer : discretizer or None, default=None
        Any discretizer of the library; None for ``MRmDDiscretizer()``. What its ``encode``
        says does not matter.
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
    classes_ : ndarray
        The class labels.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of them are texts.

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

    def _steps(self) -> Steps:
        discretizer = MRmDDiscretizer() if self.discretizer is None else clone(self.discretizer)
        if not isinstance(discretizer, BaseDiscretizer):
            message = f"'discretizer' must be a discretizer of this library, not {type(discretizer).__name__}."
            raise TypeError(message)
        classifier = NaiveBayesClassifier() if self.classifier is None else clone(self.classifier)
        if self.weights != "count":
            for step in (discretizer, classifier):
                if step.get_params(deep=False).get("weights") in WEIGHTS:
                    step.set_params(weights=self.weights)
        return Steps(discretizer, classifier)

    def _write_parameters(self) -> dict[str, Any]:
        steps = {"discretizer": self.discretizer, "classifier": self.classifier}
        written: dict[str, Any] = {name: None if step is None else _write_step(step) for name, step in steps.items()}
        return written if self.weights == "count" else {**written, "weights": self.weights}

    @classmethod
    def _read_parameters(cls, data: object) -> Self:
        where = f"{cls.__name__}: 'parameters'"
        names = ("discretizer", "classifier", *(("weights",) if isinstance(data, dict) and "weights" in data else ()))
        body = as_object(data, names, where)
        meaning = body.get("weights", "count")
        require(meaning in WEIGHTS, f"{where}: 'weights' must be one of {', '.join(WEIGHTS)}, not {in_short(meaning)}.")
        return cls(
            weights=meaning,
            discretizer=_read_step(body["discretizer"], DISCRETIZERS.get, "discretizer"),
            classifier=_read_step(body["classifier"], _find_classifier, "classifier"),
        )


def _write_step(step: Any) -> dict[str, Any]:
    return {"name": type(step).__name__, "parameters": write_parameters(step)}


def _read_step(data: object, find: Callable[[str], type[Any] | None], what: str) -> Any:
    if data is None:
        return None
    step = as_object(data, ("name", "parameters"), f"The parameter {what!r}")
    name = step["name"]
    found = find(name) if isinstance(name, str) else None
    require(found is not None, f"The {what} {in_short(name)} is unknown.")
    return read_estimator(cast("type[Any]", found), step["parameters"])


def _find_classifier(name: str) -> type[Any] | None:
    """Return the classifier of this name; a system is none that a system can have."""
    found = find_model(name)
    return found if found is not None and issubclass(found, ClassifierModel) else None
