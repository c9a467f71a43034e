"""From values to codes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from cutwise import kernels
from cutwise.scheme.attribute import Attribute, NominalAttribute, NumericAttribute
from cutwise.scheme.figures import code_numbers
from cutwise.table import NominalColumn, NumericColumn, read_columns
from cutwise.table.columns import MISSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.scheme.scheme import Scheme
    from cutwise.table.columns import Column


def n_codes(attribute: Attribute, missing: str) -> int:
    """Return the number of different codes, that of missing values counted if it is a bin."""
    return attribute.n_bins + (missing == "bin")


def encode_columns(
    scheme: Scheme, data: Any, names: Sequence[str] | None = None, missing: str | None = None
) -> NDArray[np.int32]:
    """Return the codes of a table or a 2-d array as an array [row, attribute].

    Parameters
    ----------
    scheme : Scheme
    data : table or ndarray
        Its columns are those of the scheme, in the same order.
    names : sequence of str, optional
        What to call the columns in messages, by default as in the scheme.
    missing : {"code", "bin"}, optional
        The code of missing values, by default as in the scheme.
    """
    kinds = [attribute.kind for attribute in scheme.attributes]
    readers = read_columns(data, scheme.names if names is None else names, kinds)
    codes = np.empty((data.shape[0], len(readers)), dtype=np.int32, order="F")
    for j, (attribute, read) in enumerate(zip(scheme.attributes, readers, strict=True)):
        codes_of_column(attribute, read(), missing or scheme.missing, out=codes[:, j])
    return codes


def numbers_of_columns(
    scheme: Scheme, data: Any, encode: str, names: Sequence[str] | None = None
) -> NDArray[np.float64]:
    """Return the weight of evidence, or the rate of the event, of each value; see `code_numbers`."""
    return numbers_of_codes(encode_columns(scheme, data, names, "bin"), code_numbers(scheme, encode))


def numbers_of_codes(codes: NDArray[np.int32], numbers: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the number of each code."""
    found = np.empty(codes.shape, order="F")
    for j, of_code in enumerate(numbers):
        found[:, j] = of_code[codes[:, j]]
    return found


def codes_of_column(attribute: Attribute, column: Column, missing: str, out: NDArray[np.int32]) -> None:
    """Write the codes of one column into `out`; a category that was never seen has the code -1."""
    missing_code = attribute.n_bins if missing == "bin" else -1
    if isinstance(attribute, NumericAttribute) and isinstance(column, NumericColumn):
        values = np.require(column.values, dtype=np.float64, requirements=["C", "W"])
        cuts = kernels.bins.counting.blocks_of_cuts(np.array(attribute.cuts, dtype=np.float64))
        kernels.bins.counting.assign_codes(values, *cuts, missing_code, out)
        for i, value in enumerate(attribute.special_values, start=len(attribute.cuts) + 1):
            out[values == value] = i
    elif isinstance(attribute, NominalAttribute) and isinstance(column, NominalColumn):
        places = column.codes(attribute.categories)
        # An unseen category takes the last code of these, a missing value the last but one.
        code_of = np.array([*attribute.codes, missing_code, -1], dtype=np.int32)
        np.copyto(out, code_of[np.where(places == MISSING, -2, np.maximum(places, -1))])


MISSING_LABEL, UNSEEN_LABEL = "missing", "unseen"


def one_hot(codes: NDArray[np.int32], scheme: Scheme) -> sparse.csr_array:
    """Return a sparse 0/1 array with one column for each code; -1 gives zeros only."""
    widths = [n_codes(attribute, scheme.missing) for attribute in scheme.attributes]
    offsets = np.concatenate([[0], np.cumsum(widths, dtype=np.int64)])
    seen = codes >= 0
    columns = (codes + offsets[:-1])[seen]
    starts = np.concatenate([[0], np.cumsum(seen.sum(axis=1))])
    return sparse.csr_array((np.ones(columns.size), columns, starts), shape=(codes.shape[0], int(offsets[-1])))


def labels_of_codes(codes: NDArray[np.int32], scheme: Scheme) -> NDArray[np.object_]:
    """Return the text of each code's bin; for -1 None or, where missing values have a bin, "unseen"."""
    labels = np.empty(codes.shape, dtype=object)
    for j, attribute in enumerate(scheme.attributes):
        labels[:, j] = label_list(attribute, scheme.missing)[codes[:, j]]
    return labels


