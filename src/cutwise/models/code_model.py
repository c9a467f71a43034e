"""What is written about a classifier of codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from cutwise.errors import ModelError
from cutwise.models.plain import as_count, as_list, as_names, as_object, plain_labels, plain_names, read_labels, require
from cutwise.models.saved_model import SavedModel, read_estimator, write_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cutwise.models.fields import Field, Sizes

KEYS = ("parameters", "label_type", "classes", "feature_names", "n_bins", "learned")


class CodeModel(SavedModel):
    """The base of classifiers of codes that are written to JSON.

    A subclass lists in ``_learned`` the attributes that ``fit`` sets, beside the classes
    and the columns, each with its shape. Where that is not enough, it extends ``_fields``,
    ``_get_learned`` and ``_set_learned``.
    """

    _learned: ClassVar[Mapping[str, Field] | None] = None

    classes_: NDArray[Any]
    n_bins_: NDArray[np.int64]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    @classmethod
    def _fields(cls) -> Mapping[str, Field]:
        """Return what the model has learned: a shape for each name."""
        if cls._learned is None:
            message = f"{cls.__name__} cannot be written to JSON."
            raise ModelError(message)
        return cls._learned

    def _get_learned(self) -> dict[str, Any]:
        """Return the values of all fields."""
        return {name: getattr(self, name) for name in self._learned or ()}

    def _set_learned(self, learned: dict[str, Any]) -> None:
        """Set the fitted attributes from the values of all fields."""
        for name, value in learned.items():
            setattr(self, name, value)

    @classmethod
    def _sizes(cls, n_classes: int, n_bins: NDArray[np.int64]) -> Sizes:
        """Return the length of every axis that a field may have."""
        return {"classes": n_classes, "attributes": n_bins.size, "cells": sum(n_bins.tolist())}

    def _write_body(self) -> dict[str, Any]:
        label_type, classes = plain_labels(self.classes_)
        sizes = self._sizes(len(classes), self.n_bins_)
        learned = self._get_learned()
        return {
            "parameters": write_parameters(self),
            "label_type": label_type,
            "classes": classes,
            "feature_names": plain_names(getattr(self, "feature_names_in_", None)),
            "n_bins": self.n_bins_.tolist(),
            "learned": {name: field.write(learned[name], name, sizes) for name, field in self._fields().items()},
        }

    @classmethod
    def _read_body(cls, data: dict[str, Any]) -> Self:
        where = cls.__name__
        body = as_object(data, KEYS, where)
        classes = read_labels(body["label_type"], body["classes"])
        names = as_names(body["feature_names"], f"{where}: 'feature_names'")
        counts = [as_count(number, f"{where}: 'n_bins'") for number in as_list(body["n_bins"], f"{where}: 'n_bins'")]
        n_bins = np.array(counts, dtype=np.int64)
        require(n_bins.size > 0, f"{where}: 'n_bins' must name at least one attribute.")
        require(bool((n_bins > 0).all()), f"{where}: every attribute has at least one bin.")
        require(names is None or names.size == n_bins.size, f"{where}: 'feature_names' and 'n_bins' differ in length.")
        sizes = cls._sizes(classes.size, n_bins)
        fields = cls._fields()
        data = as_object(body["learned"], fields, f"{where}: 'learned'")
        learned = {name: field.read(data[name], name, sizes) for name, field in fields.items()}
        model: Self = read_estimator(cls, body["parameters"])
        model.classes_ = classes
        model.n_features_in_ = n_bins.size
        if names is not None:
            model.feature_names_in_ = names
        model.n_bins_ = n_bins
        model._set_learned(learned)
        return model
