"""How columns are written, as a scheme keeps it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cutwise import MRmDDiscretizer, Scheme, SchemeError


@pytest.fixture(scope="module")
def scheme():
    """A scheme of a numeric and a nominal attribute."""
    X = [[1.0, "a"], [2.0, "b"], [3.0, "a"], [4.0, "b"]] * 5
    return MRmDDiscretizer().fit(X, ["no", "no", "yes", "yes"] * 5).scheme_


def test_formats_come_back(scheme):
    assert "formats" not in scheme.to_dict()
    found = replace(scheme, formats={"x1": "Yes/No", "x0": "1.234,5%"})
    assert Scheme.from_json(found.to_json()) == found
    assert list(found.to_dict()["formats"]) == ["x0", "x1"]
    assert found.with_cuts("x0", [1.5]).formats == found.formats
    assert hash(found) != hash(scheme)


@pytest.mark.parametrize(
    ("formats", "message"),
    [
        ({"y": "1,234.5"}, "none of its attributes"),
        ({"x0": "1234"}, "there is no format '1234'"),
        ({"x0": "Yes/No"}, "is numeric and cannot have the format 'Yes/No'"),
        ({"x1": "dd.mm.yyyy"}, "is nominal and cannot have the format"),
        ({"x0": 5}, "format"),
    ],
)
def test_wrong_formats_are_refused(scheme, formats, message):
    with pytest.raises(SchemeError, match=message):
        replace(scheme, formats=formats)
    with pytest.raises(SchemeError):
        Scheme.from_json(json.dumps({**scheme.to_dict(), "formats": formats}))


@pytest.mark.parametrize("formats", [{}, [], None, {"x0": ["1,234.5"]}])
def test_hostile_formats_are_refused(scheme, formats):
    with pytest.raises(SchemeError, match=r"formats|format"):
        Scheme.from_json(json.dumps({**scheme.to_dict(), "formats": formats}))
