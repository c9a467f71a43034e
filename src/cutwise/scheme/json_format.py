"""Schemes as JSON: one way to write a scheme, and a reader that takes nothing else.

Version 1. The writer gives the same bytes for equal schemes, with keys in a fixed order; the reader is strict
(``persist/strict.py``).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from cutwise.persist.strict import (
    as_count,
    as_dict,
    as_label,
    as_list,
    as_number,
    as_object,
    as_text,
    as_weight,
    check_head,
    in_short,
    require,
)
from cutwise.scheme.attribute import Attribute, CutTrial, NominalAttribute, NumericAttribute
from cutwise.scheme.rules import is_parameter

if TYPE_CHECKING:
    from collections.abc import Collection

    from cutwise.scheme.scheme import Scheme

FORMAT = "cutwise scheme"
VERSION = 1

_COMMON_KEYS = ("name", "kind")
_NUMERIC_KEYS = ("cuts", "special_values", "minimum", "maximum", "n_values", "n_candidates", "steps", "refused")
# Written only if cuts were tested or edited, so that other schemes stay as they were.
_TESTED = ("p_values", "expected_losses", "refused_p_value")
_EDITED = "edited"
_OPTIONAL = (*_TESTED, _EDITED)
_NOMINAL_KEYS = ("categories",)
_RESULT_KEYS = ("score", "relevance", "divergence", "stop", "class_counts", "missing_by_class")
_SCHEME_KEYS = ("format", "version", "method", "criterion", "parameters", "classes", "missing", "attributes")


def scheme_to_dict(scheme: Scheme) -> dict[str, Any]:
    """Return the scheme as dicts, lists, texts and numbers."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "method": scheme.method,
        "criterion": scheme.criterion,
        "parameters": {key: _plain(scheme.parameters[key]) for key in sorted(scheme.parameters)},
        "classes": list(scheme.classes),
        "missing": scheme.missing,
        "attributes": [_attribute_to_dict(attribute) for attribute in scheme.attributes],
    }


def _attribute_to_dict(attribute: Attribute) -> dict[str, Any]:
    own = _own_keys(attribute.kind, {key for key in _OPTIONAL if getattr(attribute, key, None)})
    data = {key: _plain(getattr(attribute, key)) for key in (*_COMMON_KEYS, *own, *_RESULT_KEYS)}
    data["class_counts"] = [_known_counts(counts) for counts in attribute.class_counts]
    data["missing_by_class"] = list(map(_shortest, attribute.missing_by_class))
    return data


def _own_keys(kind: str, given: Collection[str]) -> tuple[str, ...]:
    """Return the keys that only attributes of that kind have, of the optional ones those that are given."""
    if kind == "nominal":
        return _NOMINAL_KEYS
    return (*_NUMERIC_KEYS, *(key for key in _OPTIONAL if key in given))


def _known_counts(counts: tuple[float, ...]) -> list[float] | None:
    """Return the counts of a bin, None if they are not known."""
    return None if any(map(math.isnan, counts)) else list(map(_shortest, counts))


def _shortest(count: float) -> float:
    """Return a whole count as an integer, so that equal counts are written alike."""
    return int(count) if count == round(count) else count


def _plain(value: object) -> object:
    """Return tuples as lists, all the way down."""
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def scheme_from_dict(data: object) -> dict[str, Any]:
    """Return the arguments of Scheme, after a check of every key and type."""
    scheme = as_object(check_head(data, FORMAT, VERSION, "scheme"), _SCHEME_KEYS, "The scheme")
    return {
        "method": as_text(scheme["method"], "'method'"),
        "criterion": as_text(scheme["criterion"], "'criterion'"),
        "parameters": _parameters(scheme["parameters"]),
        "classes": tuple(as_label(label, "'classes'") for label in as_list(scheme["classes"], "'classes'")),
        "missing": as_text(scheme["missing"], "'missing'"),
        "attributes": tuple(_attribute(item) for item in as_list(scheme["attributes"], "'attributes'")),
    }


