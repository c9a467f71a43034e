"""Models as JSON: one way to write a model, and a reader that takes nothing else.

Version 1. The text is as strict as that of a scheme: equal models give equal bytes, and
whatever is wrong with a text, the reader raises ModelError. A text names a model; the
reader looks the name up in the registry of estimators. It imports nothing but the library's
own classifiers, whatever the text says.
"""

from __future__ import annotations

from typing import Any, Self

from sklearn.utils._param_validation import InvalidParameterError
from sklearn.utils.validation import check_is_fitted

from cutwise.errors import ModelError
from cutwise.persist.plain import plain_parameters, read_parameters
from cutwise.persist.strict import check_head, in_short, parse_json, readable_json, refused_as
from cutwise.registry import CLASSIFIERS, find

FORMAT = "cutwise model"
VERSION = 1
# Parameters that are written only where they have another value.
_UNSAID = {"weights": "count", "others": "error"}


def find_model(name: object) -> type[SavedModel] | None:
    """Return the classifier of this name that is read from JSON; None if there is none."""
    found = find(name, CLASSIFIERS)
    return found if found is not None and issubclass(found, SavedModel) else None


class SavedModel:
    """The base of the classifiers that are written to and read from JSON.

    A subclass says what there is to write (``_write_body``) and how to read it
    (``_read_body``). A line in ``cutwise.registry`` makes it known to `model_from_json`.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted model as dicts, lists, texts and numbers."""
        check_is_fitted(self)
        with refused_as(ModelError):
            return {"format": FORMAT, "version": VERSION, **self._write_model()}

    def to_json(self) -> str:
        """Return the fitted model as JSON; equal models give equal bytes."""
        data = self.to_dict()
        with refused_as(ModelError):
            return readable_json(data, "the model", "With fewer bins, rows or neurons it is smaller.")

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Read what `to_dict` wrote; raise ModelError if anything is off.

        Parameters
        ----------
        data : object
            Dicts, lists, texts and numbers.

        Returns
        -------
        Self
            The model, fitted.
        """
        with refused_as(ModelError):
            found = check_head(data, FORMAT, VERSION, "model")
            return cls._read_model({key: found[key] for key in found if key not in ("format", "version")})

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read what `to_json` wrote; raise ModelError if anything is off.

        Parameters
        ----------
        text : str or bytes
            JSON.

        Returns
        -------
        Self
            The model, fitted.
        """
        with refused_as(ModelError):
            return cls.from_dict(parse_json(text))

    def _write_model(self) -> dict[str, Any]:
        return {"model": type(self).__name__, **self._write_body()}

    @classmethod
    def _read_model(cls, data: dict[str, Any]) -> Self:
        """Read a model without the head of the text."""
        name = data.get("model")
        found = cls if name == cls.__name__ else find_model(name)
        if found is None or not issubclass(found, cls):
            message = f"The text holds the model {in_short(name)}, not one of the kind {cls.__name__}."
            raise ModelError(message)
        return found._read_body({key: data[key] for key in data if key != "model"})  # noqa: SLF001

    def _write_body(self) -> dict[str, Any]:
        raise NotImplementedError

    @classmethod
    def _read_body(cls, data: dict[str, Any]) -> Self:
        raise NotImplementedError


def model_from_json(text: str | bytes) -> SavedModel:
    """Read a model of any kind; raise ModelError if anything is off.

    Parameters
    ----------
    text : str or bytes
        What ``to_json`` wrote.

    Returns
    -------
    SavedModel
        The fitted model.
    """
    return SavedModel.from_json(text)


def write_parameters(estimator: Any) -> dict[str, Any]:
    """Return the parameters of an estimator as JSON can hold them."""
    parameters = estimator.get_params(deep=False)
    return plain_parameters(
        {name: value for name, value in parameters.items() if name not in _UNSAID or value != _UNSAID[name]}
    )


def read_estimator(cls: type[Any], data: object) -> Any:
    """Return an estimator that is not fitted, made from its parameters."""
    said = [name for name in cls._get_param_names() if name not in _UNSAID or (isinstance(data, dict) and name in data)]
    estimator = cls(**read_parameters(data, said, cls.__name__))
    try:
        estimator._validate_params()
    except InvalidParameterError as error:
        raise ModelError(str(error)) from None
    return estimator
