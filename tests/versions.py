"""What tests need that not every version of a library has."""

from __future__ import annotations

import polars as pl
import pytest
import scipy
import sklearn
import sqlglot

from cutwise.scikit_learn import HAS_CALLBACKS

SKLEARN = tuple(map(int, sklearn.__version__.split(".")[:2]))
SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))
SQLGLOT = int(sqlglot.__version__.split(".")[0])
POLARS = tuple(map(int, pl.__version__.split(".")[:2]))

needs_callbacks = pytest.mark.skipif(not HAS_CALLBACKS, reason="scikit-learn has callbacks from 1.9 on")
needs_batches = pytest.mark.skipif(POLARS < (1, 34), reason="lazy frames of polars hand over batches from 1.34 on")
needs_rows_to_stop_by = pytest.mark.skipif(
    SKLEARN < (1, 7), reason="boosting takes the rows by which it stops from scikit-learn 1.7 on"
)
needs_sparse_arrays = pytest.mark.skipif(SKLEARN < (1, 9), reason="scikit-learn can return sparse arrays from 1.9 on")


def skip_names_like_patterns():
    """Skip a test of polars with columns such as "^a.*$", which older versions refuse in many expressions."""
    if POLARS < (1, 32):
        pytest.skip("polars takes any expression of columns that are named like patterns from 1.32 on")


def skip_sqlites_char():
    """Skip a test in which sqlglot reads SQLite's CHAR for Ibis, and writes it again."""
    if "CHR" in sqlglot.transpile("SELECT CHAR(9)", read="sqlite", write="sqlite")[0]:
        pytest.skip("this sqlglot writes SQLite's CHAR, which it has read, as CHR")


def skip_oracles_nan():
    """Skip a test in which sqlglot reads Oracle's IS NAN, which it writes in every version."""
    if SQLGLOT < 28:
        pytest.skip("sqlglot reads Oracle's IS NAN from 28 on")
