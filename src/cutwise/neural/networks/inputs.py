"""A table as what networks take: numbers of a normal distribution, and codes of categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from cutwise.neural.columns import Standardised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.neural.columns import Cells
    from cutwise.table.columns import Label

# One quantile for so many rows, within limits.
ROWS_PER_QUANTILE = 30
FEWEST_QUANTILES, MOST_QUANTILES = 10, 1000
# The quantiles are learned from values with a little noise, otherwise a value that many rows share would be
# several quantiles at once. Its deviation is this part of what lies between the column's quartiles.
NOISE = 1e-3
# No value lies further out than the normal distribution's quantile of this.
SMALLEST_SHARE = 1e-7


@dataclass(frozen=True, eq=False)
class QuantileNormal:
    """A numeric column by its place among the training rows: the normal distribution's quantile there.

    The values are standardised first; a missing one becomes the mean.
    """

    standardised: Standardised
    quantiles: NDArray[np.float64]

    @classmethod
    def learn(
        cls, values: NDArray[np.float64], weights: NDArray[np.float64], random: np.random.Generator
    ) -> QuantileNormal:
        """Learn from the training rows. The weights decide the mean only."""
        standardised = Standardised.learn(values, weights)
        inner = standardised.apply(values)[:, 0]
        low, high = np.quantile(inner, [0.25, 0.75])
        # Where half of the rows share one value, the standard deviation, which is 1, takes the place.
        noisy = inner + random.normal(0.0, NOISE * ((high - low) or 1.0), values.size)
        n_quantiles = min(max(values.size // ROWS_PER_QUANTILE, FEWEST_QUANTILES), MOST_QUANTILES)
        return cls(standardised, np.quantile(noisy, np.linspace(0.0, 1.0, n_quantiles)))

    def apply(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the column in the new form."""
        inner = self.standardised.apply(values)[:, 0]
        shares = np.linspace(0.0, 1.0, self.quantiles.size)
        # From both sides, so that a value that is several quantiles stands in their middle.
        from_left = np.interp(inner, self.quantiles, shares)
        from_right = np.interp(-inner, -self.quantiles[::-1], -shares[::-1])
        share = (from_left - from_right) / 2.0
        return np.asarray(ndtri(np.clip(share, SMALLEST_SHARE, 1.0 - SMALLEST_SHARE)))


@dataclass(frozen=True, eq=False)
class Categories:
    """A nominal column as codes; one code more stands for what is missing or was never seen."""

    categories: tuple[Label, ...]

    def apply(self, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the column in the new form."""
        return np.where(codes < 0, len(self.categories), codes).astype(np.int64)


@dataclass(frozen=True)
class Shape:
    """What decides the size of a network: two tables of one shape can be learned side by side.

    Parameters
    ----------
    n_numeric : int
        The number of numeric columns.
    n_codes : tuple of int
        For each nominal column the number of its codes, the one for missing values included.
    n_classes : int
    """

    n_numeric: int
    n_codes: tuple[int, ...]
    n_classes: int


@dataclass(frozen=True, eq=False)
class Inputs:
    """Rows as a network takes them: numbers[row, numeric column] and codes[row, nominal column]."""

    numbers: NDArray[np.float32]
    codes: NDArray[np.int64]

    def rows(self, places: NDArray[np.int64]) -> Inputs:
        """Return some of the rows."""
        return Inputs(self.numbers[places], self.codes[places])


InputMap = QuantileNormal | Categories


def learn_inputs(cells: Cells, weights: NDArray[np.float64], random: np.random.Generator) -> list[InputMap]:
    """Learn how each column becomes what networks take."""
    return [
        QuantileNormal.learn(values, weights, random) if known is None else Categories(known)
        for values, known in zip(cells.values, cells.categories, strict=True)
    ]


def as_inputs(cells: Cells, maps: Sequence[InputMap]) -> Inputs:
    """Return all columns, the numeric and the nominal ones apart."""
    n_rows = cells.values[0].size
    numbers, codes = [np.empty((n_rows, 0))], [np.empty((n_rows, 0), dtype=np.int64)]
    for column, values in zip(maps, cells.values, strict=True):
        chosen: list[Any] = numbers if isinstance(column, QuantileNormal) else codes
        chosen.append(column.apply(values)[:, np.newaxis])
    return Inputs(np.hstack(numbers).astype(np.float32), np.hstack(codes))


def shape_of(maps: Sequence[InputMap], n_classes: int) -> Shape:
    """Return what decides the size of the network."""
    n_codes = tuple(len(column.categories) + 1 for column in maps if isinstance(column, Categories))
    return Shape(len(maps) - len(n_codes), n_codes, n_classes)
