"""What a model has learned, described so that it can be written, read and checked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cutwise.errors import FormatError
from cutwise.persist.strict import as_count, as_list, in_short, require

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

Sizes = dict[str, int]
# Whole doubles below this are written without a point and stay the same.
EXACT = 2.0**53
# The smallest number above 0.
POSITIVE = 5e-324


@dataclass(frozen=True)
class LearnedField:
    """A learned number or array of numbers, or a text.

    Parameters
    ----------
    axes : sequence of str
        The name of each axis: those that the model's ``_sizes`` lists, such as "classes" and
        "attributes", or any other. The first field with another axis decides on its length.
        Without axes the field is one number.
    low, high : float
        Between which the numbers must lie.
    kind : {"number", "weight", "count", "boolean", "text"}
        Finite doubles, the same with whole ones written without a point, whole numbers from 0
        on, True and False, or one of the `choices`.
    optional : bool
        Whether the field may be None.
    null : float or None
        The number that is written as null, such as minus infinity.
    choices : collection of str
        The texts that are allowed.
    """

    axes: Sequence[str] = ()
    low: float = -math.inf
    high: float = math.inf
    kind: Literal["number", "weight", "count", "boolean", "text"] = "number"
    optional: bool = False
    null: float | None = None
    choices: Collection[str] = ()

    def write(self, value: Any, name: str, sizes: Sizes) -> Any:
        """Return the field as numbers and lists of numbers."""
        if value is None and self.optional:
            return None
        array = np.asarray(value)
        objects = array.astype(object)
        if self.kind == "weight":
            is_whole = (array == np.rint(array)) & (np.abs(array) < EXACT)
            objects[is_whole] = array[is_whole].astype(np.int64)
        if self.null is not None:
            objects[array == self.null] = None
        plain = objects.tolist()
        self.read(plain, name, sizes)
        return plain

    def read(self, data: object, name: str, sizes: Sizes) -> Any:
        """Return the field as a number, a text or an array, checked.

        A new axis enters `sizes` with the length that it has here.
        """
        if data is None and self.optional:
            return None
        where = f"{name!r}"
        leaves = _flatten(data, self.axes, sizes, where)
        shape = tuple(sizes[axis] for axis in self.axes)
        if self.null is None:
            numbers = self._numbers(leaves, where)
        else:
            is_null = [leaf is None for leaf in leaves]
            known = self._numbers([leaf for leaf in leaves if leaf is not None], where)
            numbers = np.full(len(leaves), self.null, dtype=known.dtype)
            numbers[np.logical_not(is_null)] = known
        return numbers.reshape(shape) if shape else numbers.item()

    def _numbers(self, leaves: list[Any], where: str) -> NDArray[Any]:
        if self.kind == "text":
            for leaf in leaves:
                good = isinstance(leaf, str) and leaf in self.choices
                require(good, f"{where} must be one of {', '.join(sorted(self.choices))}, not {in_short(leaf)}.")
            return np.array(leaves, dtype=object)
        numbers = self._typed(leaves, where)
        inside = bool(((numbers >= self.low) & (numbers <= self.high)).all())
        require(inside, f"{where} has a number that is not from {self.low} to {self.high}.")
        return numbers

    def _typed(self, leaves: list[Any], where: str) -> NDArray[Any]:
        if self.kind == "boolean":
            require(all(type(leaf) is bool for leaf in leaves), f"{where} must be true or false.")
            return np.array(leaves, dtype=bool)
        if self.kind == "count":
            return np.array([as_count(leaf, where) for leaf in leaves], dtype=np.int64)
        for leaf in leaves:
            if type(leaf) is not float and type(leaf) is not int:
                message = f"{where} must hold finite numbers, not {in_short(leaf)}."
                raise FormatError(message)
        try:
            numbers = np.array(leaves, dtype=np.float64)
        except OverflowError:
            numbers = np.array([math.inf])
        require(bool(np.isfinite(numbers).all()), f"{where} has a number that is not finite.")
        return numbers


def _flatten(data: object, axes: Sequence[str], sizes: Sizes, where: str) -> list[Any]:
    """Return the numbers of nested lists whose axes have these sizes; those of new axes are noted."""
    items = [data]
    for axis in axes:
        inner: list[Any] = []
        for item in items:
            row = as_list(item, where)
            size = sizes.setdefault(axis, len(row))
            require(len(row) == size, f"{where} has {len(row)} entries where there must be {size}.")
            inner += row
        sizes.setdefault(axis, 0)
        items = inner
    return items
