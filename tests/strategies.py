"""Random tables for the property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

FINITE = st.floats(allow_nan=False, allow_infinity=False)
LARGEST = 1.7976931348623157e308
EXTREME = st.sampled_from(
    [
        *(0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, LARGEST, -LARGEST, 1e-300),
        *(1.0, np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0), 0.1 + 0.2, 0.3, 2.0**53, 2.0**53 + 2),
    ]
)
DOUBLES = st.one_of(FINITE, EXTREME, st.integers(-5, 5).map(float))


@st.composite
def columns(draw, *, values=DOUBLES, min_rows=1, max_rows=40, max_classes=4, missing=False):
    """A column of doubles and the class of each row."""
    n_rows = draw(st.integers(min_rows, max_rows))
    pool = draw(st.lists(values, min_size=1, max_size=draw(st.integers(1, 15))))
    if missing:
        pool = [*pool, np.nan]
    x = np.array(draw(st.lists(st.sampled_from(pool), min_size=n_rows, max_size=n_rows)), dtype=np.float64)
    y = np.array(draw(st.lists(st.integers(0, max_classes - 1), min_size=n_rows, max_size=n_rows)))
    return x, y


@st.composite
def tables(draw, max_columns=3, **options):
    """A table of doubles and the class of each row."""
    x, y = draw(columns(**options))
    others = [draw(st.permutations(x.tolist())) for _ in range(draw(st.integers(0, max_columns - 1)))]
    return np.column_stack([x, *map(np.array, others)]), y


@st.composite
def tied_columns(draw):
    """A column whose two halves mirror each other, so that many cuts are exactly as good."""
    half = draw(st.lists(st.integers(0, 2), min_size=1, max_size=10))
    y = np.array([*half, *reversed(half)])
    repeat = draw(st.integers(1, 3))
    return np.repeat(np.arange(y.size, dtype=float), repeat), np.repeat(y, repeat)


@st.composite
def count_tables(draw, max_values=10, max_classes=3, n_parts=3, max_count=5):
    """Class counts [value, class] and part counts [value, part] of the same rows, no row empty."""
    shape = (draw(st.integers(2, max_values)), draw(st.integers(2, max_classes)))
    counts = draw(hnp.arrays(np.int64, shape, elements=st.integers(0, max_count)))
    counts[counts.sum(axis=1) == 0, 0] = 1
    parts = np.zeros((shape[0], n_parts), dtype=np.int64)
    for value, rows in enumerate(counts.sum(axis=1)):
        for part in draw(st.lists(st.integers(0, n_parts - 1), min_size=int(rows), max_size=int(rows))):
            parts[value, part] += 1
    return counts, parts
