"""Bins times classes are limited: what cannot be kept is told before the memory is full."""

from __future__ import annotations

import numpy as np
import pytest

import cutwise
from cutwise.discretize import attributes
from cutwise.errors import TableError

I = np.arange(300)
X = I[:, None].astype(np.float64)
Y = np.char.add("class ", (I % 100).astype(str))
MANY_BINS = ["MaxRelevance", "CAIM", "CACC", "Chi2", "ModifiedChi2"]


@pytest.mark.parametrize("method", MANY_BINS)
def test_too_many_counts_are_told(method, monkeypatch):
    monkeypatch.setattr(attributes, "MAX_COUNTS", 2000)
    with pytest.raises(TableError, match=r"Column 'x0': more than 20 bins for 100 classes .*max_bins"):
        getattr(cutwise, f"{method}Discretizer")().fit(X, Y)


@pytest.mark.parametrize("method", [*MANY_BINS, "MDLP", "MODL", "ChiMerge", "MRmD", "Ameva"])
def test_the_limit_changes_nothing_below_it(method, monkeypatch):
    fitted = getattr(cutwise, f"{method}Discretizer")().fit(X, Y).scheme_
    monkeypatch.setattr(attributes, "MAX_COUNTS", (len(fitted["x0"].cuts) + 1) * 100)
    assert getattr(cutwise, f"{method}Discretizer")().fit(X, Y).scheme_.to_json() == fitted.to_json()
