"""What is written about a classifier of codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise.models.classifier_model import ClassifierModel
from cutwise.models.plain import as_count, require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.models.fields import Sizes


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
