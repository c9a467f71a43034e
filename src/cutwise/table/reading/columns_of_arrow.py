"""From columns of texts that pyarrow holds to a frame: the same as the careful reader's, and faster."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.table.making import choose_library, make_frame
from cutwise.table.reading.columns_of_text import Numbers, Words

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

# Of these characters pyarrow and Python make the same double, or pyarrow makes none.
_PLAIN = b"0123456789+-.eE"


def frame_of_arrays(
    names: Sequence[str], arrays: list[Any], *, texts: Collection[str], missing: Collection[str], decimal: str
) -> Any:
    """Return a frame of the first table library that is installed.

    Parameters
    ----------
    names : sequence of str
    arrays : list of pyarrow.ChunkedArray
        The texts of each column. It is emptied, so that they do not all stay in memory.
    texts : collection of str
        Columns that hold texts even if all of them are numbers.
    missing : collection of str
        Texts that stand for no value.
    decimal : {".", ","}
    """
    library = choose_library(None)
    read = _ColumnReader(missing, decimal)
    kept = set(texts)
    columns: dict[str, Any] = {}
    arrays.reverse()
    for name in names:
        array = arrays.pop().combine_chunks()
        found = None if name in kept else read.numbers(array)
        if found is None:
            kept.add(name)
        columns[name] = read.words(array) if found is None else found
    return make_frame(columns, kept & set(names), library)


class _ColumnReader:
    """The values of a column of texts."""

    def __init__(self, missing: Collection[str], decimal: str) -> None:
        self._arrow: Any = importlib.import_module("pyarrow")
        self._compute: Any = importlib.import_module("pyarrow.compute")
        # A file in UTF-8 holds no halves of characters; blanks are the careful reader's affair.
        known = [
            text for text in sorted(missing) if text == text.strip() and text.encode("utf-8", "ignore").decode() == text
        ]
        self._missing = self._arrow.array(known, type=self._arrow.string())
        # A text such as -999 is a number unless it stands for no value; an empty one never is.
        self._has_plain_gaps = any(text and not text.encode().translate(None, _PLAIN) for text in known)
        self._numbers = Numbers(missing, decimal)
        self._words = Words(missing)
        self._is_usual = decimal == "."

    def numbers(self, array: Any) -> NDArray[np.float64] | None:
        """Return the numbers, NaN where a value is missing; None if a text is no number."""
        found = self._plain_numbers(array) if self._is_usual else None
        if found is None:
            numbers = self._numbers.read(array.to_pylist())
            found = None if numbers is None else np.array(numbers, dtype=np.float64)
        return found

    def _plain_numbers(self, array: Any) -> NDArray[np.float64] | None:
        """Return the same where nobody can be wrong about the texts; None elsewhere."""
        found = self._cast(array) if not self._has_plain_gaps and _is_plain(array) else None
        if found is not None:
            return found
        gaps = self._compute.is_in(array, value_set=self._missing)
        if not _is_plain(array.filter(self._compute.invert(gaps))):
            return None
        return self._cast(self._compute.if_else(gaps, None, array))

    def _cast(self, array: Any) -> NDArray[np.float64] | None:
        try:
            found: NDArray[np.float64] = array.cast(self._arrow.float64()).to_numpy(zero_copy_only=False)
        except self._arrow.ArrowException:
            return None
        return found

    def words(self, array: Any) -> list[str | None]:
        """Return the texts without the blanks around them, None where a value is missing."""
        coded = array.dictionary_encode()
        words = [self._words[text] for text in coded.dictionary.to_pylist()]
        return [words[place] for place in coded.indices.to_numpy()]


def _is_plain(array: Any) -> bool:
    places = offsets(array)
    if places[0] == places[-1]:
        return True
    data: bytes = array.buffers()[2][int(places[0]) : int(places[-1])].to_pybytes()
    return not data.translate(None, _PLAIN)


def offsets(array: Any) -> NDArray[np.int32]:
    """Return where each text of an array begins in the bytes of all of them, and where the last one ends."""
    if not len(array):
        return np.zeros(1, dtype=np.int32)
    return np.frombuffer(array.buffers()[1], dtype=np.int32)[array.offset : array.offset + len(array) + 1]
