"""Models as JSON: one way to write a model, and a reader that takes nothing else.

Version 1. The text is as strict as that of a scheme: equal models give equal bytes, and
whatever is wrong with a text, the reader raises ModelError. A text names a model; the
reader looks the name up among the classes that the library has registered. It imports
nothing but the library's own classifiers, whatever the text says.
"""

from __future__ import annotations

import importlib
from typing import Any, Self, TypeVar

from sklearn.utils._param_validation import InvalidParameterError
from sklearn.utils.validation import check_is_fitted

from cutwise.errors import ModelError, SchemeError
from cutwise.persist.plain import in_short, plain_parameters, read_parameters, require
from cutwise.scheme.json_format import parse_json, readable_json

FORMAT = "cutwise model"
VERSION = 1
MODELS: dict[str, type[SavedModel]] = {}
# Parameters that are written only where they have another value.
_UNSAID = {"weights": "count", "others": "error"}
# The stages with classifiers, which are registered when their stage is loaded.
HOMES = ("cutwise.classify.bayes", "cutwise.classify.networks", "cutwise.classify", "cutwise.classify.trees")

Model = TypeVar("Model", bound="type[SavedModel]")


def saved_model(cls: Model) -> Model:
    """Make a class known to the reader by its name."""
    known = MODELS.setdefault(cls.__name__, cls)
    if known is not cls:
        message = f"There is a model {cls.__name__!r} already: {known.__module__}."
        raise ValueError(message)
    return cls


def find_model(name: object) -> type[SavedModel] | None:
    """Return the registered class of this name; None if there is none."""
    if not isinstance(name, str):
        return None
    if name not in MODELS:
        for home in HOMES:
            importlib.import_module(home)
    return MODELS.get(name)


class SavedModel:
    """The base of the classifiers that are written to and read from JSON.

    A subclass says what there is to write (``_write_body``) and how to read it
    (``_read_body``), and is registered with ``@saved_model``.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted model as dicts, lists, texts and numbers."""
        check_is_fitted(self)
        return {"format": FORMAT, "version": VERSION, **self._write_model()}

    def to_json(self) -> str:
        """Return the fitted model as JSON; equal models give equal bytes."""
        data = self.to_dict()
        try:
            return readable_json(data, "the model", "With fewer bins, rows or neurons it is smaller.")
        except SchemeError as error:
            raise ModelError(str(error)) from None

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
        if not isinstance(data, dict):
            message = f"The model must be an object, not {in_short(data)}."
            raise ModelError(message)
        form, version = data.get("format"), data.get("version")
        require(form == FORMAT, f"This is no model: 'format' is {in_short(form)}, not {FORMAT!r}.")
        require(
            version == VERSION and type(version) is int,
            f"Version {in_short(version)} of the format is unknown; this library reads version {VERSION}. "
            "Try a newer release.",
        )
        return cls._read_model({key: data[key] for key in data if key not in ("format", "version")})

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
        try:
            data = parse_json(text)
        except SchemeError as error:
            raise ModelError(str(error)) from None
        return cls.from_dict(data)

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
