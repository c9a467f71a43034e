"""Models as JSON: one way to write a model, and a reader that takes nothing else.

Version 1. The text is as strict as that of a scheme: equal models give equal bytes, and
whatever is wrong with it, the reader raises ModelError. It names a model; the
reader looks the name up in the registry of estimators. It imports nothing but the library's
own classifiers, whatever the text says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from cutwise.errors import ModelError
from cutwise.persist.fields import as_names, plain_labels, plain_names, plain_parameters, read_labels, read_parameters
from cutwise.persist.strict import (
    as_count,
    as_list,
    as_object,
    check_head,
    in_short,
    parse_json,
    readable_json,
    refused_as,
    require,
)
from cutwise.registry import CLASSIFIERS, find
from cutwise.scikit_learn import InvalidParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.persist.fields import LearnedField, Sizes

FORMAT = "cutwise model"
VERSION = 1
# Parameters that are written only where they have another value.
_UNSAID = {
    "weights": "count",
    "others": "error",
    "confirm": None,
    "event": None,
    "nominal": "bin",
    "columns": None,
    "decode": "label",
    "fit_prior": True,
    "class_prior": None,
    "min_categories": None,
    "max_categories": None,
    "prune_for": None,
}


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
        """Return the fitted model as dicts, lists, strings and numbers."""
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
            Dicts, lists, strings and numbers.

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
            raise ModelError(f"The text holds the model {in_short(name)}, not one of the kind {cls.__name__}.")
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


def write_parameters(estimator: Any, **instead: Any) -> dict[str, Any]:
    """Return the parameters of an estimator as JSON can hold them, some with another value."""
    parameters = {**estimator.get_params(deep=False), **instead}
    return plain_parameters({name: value for name, value in parameters.items() if not _is_usual(name, value)})


def _is_usual(name: str, value: Any) -> bool:
    """Return whether a parameter need not be written."""
    return name in _UNSAID and isinstance(value, type(_UNSAID[name])) and value == _UNSAID[name]


def read_estimator(cls: type[Any], data: object) -> Any:
    """Return an estimator that is not fitted, made from its parameters."""
    said = [name for name in cls._get_param_names() if name not in _UNSAID or (isinstance(data, dict) and name in data)]
    estimator = cls(**read_parameters(data, said, cls.__name__))
    try:
        estimator._validate_params()
    except InvalidParameterError as error:
        raise ModelError(str(error)) from None
    return estimator


class ClassifierModel(SavedModel):
    """The base of single classifiers that are written to JSON.

    A subclass lists in ``_learned`` the attributes that ``fit`` sets, beside the classes
    and the columns, each with its shape. Where that is not enough, it extends ``_fields``,
    ``_get_learned`` and ``_set_learned``. How columns are described is up to
    ``_write_columns``, ``_read_columns`` and ``_set_columns``.
    """

    _learned: ClassVar[Mapping[str, LearnedField] | None] = None
    _columns_key: ClassVar[str] = "columns"

    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    @classmethod
    def _fields(cls) -> Mapping[str, LearnedField]:
        """Return what the model has learned: a shape for each name."""
        if cls._learned is None:
            raise ModelError(f"{cls.__name__} cannot be written to JSON.")
        return cls._learned

    def _get_learned(self) -> dict[str, Any]:
        """Return the values of all fields."""
        return {name: getattr(self, name) for name in self._learned or ()}

    def _set_learned(self, learned: dict[str, Any]) -> None:
        """Set the fitted attributes from the values of all fields."""
        for name, value in learned.items():
            setattr(self, name, value)

    def _write_columns(self) -> list[Any]:
        """Return what was learned of each column."""
        raise NotImplementedError

    @classmethod
    def _read_columns(cls, data: list[Any], where: str) -> Any:
        """Return what was learned of each column, checked."""
        raise NotImplementedError

    def _set_columns(self, columns: Any) -> None:
        """Set the fitted attributes that describe the columns."""
        raise NotImplementedError

    def _fits_codes(self, n_bins: Sequence[int]) -> bool:
        """Return whether the model may have learned from codes with these numbers of bins."""
        raise NotImplementedError

    @classmethod
    def _sizes(cls, n_classes: int, columns: Any) -> Sizes:
        """Return the length of every axis that a field may have."""
        return {"classes": n_classes, "attributes": len(columns)}

    def _write_body(self) -> dict[str, Any]:
        label_type, classes = plain_labels(self.classes_)
        columns = self._write_columns()
        sizes = self._sizes(len(classes), self._read_columns(columns, type(self).__name__))
        fields = self._fields()
        learned = self._get_learned()
        return {
            "parameters": write_parameters(self),
            "label_type": label_type,
            "classes": classes,
            "feature_names": plain_names(getattr(self, "feature_names_in_", None)),
            self._columns_key: columns,
            "learned": {name: field.write(learned[name], name, sizes) for name, field in fields.items()},
        }

    @classmethod
    def _read_body(cls, data: dict[str, Any]) -> Self:
        where, key = cls.__name__, cls._columns_key
        body = as_object(data, ("parameters", "label_type", "classes", "feature_names", key, "learned"), where)
        classes = read_labels(body["label_type"], body["classes"])
        names = as_names(body["feature_names"], f"{where}: 'feature_names'")
        described = as_list(body[key], f"{where}: {key!r}")
        require(len(described) > 0, f"{where}: {key!r} must name at least one attribute.")
        columns = cls._read_columns(described, where)
        same_length = names is None or names.size == len(described)
        require(same_length, f"{where}: 'feature_names' and {key!r} differ in length.")
        sizes, fields = cls._sizes(classes.size, columns), cls._fields()
        data = as_object(body["learned"], fields, f"{where}: 'learned'")
        learned = {name: field.read(data[name], name, sizes) for name, field in fields.items()}
        model: Self = read_estimator(cls, body["parameters"])
        model.classes_ = classes
        model.n_features_in_ = len(described)
        if names is not None:
            model.feature_names_in_ = names
        model._set_columns(columns)
        model._set_learned(learned)
        return model


class CodeModel(ClassifierModel):
    """The base of classifiers of codes that are written to JSON: of a column they know the number of bins."""

    _columns_key: ClassVar[str] = "n_bins"

    n_bins_: NDArray[np.int64]

    def _write_columns(self) -> list[Any]:
        return list(self.n_bins_.tolist())

    @classmethod
    def _read_columns(cls, data: list[Any], where: str) -> NDArray[np.int64]:
        n_bins = np.array([as_count(number, f"{where}: 'n_bins'") for number in data], dtype=np.int64)
        require(bool((n_bins > 0).all()), f"{where}: every attribute has at least one bin.")
        return n_bins

    def _set_columns(self, columns: NDArray[np.int64]) -> None:
        self.n_bins_ = columns

    def _fits_codes(self, n_bins: Sequence[int]) -> bool:
        return bool(self.n_bins_.tolist() == list(n_bins))

    @classmethod
    def _sizes(cls, n_classes: int, columns: NDArray[np.int64]) -> Sizes:
        return {**super()._sizes(n_classes, columns), "cells": sum(columns.tolist())}