def codes_of_labels(labels: NDArray[np.object_], scheme: Scheme) -> NDArray[np.int32]:
    """Return the codes behind the texts that `labels_of_codes` made; raise ValueError if one is of no bin."""
    codes = np.empty(labels.shape, dtype=np.int32)
    for j, attribute in enumerate(scheme.attributes):
        texts = label_list(attribute, scheme.missing).tolist()
        code_of = {text: code for code, text in enumerate(texts[:-1])} | {texts[-1]: -1}
        own = labels[:, j].tolist()
        twice = [text for text in code_of if texts.count(text) > 1]
        if twice and twice[0] in own:
            message = (
                f"Two bins of the column {attribute.name!r} have the text {twice[0]!r}. Go back from codes instead."
            )
            raise ValueError(message)
        unknown = [text for text in own if text not in code_of]
        if unknown:
            listed = ", ".join(map(repr, texts[:-1][:3])) + (", …" if len(texts) > 4 else "")
            message = f"Column {attribute.name!r} has no bin {unknown[0]!r}, but {listed}."
            raise ValueError(message)
        codes[:, j] = [code_of[text] for text in own]
    return codes


def values_of_codes(codes: NDArray[np.int32], scheme: Scheme) -> NDArray[Any]:
    """Return a value for each code: the middle of the interval, the special value, the category.

    Returns
    -------
    ndarray
        Of doubles if all attributes are numeric, of objects otherwise. Missing and unseen values are NaN, or None in a
        nominal column; a group of several categories is its text.
    """
    is_numeric = all(isinstance(attribute, NumericAttribute) for attribute in scheme.attributes)
    found = np.empty(codes.shape, dtype=np.float64 if is_numeric else object)
    for j, attribute in enumerate(scheme.attributes):
        n_bins = attribute.n_bins
        found[:, j] = _value_list(attribute)[np.where(codes[:, j] < n_bins, codes[:, j], n_bins)]
    return found


def _value_list(attribute: Attribute) -> NDArray[Any]:
    """Return a value for every bin, and one for missing values last."""
    if isinstance(attribute, NumericAttribute):
        return np.array([*middles(attribute), *attribute.special_values, np.nan])
    values = np.empty(attribute.n_bins + 1, dtype=object)
    if isinstance(attribute, NominalAttribute):
        alone = [group[0] if len(group) == 1 else None for group in attribute.groups]
        values[:-1] = [label if own is None else own for own, label in zip(alone, attribute.labels, strict=True)]
    return values


def middles(attribute: NumericAttribute) -> list[float]:
    """Return the middle of each interval.

    The first begins at the smallest training value, the last ends at the largest one; where there are none in it, at
    the cut.
    """
    if attribute.minimum is None or attribute.maximum is None:
        return [np.nan] * (len(attribute.cuts) + 1)
    low, high = attribute.minimum, attribute.maximum
    edges = [min([low, *attribute.cuts[:1]]), *attribute.cuts, max([high, *attribute.cuts[-1:]])]
    return [start / 2 + end / 2 for start, end in itertools.pairwise(edges)]


def label_list(attribute: Attribute, missing: str) -> NDArray[np.object_]:
    """Return the text of every code in order, that of -1 last."""
    texts = [*attribute.labels, *([MISSING_LABEL, UNSEEN_LABEL] if missing == "bin" else [None])]
    labels = np.empty(len(texts), dtype=object)
    labels[:] = texts
    return labels


def decode_codes(columns: NDArray[np.float64], scheme: Scheme) -> NDArray[np.int32]:
    """Return the codes behind a full 0/1 array that `one_hot` made."""
    widths = [n_codes(attribute, scheme.missing) for attribute in scheme.attributes]
    codes = np.empty((columns.shape[0], len(widths)), dtype=np.int32)
    start = 0
    for j, width in enumerate(widths):
        block = columns[:, start : start + width]
        codes[:, j] = np.where(block.any(axis=1), block.argmax(axis=1), -1)
        start += width
    return codes
