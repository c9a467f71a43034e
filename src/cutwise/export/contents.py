"""What is exported: the categories of nominal attributes, and classifiers of codes as sums."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.categories import NO_VALUE, spelled_codes
from cutwise.errors import ExportError
from cutwise.scheme.figures import NUMBERS, code_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.scheme import Category, NominalAttribute, Scheme

LARGEST_WHOLE_DOUBLE = 2**53
# Up to this many cuts a value is compared with each of them; with more it is searched for among them.
MANY_CUTS = 64


def bin_groups(codes: range) -> list[range]:
    """Return neighbouring codes in groups of about equal size, at most MANY_CUTS of them."""
    size = -(-len(codes) // MANY_CUTS)
    return [codes[first : first + size] for first in range(0, len(codes), size)]


def with_numbers(scheme: Scheme, encode: str) -> tuple[Scheme, list[list[float]] | None]:
    """Return the scheme whose codes are taken, and the number of each code, that of -1 last; None for codes as such."""
    if encode == "ordinal":
        return scheme, None
    if encode not in NUMBERS:
        raise ExportError(f"'encode' must be 'ordinal', 'woe' or 'rate' here, not {encode!r}.")
    return replace(scheme, missing="bin"), [numbers.tolist() for numbers in code_numbers(scheme, encode)]


def holds_texts(attribute: NominalAttribute) -> bool:
    """Tell whether the categories are strings; otherwise they are numbers or booleans."""
    return not attribute.categories or any(isinstance(category, str) for category in attribute.categories)


def holds_numbers(attribute: NominalAttribute) -> bool:
    """Tell whether the categories are numbers, which are compared as such; all others are compared as strings."""
    return bool(attribute.categories) and not any(isinstance(item, str | bool) for item in attribute.categories)


def code_of_category(attribute: NominalAttribute) -> dict[Category, int]:
    """Return the code of each category."""
    return dict(zip(attribute.categories, attribute.codes, strict=True))


def text_codes(attribute: NominalAttribute, missing: str) -> dict[str, int]:
    """Return the code of each string that is a category or, where missing values have a bin, stands for no value.

    Half characters are in no column of strings.
    """
    codes = dict.fromkeys(NO_VALUE, attribute.n_bins) if missing == "bin" else {}
    own = attribute.codes
    codes |= {text: own[place] for text, place in spelled_codes(attribute.categories).items()}
    return {text: code for text, code in codes.items() if not has_half_character(text)}


def has_half_character(text: str) -> bool:
    """Tell whether a string holds half of a character, which no column and no name of a database can."""
    return any(0xD800 <= ord(char) < 0xE000 for char in text)


def number_codes(attribute: NominalAttribute) -> dict[float, int]:
    """Return the code of each category as a double, booleans as 0 and 1."""
    codes = {}
    for category, code in zip(attribute.categories, attribute.codes, strict=True):
        if isinstance(category, int) and abs(category) > LARGEST_WHOLE_DOUBLE:
            raise ExportError(
                f"Attribute {attribute.name!r}: the category {category} is beyond 2**53, where doubles cannot tell "
                "whole numbers apart. Turn the column into text."
            )
        codes[float(category)] = code
    return codes


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
class PairTerms:
    """What two attributes add together, on the grid of groups of their codes.

    Parameters
    ----------
    attributes : tuple of int
        The places of the two.
    groups : tuple of two ndarrays of int
        The group of each code of either, from 1 on; 0 for none.
    terms : ndarray of shape (n_groups, n_groups of the other, n_classes)
    part : int
        The place of the part that they belong to.
    """

    attributes: tuple[int, int]
    groups: tuple[NDArray[np.int64], NDArray[np.int64]]
    terms: NDArray[np.float64]
    part: int = 0

    @property
    def cells(self) -> NDArray[np.float64]:
        """What each cell adds; a row with the groups a and b is in the cell ``a * (n_groups of the other + 1) + b``."""
        return np.pad(self.terms, ((1, 0), (1, 0), (0, 0))).reshape(-1, self.terms.shape[2])


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
    pairs : tuple of PairTerms
        What pairs of attributes add; an attribute has the same groups in all pairs.
    """

    classes: NDArray[Any]
    offsets: NDArray[np.int64]
    parts: tuple[SumPart, ...]
    pairs: tuple[PairTerms, ...] = ()

    @property
    def labels(self) -> list[Any]:
        """The class labels as Python's strings, booleans and numbers."""
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
        raise ExportError(
            f"{type(classifier).__name__} cannot be written as SQL, polars expressions or ONNX, because its score "
            "is no sum over attributes. NaiveBayesClassifier, WANBIAClassifier, CAWNBClassifier, RNBClassifier and "
            "PreconditionedLogisticClassifier can."
        ) from None
    parts = tuple(SumPart(part.share, part.prior, part.terms) for part in found if part.share > SMALLEST_SHARE)
    for part in parts:
        if not np.isfinite(part.terms).all() or not (part.start < np.inf).all():
            message = f"{type(classifier).__name__} has learned a number that is not finite, so it cannot be written."
            raise ExportError(message)
    pairs = classifier._pairs() if hasattr(classifier, "_pairs") else ()  # noqa: SLF001
    return AdditiveScore(classifier.classes_, classifier.tables_.offsets, parts, pairs)


@dataclass(frozen=True, eq=False)
class CardContents:
    """What a scorecard gives besides probabilities.

    Parameters
    ----------
    names : tuple of str
        The columns.
    event : int
        The place of the event among the classes.
    points, costs : list of ndarray
        The points of each code of each column, and how many it costs against the best or the mean; at the end those of
        the code -1.
    reasons : int
        The number of reasons.
    baselines : list of float
        The points that each column is compared with.
    filled : list of ndarray of bool
        Whether each code of each column has training rows.
    scale : tuple of two floats
        The score of even odds, and the points of a log-odds of 1.
    """

    names: tuple[str, ...]
    event: int
    points: list[NDArray[np.float64]]
    costs: list[NDArray[np.float64]]
    reasons: int
    baselines: list[float]
    filled: list[NDArray[np.bool_]]
    scale: tuple[float, float]

    @property
    def n_tried(self) -> int:
        """The reasons that there may be."""
        return min(self.reasons, len(self.names))

    @property
    def result_names(self) -> list[str]:
        """The names of the columns that come out."""
        reasons = [f"reason_{place + 1}" for place in range(self.reasons)]
        return ["score", "probability", "prediction", *reasons, *(f"points_{name}" for name in self.names)]