def _parameters(data: object) -> dict[str, Any]:
    parameters = as_dict(data, "'parameters'")
    for key, value in parameters.items():
        require(is_parameter(value), f"The parameter {key!r} must be a text, a finite number or a list of those.")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in parameters.items()}


def _attribute(data: object) -> Attribute:
    item = as_dict(data, "An attribute")
    name = as_text(item.get("name"), "The name of an attribute")
    where = f"Attribute {name!r}"
    kind = item.get("kind")
    require(kind in ("numeric", "nominal"), f"{where}: 'kind' must be 'numeric' or 'nominal', not {kind!r}.")
    edited = item.get(_EDITED, True)
    require(edited is True, f"{where}: 'edited' must be true where it is given, not {in_short(edited)}.")
    as_object(item, (*_COMMON_KEYS, *_own_keys(str(kind), item), *_RESULT_KEYS), where)
    missing = _counts(item["missing_by_class"], where)
    unknown = (math.nan,) * len(missing)
    common: dict[str, Any] = {
        "name": name,
        "score": as_number(item["score"], f"{where}, 'score'"),
        "relevance": as_number(item["relevance"], f"{where}, 'relevance'"),
        "divergence": as_number(item["divergence"], f"{where}, 'divergence'"),
        "stop": as_text(item["stop"], f"{where}, 'stop'"),
        "class_counts": tuple(
            unknown if row is None else _counts(row, where)
            for row in as_list(item["class_counts"], f"{where}, 'class_counts'")
        ),
        "missing_by_class": missing,
    }
    if kind == "nominal":
        categories = as_list(item["categories"], f"{where}, 'categories'")
        return NominalAttribute(categories=tuple(as_label(c, where) for c in categories), **common)
    return NumericAttribute(
        cuts=tuple(as_number(cut, f"{where}, 'cuts'") for cut in as_list(item["cuts"], f"{where}, 'cuts'")),
        special_values=tuple(
            as_number(value, f"{where}, 'special_values'")
            for value in as_list(item["special_values"], f"{where}, 'special_values'")
        ),
        minimum=None if item["minimum"] is None else as_number(item["minimum"], f"{where}, 'minimum'"),
        maximum=None if item["maximum"] is None else as_number(item["maximum"], f"{where}, 'maximum'"),
        n_values=as_count(item["n_values"], f"{where}, 'n_values'"),
        n_candidates=as_count(item["n_candidates"], f"{where}, 'n_candidates'"),
        steps=tuple(_trial(step, where) for step in as_list(item["steps"], f"{where}, 'steps'")),
        refused=None if item["refused"] is None else _trial(item["refused"], where),
        edited=_EDITED in item,
        **_tests(item, where),
        **common,
    )


def _tests(item: dict[str, Any], where: str) -> dict[str, Any]:
    """Return how sure cuts are, where that is given; what is empty is not."""
    found: dict[str, Any] = {}
    for key in _TESTED[:2]:
        if key in item:
            numbers = as_list(item[key], f"{where}, {key!r}")
            require(len(numbers) > 0, f"{where}: {key!r} must not be empty where it is given.")
            found[key] = tuple(as_number(number, f"{where}, {key!r}") for number in numbers)
    if _TESTED[2] in item:
        found[_TESTED[2]] = as_number(item[_TESTED[2]], f"{where}, {_TESTED[2]!r}")
    return found


def _trial(data: object, where: str) -> CutTrial:
    numbers = as_list(data, f"{where}: a step")
    require(len(numbers) == len(CutTrial._fields), f"{where}: a step must hold {', '.join(CutTrial._fields)}.")
    return CutTrial(*(as_number(number, f"{where}: a step") for number in numbers))


def _counts(data: object, where: str) -> tuple[float, ...]:
    return tuple(as_weight(count, f"{where}: a count") for count in as_list(data, f"{where}: a row of counts"))
