"""What a model has learned, described so that it can be written, read and checked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cutwise.errors import ModelError
from cutwise.models.plain import as_count, as_list, in_short, require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Sizes = dict[str, int]


@dataclass(frozen=True)
class Field:
    """A learned number or array of numbers.

    Parameters
    ----------
    axes : sequence of str
        The name of each axis: "classes", "attributes", "cells" (all bins of all attributes),
        or what the model's ``_sizes`` adds. Without axes the field is one number.
    low, high : float
        Between which the numbers must lie.
    kind : {"number", "count", "boolean"}
        Finite doubles, whole numbers from 0 on, or True and False.
    optional : bool
        Whether the field may be None.
    null : float or None
        The number that is written as null, such as minus infinity.
    """

    axes: Sequence[str] = ()
    low: float = -math.inf
    high: float = math.inf
    kind: Literal["number", "count", "boolean"] = "number"
    optional: bool = False
    null: float | None = None

    def write(self, value: Any, name: str, sizes: Sizes) -> Any:
        """Return the field as numbers and lists of numbers."""
        if value is None and self.optional:
            return None
        array = np.asarray(value)
        plain = array.tolist()
        if self.null is not None:
            objects = array.astype(object)
            objects[array == self.null] = None
            plain = objects.tolist()
        self.read(plain, name, sizes)
        return plain

    def read(self, data: object, name: str, sizes: Sizes) -> Any:
        """Return the field as a number or an array, checked."""
        if data is None and self.optional:
            return None
        where = f"{name!r}"
        shape = tuple(sizes[axis] for axis in self.axes)
        leaves = _flatten(data, shape, where)
        if self.null is None:
            numbers = self._numbers(leaves, where)
        else:
            numbers = self._numbers([0.0 if leaf is None else leaf for leaf in leaves], where)
            numbers[[leaf is None for leaf in leaves]] = self.null
        inside = bool(((numbers >= self.low) & (numbers <= self.high)).all())
        require(inside, f"{where} has a number that is not from {self.low} to {self.high}.")
        return numbers.reshape(shape) if shape else numbers.item()

    def _numbers(self, leaves: list[Any], where: str) -> NDArray[Any]:
        if self.kind == "boolean":
            require(all(type(leaf) is bool for leaf in leaves), f"{where} must be true or false.")
            return np.array(leaves, dtype=bool)
        if self.kind == "count":
            return np.array([as_count(leaf, where) for leaf in leaves], dtype=np.int64)
        for leaf in leaves:
            if type(leaf) is not float and type(leaf) is not int:
                message = f"{where} must hold finite numbers, not {in_short(leaf)}."
                raise ModelError(message)
        try:
            numbers = np.array(leaves, dtype=np.float64)
        except OverflowError:
            numbers = np.array([math.inf])
        require(bool(np.isfinite(numbers).all()), f"{where} has a number that is not finite.")
        return numbers


def _flatten(data: object, shape: tuple[int, ...], where: str) -> list[Any]:
    """Return the numbers of nested lists that have this shape."""
    items = [data]
    for size in shape:
        inner: list[Any] = []
        for item in items:
            row = as_list(item, where)
            require(len(row) == size, f"{where} has {len(row)} entries where there must be {size}.")
            inner += row
        items = inner
    return items
