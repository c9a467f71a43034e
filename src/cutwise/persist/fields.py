"""What a model has learned and its plain data, each described so that it can be written, read and checked."""

from __future__ import annotations

import itertools
import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cutwise.errors import FormatError
from cutwise.persist.strict import LARGEST_INTEGER, as_count, as_list, as_object, in_short, require

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

Sizes = dict[str, int]
# Whole doubles below this are written without a point and stay the same.
EXACT = 2.0**53
# The smallest number above 0.
POSITIVE = 5e-324


@dataclass(frozen=True)
class LearnedField:
    """A learned number or array of numbers, or a string.

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
        The strings that are allowed.
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
        """Return the field as a number, a string or an array, checked.

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
                raise FormatError(f"{where} must hold finite numbers, not {in_short(leaf)}.")
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


# Written as numbers of that type; "str" and "object" hold strings, "object" any label.
LABEL_TYPES: dict[str, type] = {
    "bool": bool,
    **{f"{sign}int{bits}": int for bits in (8, 16, 32, 64) for sign in ("", "u")},
    "float32": float,
    "float64": float,
    "str": str,
    "object": object,
}


def as_names(data: object, where: str) -> NDArray[np.object_] | None:
    """Return different strings, or None."""
    if data is None:
        return None
    names = as_list(data, where)
    require(all(isinstance(name, str) for name in names), f"{where} must be strings.")
    require(len(set(names)) == len(names), f"{where} must differ.")
    array = np.empty(len(names), dtype=object)
    array[:] = names
    return array


def as_categories(data: object, where: str) -> tuple[Any, ...]:
    """Return strings, booleans or numbers in ascending order."""
    labels = as_list(data, where)
    for label in labels:
        require(
            isinstance(label, str | bool | int | float),
            f"{where} has {in_short(label)}; strings and numbers can be used.",
        )
        _check_size(label, where)
    require(len({_kind(label) for label in labels}) < 2, f"{where} mixes strings, booleans and numbers.")
    _check_order(labels, where)
    return tuple(labels)


def plain_names(names: Iterable[Any] | None) -> list[str] | None:
    """Return the names of columns as a list."""
    return None if names is None else [str(name) for name in names]


def plain_labels(classes: NDArray[Any]) -> tuple[str, list[Any]]:
    """Return the type of class labels, and the labels as Python's strings and numbers."""
    kind = {"U": "str", "O": "object"}.get(classes.dtype.kind, classes.dtype.name)
    require(kind in LABEL_TYPES, f"Class labels of the type {kind} cannot be written to JSON.")
    labels = [_plain_label(label) for label in classes.tolist()]
    read_labels(kind, labels)
    return kind, labels


def _plain_label(label: Any) -> Any:
    value = label.item() if isinstance(label, np.generic) else label
    return str(value) if isinstance(value, str) else value


def read_labels(kind: object, data: object) -> NDArray[Any]:
    """Return class labels, which must be of the type named, finite and ascending."""
    labels = as_list(data, "'classes'")
    require(isinstance(kind, str) and kind in LABEL_TYPES, f"'label_type' {in_short(kind)} is unknown.")
    require(len(labels) > 0, "'classes' must hold at least one label.")
    wanted = LABEL_TYPES[str(kind)]
    for label in labels:
        good = isinstance(label, str | bool | int | float) if wanted is object else type(label) is wanted
        require(good, f"'classes': the label {in_short(label)} is not of the type {kind!r}.")
        _check_size(label, "'classes'")
    require(len({isinstance(label, str) for label in labels}) == 1, "'classes' mixes strings and numbers.")
    _check_order(labels, "'classes'")
    return _label_array(str(kind), labels)


def _kind(label: object) -> type:
    return type(label) if isinstance(label, str | bool) else float


def _check_size(label: object, where: str) -> None:
    require(not isinstance(label, float) or math.isfinite(label), f"{where} must be finite.")
    require(not isinstance(label, int) or abs(label) < LARGEST_INTEGER, f"{where} has a number of 400 digits.")


def _check_order(labels: list[Any], where: str) -> None:
    ascending = all(left < right for left, right in itertools.pairwise(labels))
    require(ascending, f"{where} must ascend, each label once.")


def _label_array(kind: str, labels: list[Any]) -> NDArray[Any]:
    array: NDArray[Any]
    if kind == "object":
        array = np.empty(len(labels), dtype=object)
        array[:] = labels
        return array
    try:
        with np.errstate(over="ignore"):
            array = np.array(labels, dtype=kind)
    except OverflowError:
        array = np.empty(0)
    # Numbers that the type cannot hold, and strings that end in NUL.
    require(array.tolist() == labels, f"'classes': the type {kind!r} cannot hold these labels.")
    return array


def plain_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of an estimator as JSON can hold them, in the order of their names."""
    return {name: _plain_parameter(parameters[name], name) for name in sorted(parameters)}


def _plain_parameter(value: Any, name: str) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): _plain_parameter(value[key], name) for key in sorted(value, key=str)}
    if isinstance(value, list | tuple):
        return [_plain_parameter(item, name) for item in value]
    message = (
        f"The parameter {name} cannot be written to JSON: {in_short(value)}. Before saving, replace it with "
        f"set_params({name}=…) by a string, a finite number, a list of those or None; what was learned stays."
    )
    require(_is_plain(value), message)
    return value


def _is_plain(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return abs(value) <= sys.float_info.max  # what computes with a parameter may take it as a double
    return value is None or isinstance(value, str)


def read_parameters(data: object, names: Sequence[str], where: str) -> dict[str, Any]:
    """Return parameters: strings, numbers, None, lists of those, or objects of such lists."""
    parameters = as_object(data, names, f"{where}: 'parameters'")
    for name, value in parameters.items():
        groups = list(value.values()) if isinstance(value, dict) else [value]
        items = itertools.chain.from_iterable(group if isinstance(group, list) else [group] for group in groups)
        require(all(map(_is_plain, items)), f"{where}: the parameter {name!r} has the value {in_short(value)}.")
    return parameters
