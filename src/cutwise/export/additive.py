"""A classifier of codes as sums: what every export of scores starts from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import ExportError

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A part with a smaller share of the mixture moves no probability by as much as a rounding.
SMALLEST_SHARE = 1e-30


@dataclass(frozen=True, eq=False)
class SumPart:
    """A softmax of sums: a start and one number for each attribute.

    Parameters
    ----------
    share : float
        The part's share of the mixture.
    start : ndarray of shape (n_classes,)
        Minus infinity for a class without any probability.
    terms : ndarray of shape (n_cells, n_classes)
        What a cell, a bin of an attribute, adds.
    """

    share: float
    start: NDArray[np.float64]
    terms: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AdditiveScore:
    """Probabilities that are a mixture of softmaxes of sums.

    Parameters
    ----------
    classes : ndarray
        The class labels.
    offsets : ndarray of int, of shape (n_attributes + 1,)
        The first cell of each attribute; at the end the number of cells.
    parts : tuple of SumPart
    """

    classes: NDArray[Any]
    offsets: NDArray[np.int64]
    parts: tuple[SumPart, ...]

    @property
    def labels(self) -> list[Any]:
        """The class labels as Python's texts, booleans and numbers."""
        labels: list[Any] = self.classes.tolist()
        return [label.item() if isinstance(label, np.generic) else label for label in labels]

    def terms_of(self, part: SumPart, attribute: int) -> NDArray[np.float64]:
        """Return what each code of an attribute adds to each class."""
        return part.terms[self.offsets[attribute] : self.offsets[attribute + 1]]


def additive_score(classifier: Any) -> AdditiveScore:
    """Return what a fitted classifier of codes has learned, as sums."""
    try:
        found = classifier._parts()  # noqa: SLF001
    except (AttributeError, TypeError):
        message = (
            f"{type(classifier).__name__} cannot be written as SQL or ONNX, because its score is no sum over "
            "attributes. NaiveBayesClassifier, WANBIAClassifier, CAWNBClassifier, RNBClassifier and "
            "PreconditionedLogisticClassifier can."
        )
        raise ExportError(message) from None
    parts = tuple(SumPart(part.share, part.prior, part.terms) for part in found if part.share > SMALLEST_SHARE)
    for part in parts:
        if not np.isfinite(part.terms).all() or not (part.start < np.inf).all():
            message = f"{type(classifier).__name__} has learned a number that is not finite, so it cannot be written."
            raise ExportError(message)
    return AdditiveScore(classifier.classes_, classifier.tables_.offsets, parts)
