"""One attribute of a scheme: its bins and where they come from."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

Category = str | bool | int | float


class CutTrial(NamedTuple):
    """A cut that the search tried, and the score of the scheme with it."""

    cut: float
    score: float
    relevance: float
    divergence: float


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """What numeric and nominal attributes share.

    Parameters
    ----------
    name : str
    class_counts : tuple of tuple of numbers
        Training rows by bin and class; with fractional sample weights, their weight. NaN in all of
        a bin whose rows are not known, because a cut was set by hand: see `Scheme.recount`.
    missing_by_class : tuple of numbers
        Training rows without a value, by class.
    score : float
        The value of the method's criterion.
    relevance, divergence : float
        The mutual information between bins and class, and the divergence, in bits.
    stop : str
        Why there are no more cuts; a key of STOP_REASONS.
    """

    kind: ClassVar[str]

    name: str
    class_counts: tuple[tuple[float, ...], ...]
    missing_by_class: tuple[float, ...]
    score: float
    relevance: float
    divergence: float
    stop: str

    @property
    def n_bins(self) -> int:
        """The number of bins, the one for missing values not counted."""
        return len(self.class_counts)

    @property
    def rows(self) -> tuple[float, ...]:
        """Training rows in each bin; NaN where they are not known."""
        return tuple(sum(counts) for counts in self.class_counts)

    @property
    def is_counted(self) -> bool:
        """Whether the training rows of all bins are known."""
        return not any(map(math.isnan, itertools.chain.from_iterable(self.class_counts)))

    @property
    def labels(self) -> tuple[str, ...]:
        """The text for each bin."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        from cutwise.scheme.notebook import attribute_html  # noqa: PLC0415  # which needs this file

        return attribute_html(self)


@dataclass(frozen=True, kw_only=True)
class NumericAttribute(Attribute):
    """A column cut into intervals: code i stands for ``cuts[i - 1] < x <= cuts[i]``.

    Special values come after the intervals, each with a code of its own.

    Parameters
    ----------
    cuts : tuple of float
        Strictly ascending and finite.
    minimum, maximum : float or None
        The smallest and the largest training value; None if there is none.
    n_values : int
        The number of distinct training values; of cells, where a grid was counted.
    n_candidates : int
        The number of gaps that the search looked at.
    steps : tuple of Trial
        The accepted cuts in the order of their acceptance (greedy search).
    refused : Trial or None
        The best cut that was not good enough.
    p_values, expected_losses : tuple of float
        How sure each cut is, if the cuts were tested (``confirm``), else empty: how often the best cut of the bin that
        it split would be as good by chance, and how much of its information, in bits for each row, new rows will not
        show.
    refused_p_value : float or None
        The p-value of the refused cut, if it was tested.
    special_values : tuple of float
        Values that are codes of their own, in ascending order.
    edited : bool
        Whether the cuts were set by hand. Counts and scores are then those of the edited
        cuts and how sure they are is not known; steps, refused and stop still tell of the search.
    """

    kind: ClassVar[str] = "numeric"

    cuts: tuple[float, ...]
    minimum: float | None
    maximum: float | None
    n_values: int
    n_candidates: int
    steps: tuple[CutTrial, ...] = ()
    refused: CutTrial | None = None
    p_values: tuple[float, ...] = ()
    expected_losses: tuple[float, ...] = ()
    refused_p_value: float | None = None
    special_values: tuple[float, ...] = ()
    edited: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The interval of each bin, such as "(37.5, 42]", and the special values, such as "-999"."""
        edges = [-math.inf, *self.cuts, math.inf]
        intervals = [interval_label(low, high) for low, high in itertools.pairwise(edges)]
        return (*intervals, *map(number_text, self.special_values))


@dataclass(frozen=True, kw_only=True)
class NominalAttribute(Attribute):
    """A column of categories: code i stands for ``categories[i]``."""

    kind: ClassVar[str] = "nominal"

    categories: tuple[Category, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The categories as text."""
        return tuple(str(category) for category in self.categories)


def number_text(number: float) -> str:
    """Return the shortest text that reads back as the same number."""
    text = repr(float(number))
    return text.removesuffix(".0")


def interval_label(low: float, high: float) -> str:
    """Return the text for ``low < x <= high``.

    Examples
    --------
    >>> interval_label(37.5, 42.0)
    '(37.5, 42]'
    >>> interval_label(42.0, float("inf"))
    '(42, inf)'
    """
    close = ")" if high == math.inf else "]"
    return f"({number_text(low)}, {number_text(high)}{close}"
