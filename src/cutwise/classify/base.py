"""A discretizer and a classifier of codes that act as one classifier of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from cutwise.classify.explain import explain_row
from cutwise.classify.predicting import ScoresTables
from cutwise.discretize.base import BaseDiscretizer
from cutwise.errors import ModelError
from cutwise.estimator import Choices, TakesTables, estimator
from cutwise.persist import ClassifierModel, SavedModel
from cutwise.persist.fields import as_names, plain_labels, plain_names
from cutwise.persist.saved_model import read_estimator, write_parameters
from cutwise.persist.strict import as_object, refused_as, require
from cutwise.scheme import Scheme, encode_columns, n_codes
from cutwise.scheme.event import place_of_event, rarer_class
from cutwise.scikit_learn import fit_context
from cutwise.validation import WEIGHTS, check_table, check_target, check_weights, meant_weights, set_fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.classify.explain import Explanation


KEYS = ("parameters", "feature_names", "scheme", "classifier")
# A discretizer that does not look at the class may have counted all rows as one.
ALL_ROWS = ("all rows",)


class FittedSteps(NamedTuple):
    """What a system consists of."""

    discretizer: Any
    classifier: Any


def cloned_discretizer(given: Any, parameter: str, other: str = "") -> BaseDiscretizer:
    """Return a discretizer like the one given, not fitted; raise if it is none, or leaves columns as they are.

    Parameters
    ----------
    given : object
    parameter : str
        What the parameter is called.
    other : str
        What else the parameter may be, for the message.
    """
    found = clone(given, safe=False)
    if not isinstance(found, BaseDiscretizer):
        message = f"{parameter!r} must be a discretizer of this library{other}, not {type(found).__name__}."
        raise TypeError(message)
    if found.columns is not None:
        message = (
            f"columns={list(found.columns)!r} lets the discretizer leave columns as they are, but the classifier needs "
            "the bins of all of them. Set columns=None, and pass a table without the others."
        )
        raise ValueError(message)
    return found


class SystemModel(SavedModel):
    """The base of the systems that are written to JSON."""

    # The kind of the classifier inside.
    _classifier_kind: ClassVar[type[ClassifierModel]] = ClassifierModel

    scheme_: Scheme
    classifier_: Any

    def _steps(self) -> FittedSteps:
        """Return the discretizer and the classifier, not fitted."""
        raise NotImplementedError

    def _finish(self, steps: FittedSteps, feature_names: NDArray[np.object_] | None) -> None:
        """Set the fitted attributes."""
        raise NotImplementedError

    def _write_body(self) -> dict[str, Any]:
        if not isinstance(self.classifier_, ClassifierModel):
            message = f"{type(self.classifier_).__name__} cannot be written to JSON."
            raise ModelError(message)
        return {
            "parameters": self._write_parameters(),
            "feature_names": plain_names(getattr(self, "feature_names_in_", None)),
            "scheme": self.scheme_.to_dict(),
            "classifier": self.classifier_._write_model(),  # noqa: SLF001
        }

    def _write_parameters(self) -> dict[str, Any]:
        return write_parameters(self)

    @classmethod
    def _read_parameters(cls, data: object, scheme: Scheme) -> Self:  # noqa: ARG003 - for subclasses
        """Return a system that is not fitted, made from its parameters and, where one of them is a scheme, from it."""
        system: Self = read_estimator(cls, data)
        return system

    @classmethod
    def _read_body(cls, data: dict[str, Any]) -> Self:
        where = cls.__name__
        body = as_object(data, KEYS, where)
        scheme = _read_scheme(body["scheme"])
        system = cls._read_parameters(body["parameters"], scheme)
        feature_names = as_names(body["feature_names"], f"{where}: 'feature_names'")
        expected = [f"x{j}" for j in range(len(scheme.attributes))] if feature_names is None else list(feature_names)
        require(list(scheme.names) == expected, f"{where}: 'feature_names' and the scheme name different columns.")
        model = as_object(body["classifier"], body["classifier"], f"{where}: 'classifier'")
        classifier = cls._classifier_kind._read_model(model)  # noqa: SLF001
        discretizer, wanted = system._steps()  # noqa: SLF001
        kinds = (type(wanted).__name__, type(classifier).__name__)
        require(kinds[0] == kinds[1], f"{where} has the classifier {kinds[1]}, but its parameters say {kinds[0]}.")
        _check_fit(scheme, classifier, where)
        if hasattr(discretizer, "method_name"):
            _check_method(scheme, discretizer, classifier, where)
            _restore(discretizer, scheme, classifier.classes_, feature_names)
        system._finish(FittedSteps(discretizer, classifier), feature_names)  # noqa: SLF001
        return system


def code_counts(scheme: Scheme) -> list[int]:
    """Return how many bins a classifier should know of each attribute."""
    # A column without any category has no code, but a classifier wants at least one.
    return [max(n_codes(attribute, scheme.missing), 1) for attribute in scheme.attributes]


def place_among(
    event: Any, scheme: Scheme, labels: NDArray[Any], places: NDArray[np.intp], weights: NDArray[np.float64] | None
) -> int | None:
    """Return the place of the event among the classes of rows; None if there are not two and none is named.

    By default it is that of the scheme, else the rarer of two classes.
    """
    known = labels.tolist()
    if event is not None:
        return place_of_event(event, known)
    if scheme.event in known:
        return place_of_event(scheme.event, known)
    return rarer_class(np.bincount(places, weights, minlength=2).tolist()) if len(known) == 2 else None


def _read_scheme(data: object) -> Scheme:
    with refused_as(ModelError, "The scheme of the model: "):
        return Scheme.from_dict(data)


def _check_fit(scheme: Scheme, classifier: ClassifierModel, where: str) -> None:
    """Check that a scheme and a classifier belong together."""
    fits = classifier._fits_codes(code_counts(scheme))  # noqa: SLF001
    require(fits, f"{where}: the scheme and the classifier differ in their bins.")
    require(not hasattr(classifier, "feature_names_in_"), f"{where}: the classifier of codes must not name columns.")


def _check_method(scheme: Scheme, discretizer: Any, classifier: ClassifierModel, where: str) -> None:
    """Check that a scheme is one that the discretizer may have made of the classifier's rows."""
    require(
        (scheme.method, scheme.missing) == (discretizer.method_name, discretizer.missing),
        f"{where}: the scheme is not one that {type(discretizer).__name__} makes with these parameters.",
    )
    labels = tuple(plain_labels(classifier.classes_)[1])
    require(scheme.classes in (labels, ALL_ROWS), f"{where}: the scheme and the classifier differ in their classes.")


