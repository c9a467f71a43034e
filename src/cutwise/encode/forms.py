"""Codes in other forms: one column for each bin, or the text of the bin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from cutwise.encode.codes import n_codes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.scheme import Attribute, Scheme

MISSING, UNSEEN = "missing", "unseen"


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


def label_list(attribute: Attribute, missing: str) -> NDArray[np.object_]:
    """Return the text of every code in order, that of -1 last."""
    texts = [*attribute.labels, *([MISSING, UNSEEN] if missing == "bin" else [None])]
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
