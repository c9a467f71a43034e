"""What is written about a system: the scheme and the classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from cutwise.encode import n_codes
from cutwise.errors import ModelError, SchemeError
from cutwise.models import ClassifierModel, SavedModel
from cutwise.models.plain import as_names, as_object, plain_labels, plain_names, require
from cutwise.models.saved_model import read_estimator, write_parameters
from cutwise.scheme import Scheme

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEYS = ("parameters", "feature_names", "scheme", "classifier")
# A discretizer that does not look at the class may have counted all rows as one.
ALL_ROWS = ("all rows",)


class Steps(NamedTuple):
    """What a system consists of."""

    discretizer: Any
    classifier: Any


class SystemModel(SavedModel):
    """The base of the systems that are written to JSON."""

    scheme_: Scheme
    classifier_: Any

    def _steps(self) -> Steps:
        """Return the discretizer and the classifier, not fitted."""
        raise NotImplementedError

    def _finish(self, steps: Steps, feature_names: NDArray[np.object_] | None) -> None:
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
    def _read_parameters(cls, data: object) -> Self:
        """Return a system that is not fitted, made from its parameters."""
        system: Self = read_estimator(cls, data)
        return system

    @classmethod
    def _read_body(cls, data: dict[str, Any]) -> Self:
        where = cls.__name__
        body = as_object(data, KEYS, where)
        system = cls._read_parameters(body["parameters"])
        feature_names = as_names(body["feature_names"], f"{where}: 'feature_names'")
        scheme = _read_scheme(body["scheme"])
        expected = [f"x{j}" for j in range(len(scheme.attributes))] if feature_names is None else list(feature_names)
        require(list(scheme.names) == expected, f"{where}: 'feature_names' and the scheme name different columns.")
        model = as_object(body["classifier"], body["classifier"], f"{where}: 'classifier'")
        classifier = ClassifierModel._read_model(model)  # noqa: SLF001
        discretizer, wanted = system._steps()  # noqa: SLF001
        kinds = (type(wanted).__name__, type(classifier).__name__)
        require(kinds[0] == kinds[1], f"{where} has the classifier {kinds[1]}, but its parameters say {kinds[0]}.")
        _check_fit(scheme, discretizer, classifier, where)
        _restore(discretizer, scheme, classifier.classes_, feature_names)
        system._finish(Steps(discretizer, classifier), feature_names)  # noqa: SLF001
        return system


def code_counts(scheme: Scheme) -> list[int]:
    """Return how many bins a classifier should know of each attribute."""
    # A column without any category has no code, but a classifier wants at least one.
    return [max(n_codes(attribute, scheme.missing), 1) for attribute in scheme.attributes]


def _read_scheme(data: object) -> Scheme:
    try:
        return Scheme.from_dict(data)
    except SchemeError as error:
        message = f"The scheme of the model: {error}"
        raise ModelError(message) from None


def _check_fit(scheme: Scheme, discretizer: Any, classifier: ClassifierModel, where: str) -> None:
    """Check that the parts of a system belong together."""
    require(
        (scheme.method, scheme.missing) == (discretizer.method_name, discretizer.missing),
        f"{where}: the scheme is not one that {type(discretizer).__name__} makes with these parameters.",
    )
    fits = classifier._fits_codes(code_counts(scheme))  # noqa: SLF001
    require(fits, f"{where}: the scheme and the classifier differ in their bins.")
    require(not hasattr(classifier, "feature_names_in_"), f"{where}: the classifier of codes must not name columns.")
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
