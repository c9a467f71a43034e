"""Equal schemes are written alike, whatever the types of their numbers (promise 15)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from cutwise import MRmDDiscretizer, Scheme
from tests.scheme.test_json import schemes
from tests.strategies import tables


def with_counts(scheme, convert):
    """Return the scheme with each count as another type holds it."""
    attributes = [
        replace(
            attribute,
            class_counts=tuple(tuple(map(convert, row)) for row in attribute.class_counts),
            missing_by_class=tuple(map(convert, attribute.missing_by_class)),
        )
        for attribute in scheme.attributes
    ]
    return replace(scheme, attributes=tuple(attributes))


@pytest.mark.parametrize("convert", [float, np.float64, np.int64, np.int32, np.float32])
@given(table=tables(missing=True))
def test_counts_of_any_type_are_written_alike(convert, table):
    scheme = MRmDDiscretizer().fit(*table).scheme_
    text = scheme.to_json()
    other = with_counts(scheme, convert)
    assert other == scheme
    assert other.to_json() == text
    assert Scheme.from_json(other.to_json()) == scheme


def test_weights_that_add_up_to_whole_rows_are_written_as_these():
    X, y = [[1.0], [2.0], [3.0]] * 4, [0, 0, 1] * 4
    doubled, weights = [row for row in X for _ in range(2)], [0.25, 0.75] * 12
    whole = MRmDDiscretizer().fit(X, y).scheme_
    halves = MRmDDiscretizer().fit(doubled, [label for label in y for _ in range(2)], sample_weight=weights).scheme_
    assert halves["x0"].class_counts == whole["x0"].class_counts
    assert "[[8,0],[0,4]]" in halves.to_json()
    assert Scheme.from_json(halves.to_json()) == halves


@given(schemes())
def test_a_scheme_of_doubles_is_written_alike(scheme):
    if all(count < 2**53 for a in scheme.attributes for row in a.class_counts for count in row) and all(
        count < 2**53 for a in scheme.attributes for count in a.missing_by_class
    ):
        assert with_counts(scheme, float).to_json() == scheme.to_json()
