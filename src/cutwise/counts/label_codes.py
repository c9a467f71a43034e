"""Labels as they turn up, numbered."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.categories import category_text
from cutwise.errors import TableError
from cutwise.table.columns import is_missing, is_no_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Label = str | bool | int | float


class LabelCodes:
    """The labels of a column in the order in which they turned up.

    Parameters
    ----------
    where : str
        What to call the column in messages.
    most : int
        The largest number of labels.
    advice : str
        What to do if there are more.
    are_categories : bool, default=False
        Whether texts are read as categories: without blanks around them, for example.
    """

    def __init__(self, where: str, most: int, advice: str, *, are_categories: bool = False) -> None:
        self.labels: list[Label] = []
        self._where, self._most, self._advice = where, most, advice
        self._are_categories = are_categories
        self._places: dict[Label, int] = {}

    def encode(self, array: Any) -> NDArray[np.int32]:
        """Return the number of each item of an Arrow array; -1 where it is missing."""
        if not hasattr(array, "dictionary"):
            array = array.dictionary_encode()
        places = np.array([*map(self._place, array.dictionary.to_pylist()), -1], dtype=np.int32)
        # A missing index becomes the last place.
        indices = array.indices.fill_null(places.size - 1) if array.indices.null_count else array.indices
        codes: NDArray[np.int32] = places[indices.to_numpy(zero_copy_only=False)]
        return codes

    def _place(self, item: Any) -> int:
        if is_no_value(item) if self._are_categories else is_missing(item):
            return -1
        label = as_label(item, self._where)
        if self._are_categories and isinstance(label, str):
            label = category_text(label)
        place = self._places.get(label)
        if place is None:
            if len(self.labels) == self._most:
                message = (
                    f"{self._where} has more than {self._most:,} different labels, such as {label!r}. {self._advice}"
                )
                raise TableError(message)
            place = self._places[label] = len(self.labels)
            self.labels.append(label)
        return place


def as_label(item: Any, where: str) -> Label:
    """Return an item as a text, boolean or number that JSON can hold."""
    if isinstance(item, Decimal):
        return float(item)
    if isinstance(item, str | bool | int | float):
        return item
    message = f"{where}: cannot use {item!r} of type {type(item).__name__}. Turn it into a text, a number or a boolean."
    raise TableError(message)


def kind_of_labels(labels: Sequence[Label]) -> str:
    """Return what labels are: "text", "boolean" or "number"; "" if there is none."""
    kinds = {"text" if isinstance(x, str) else "boolean" if isinstance(x, bool) else "number" for x in labels}
    return " and ".join(sorted(kinds))


def places_among(labels: Sequence[Label], all_labels: Sequence[Label]) -> NDArray[np.int64]:
    """Return the place of each label in a longer list."""
    places = {label: place for place, label in enumerate(all_labels)}
    return np.array([places[label] for label in labels], dtype=np.int64)
