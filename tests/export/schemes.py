"""Schemes and columns of every kind, for the tests of exports."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import strategies as st

from cutwise import Scheme
from cutwise.categories import category_text
from cutwise.export.query import ASCII_BLANKS
from cutwise.scheme import NominalAttribute, NumericAttribute, encode_columns
from tests.strategies import DOUBLES, LARGEST

COMMON = {"missing_by_class": (0, 0), "score": 0.0, "relevance": 0.0, "divergence": 0.0}
EXTREMES = [
    *(None, math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, LARGEST, -LARGEST),
    *(0.1, 0.3, 0.1 + 0.2, 1 / 3, 1.0, 1e22, 1e23, 2.0**53, 2.0**53 + 2, 123456.789e-200, -999.0, 9007199254740993.0),
]
# No two are the same category; all but the first hold something besides blanks.
HOSTILE = [
    *("", "'", "''", '"', "\\", "\\'", "\\\\'", "it's", "a\\nb", "line\nbreak", "tab\tinside", "\r\n|\r\n", "`", "```"),
    *("'; DROP TABLE data; --", "--", "/*", "*/", "${env:HOME}", "$1", "$$", "%s", "?", ":name", "{{x}}", "\\x00"),
    *(
        "NULL",
        "true",
        "1",
        "NaN",
        "ä",
        "ß",
        "\u202e",
        "line\u2028separator",
        "\U0001f600",
        "e\u0301",
        "\u00e9",
        "A",
        "a",
        "a b",
        "a  b",
    ),
    *("nul\0nul", "\x7f\x1b", "__SQLGLOT__LB__", "long " * 300, "'" * 3000),
]
# Each is one of those above, or no value.
WITH_BLANKS = [" ", "\r\n", "\t\v\f", "a ", "\na b", " it's\t", " ' ", "1.0 ", " TRUE", " ? "]
# Values drawn at random may be new ones for the most part, and databases do not warn.
MAY_BE_UNSEEN = pytest.mark.filterwarnings("ignore::cutwise.errors.UnseenWarning")


def numeric(name, cuts, special=()):
    counts = tuple((1, 1) for _ in range(len(cuts) + 1 + len(special)))
    ends = {"minimum": None, "maximum": None, "n_values": 0, "n_candidates": 0}
    return NumericAttribute(
        name=name,
        cuts=tuple(cuts),
        special_values=tuple(special),
        class_counts=counts,
        stop="no_gain",
        **ends,
        **COMMON,
    )


def nominal(name, categories):
    """A bin for each category; those in a tuple share one."""
    groups = tuple(one if isinstance(one, tuple) else (one,) for one in categories)
    counts = tuple((1, 1) for _ in groups)
    return NominalAttribute(name=name, groups=groups, class_counts=counts, stop="nominal", **COMMON)


def in_groups(categories, codes):
    """Categories with the same code as a tuple."""
    return [tuple(one for one, c in zip(categories, codes, strict=False) if c == code) for code in sorted(set(codes))]


def scheme_of(*attributes, missing="code"):
    return Scheme(method="by hand", classes=(0, 1), attributes=attributes, missing=missing)


def type_of(attribute):
    """The type of a column in a database or a table: double, text or boolean."""
    if attribute.kind == "numeric":
        return "double"
    kinds = {type(category) for category in attribute.categories}
    return {frozenset({bool}): "boolean", frozenset({int}): "integer", frozenset({float}): "double"}.get(
        frozenset(kinds), "text"
    )


def codes_of(scheme, columns):
    """What the library itself says, as a list of rows."""
    table = np.empty((len(columns[0]), len(columns)), dtype=object)
    for j, column in enumerate(columns):
        table[:, j] = column
    return encode_columns(scheme, table).tolist()


def around(numbers):
    """The numbers and their neighbours."""
    return [
        x for number in numbers for x in (number, math.nextafter(number, math.inf), math.nextafter(number, -math.inf))
    ]


@st.composite
def numeric_columns(draw, name):
    cuts = sorted(set(draw(st.lists(DOUBLES, max_size=6))))
    special = sorted(set(draw(st.lists(DOUBLES, max_size=2))))
    pool = [*around(cuts), *special, *EXTREMES]
    return numeric(name, cuts, special), draw(st.lists(st.sampled_from(pool), min_size=8, max_size=8))


# Databases do not take off the rarer blanks of Unicode.
TEXTS = st.one_of(
    st.sampled_from([text for text in HOSTILE if len(text) < 100] + WITH_BLANKS),
    st.text(max_size=4).filter(lambda text: text.strip() == text.strip(ASCII_BLANKS)),
)


@st.composite
def nominal_columns(draw, name):
    kind = draw(st.sampled_from(["text", "boolean", "integer", "double"]))
    items = {
        "text": TEXTS.filter(lambda text: "\0" not in text),
        "boolean": st.booleans(),
        "integer": st.integers(-(2**53), 2**53),
        "double": st.floats(allow_nan=False, allow_infinity=False),
    }[kind]
    categories = draw(st.lists(items, min_size=1, max_size=5, unique_by=category_text))
    pool = st.one_of(st.none(), st.sampled_from(categories), items)
    codes = draw(st.lists(st.integers(0, 4), min_size=len(categories), max_size=len(categories)))
    return nominal(name, in_groups(categories, codes)), draw(st.lists(pool, min_size=8, max_size=8))


@st.composite
def cases(draw):
    """A scheme and a column of values for each of its attributes."""
    names = [f"a{j}" for j in range(draw(st.integers(1, 4)))]
    pairs = [draw(st.one_of(numeric_columns(name), nominal_columns(name))) for name in names]
    missing = draw(st.sampled_from(["code", "bin"]))
    return scheme_of(*(attribute for attribute, _ in pairs), missing=missing), [column for _, column in pairs]