def _restore(
    discretizer: Any, scheme: Scheme, classes: NDArray[Any], feature_names: NDArray[np.object_] | None
) -> None:
    """Make a discretizer what it was after its fit."""
    discretizer.n_features_in_ = len(scheme.attributes)
    if feature_names is not None:
        discretizer.feature_names_in_ = feature_names
    discretizer.classes_ = np.array(ALL_ROWS) if scheme.classes == ALL_ROWS else classes
    discretizer._set_scheme(scheme)  # noqa: SLF001


class FoundBySearch:
    """What systems tell of the search that found their classifier of codes."""

    def _fitted(self) -> Any:
        """Return the fitted classifier of codes; an attribute that is not there before a fit."""
        check_is_fitted(self, "classifier_")
        return self.classifier_  # type: ignore[attr-defined]

    @property
    def loss_(self) -> float:
        """The penalised log loss of the training rows."""
        return float(self._fitted().loss_)

    @property
    def n_iter_(self) -> int:
        """The steps of the last search."""
        return int(self._fitted().n_iter_)

    @property
    def converged_(self) -> bool:
        """Whether the search ended at the bottom."""
        return bool(self._fitted().converged_)


@estimator
class BaseSystem(SystemModel, TakesTables, ScoresTables, BaseEstimator):
    """The base of the classifiers of tables.

    A subclass is a dataclass whose fields are its parameters. It returns a new discretizer
    and a new classifier of codes from ``_steps``.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"weights": [Choices(*WEIGHTS)]}

    weights: str = "count"

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: D102
        table = check_table(self, X, reset=True)
        labels, places = check_target(self, table.data, y)
        target = labels[places]
        weights = check_weights(sample_weight, target.size)
        options = {} if weights is None else {"sample_weight": weights}
        discretizer, classifier = self._steps()
        discretizer.fit(X, target, **options)
        self._adapt_bins(FittedSteps(discretizer, classifier), table.data, target, weights)
        if weights is not None and classifier.get_params(deep=False).get("weights") != self.weights:
            options = {"sample_weight": meant_weights(weights, self.weights)}
        scheme = discretizer.scheme_
        codes = encode_columns(scheme, table.data, table.names)
        if classifier.get_params(deep=False).get("n_bins", 0) is None:
            classifier.set_params(n_bins=code_counts(scheme))
        classifier.fit(codes, target, **options)
        self._finish(FittedSteps(discretizer, classifier), table.feature_names)
        return self

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each column moves the scores of the training rows, as shares of 1; if the classifier tells."""
        found: NDArray[np.float64] = self.classifier_.feature_importances_
        return found

    def _adapt_bins(
        self, steps: FittedSteps, data: Any, target: NDArray[Any], weights: NDArray[np.float64] | None
    ) -> None:
        """Fit the discretizer again if the classifier wants other bins."""

    def _finish(self, steps: FittedSteps, feature_names: NDArray[np.object_] | None) -> None:
        """Set the fitted attributes, all of them at once."""
        learned = {
            "classes_": steps.classifier.classes_,
            "scheme_": steps.discretizer.scheme_,
            "discretizer_": steps.discretizer,
            "classifier_": steps.classifier,
        }
        set_fitted(self, len(steps.discretizer.scheme_.attributes), feature_names, learned)

    def _codes(self, X: Any) -> NDArray[np.int32]:
        """Return the codes of a table to predict."""
        check_is_fitted(self)
        table = check_table(self, X, reset=False)
        return encode_columns(self.scheme_, table.data, table.names)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: D102
        codes = self._codes(X)
        return np.asarray(self.classifier_.predict(codes))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        codes = self._codes(X)
        return np.asarray(self.classifier_.predict_proba(codes))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        codes = self._codes(X)
        return np.asarray(self.classifier_.predict_log_proba(codes))

    def _explain(self, row: Any, target: Any, against: Any) -> Explanation:
        return explain_row(self, row, target, against)

    def _exported(self) -> tuple[Scheme, Any]:
        return self.scheme_, self.classifier_
