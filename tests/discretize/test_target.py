"""The classes, whatever type their labels have."""

from __future__ import annotations

import numpy as np
import pytest

from cutwise import MRmDDiscretizer
from cutwise.validation import _classes_and_codes

LABELS = {
    "small numbers": np.array([3, 1, 3, 2]),
    "negative": np.array([-5, -4, -5, -5]),
    "whole range of int8": np.array([-128, 127] * 200, dtype=np.int8),
    "far apart": np.array([0, 10**12, 0]),
    "uint8": np.array([255, 0, 255], dtype=np.uint8),
    "beyond int64": np.array([2**63 + 1, 2**63, 2**63 + 1], dtype=np.uint64),
    "floats": np.array([0.0, 1.0, 0.0]),
    "texts": np.array(["b", "a", "b"]),
    "booleans": np.array([True, False]),
}


@pytest.mark.parametrize("name", LABELS)
def test_classes_are_those_of_numpy(name):
    labels = LABELS[name]
    classes, codes = _classes_and_codes(labels)
    expected = np.unique(labels, return_inverse=True)
    assert classes.dtype == labels.dtype
    assert np.array_equal(classes, expected[0])
    assert np.array_equal(codes, expected[1])
    fitted = MRmDDiscretizer().fit(np.arange(labels.size)[:, None], labels)
    assert list(fitted.scheme_.classes) == expected[0].tolist()
