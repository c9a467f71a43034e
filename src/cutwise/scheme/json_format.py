"""Schemes as JSON: one way to write a scheme, and a reader that takes nothing else.

Version 1. The writer gives the same bytes for equal schemes: keys in a fixed order, no
spaces, plain ASCII, numbers in their shortest exact form. The reader refuses what Python's
own lets pass: repeated keys, NaN and infinities, numbers that overflow, texts that are
too large or nested too deeply. Whatever is wrong, it raises SchemeError.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, NoReturn

from cutwise.errors import SchemeError
from cutwise.scheme.attribute import Attribute, CutTrial, NominalAttribute, NumericAttribute
from cutwise.scheme.rules import MAX_COUNT, MAX_DIGITS, is_parameter, require

if TYPE_CHECKING:
    from cutwise.scheme.scheme import Scheme

FORMAT = "cutwise scheme"
VERSION = 1
MAX_CHARACTERS = 1 << 26
MAX_DEPTH = 12
# Of numbers, texts, lists and objects; each of them costs time and memory.
MAX_ITEMS = 1 << 23

_COMMON_KEYS = ("name", "kind")
_NUMERIC_KEYS = ("cuts", "special_values", "minimum", "maximum", "n_values", "n_candidates", "steps", "refused")
# Written only if it is true, so that schemes without edits stay as they were.
_EDITED = "edited"
_NOMINAL_KEYS = ("categories",)
_RESULT_KEYS = ("score", "relevance", "divergence", "stop", "class_counts", "missing_by_class")
_SCHEME_KEYS = ("format", "version", "method", "criterion", "parameters", "classes", "missing", "attributes")
# A text in quotes, up to the end if it is not closed.
_QUOTED = re.compile(r'"(?:[^"\\]++|\\.?)*+(?:"|\Z)', re.DOTALL)
_BRACKETS = re.compile(r"[^\[\]]++")


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
    own = _own_keys(attribute.kind, edited=getattr(attribute, _EDITED, False))
    data = {key: _plain(getattr(attribute, key)) for key in (*_COMMON_KEYS, *own, *_RESULT_KEYS)}
    data["class_counts"] = [_known_counts(counts) for counts in attribute.class_counts]
    data["missing_by_class"] = list(map(_shortest, attribute.missing_by_class))
    return data


def _own_keys(kind: str, *, edited: bool) -> tuple[str, ...]:
    """Return the keys that only attributes of that kind have."""
    if kind == "nominal":
        return _NOMINAL_KEYS
    return (*_NUMERIC_KEYS, _EDITED) if edited else _NUMERIC_KEYS


def _known_counts(counts: tuple[float, ...]) -> list[float] | None:
    """Return the counts of a bin, None if they are not known."""
    return None if any(map(math.isnan, counts)) else list(map(_shortest, counts))


def _shortest(count: float) -> float:
    """Return a whole count as an integer, so that equal counts are written alike."""
    return int(count) if count == round(count) else count


def _plain(value: object) -> object:
    """Return tuples as lists, all the way down."""
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def write_json(data: dict[str, Any]) -> str:
    """Return the canonical JSON text."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False) + "\n"


def readable_json(data: dict[str, Any], what: str, advice: str) -> str:
    """Return the canonical JSON text of something, or refuse it if it is too large to be read back."""
    text = write_json(data)
    limit = f"characters, and at most {MAX_CHARACTERS:,} can be read back. {advice}"
    require(len(text) <= MAX_CHARACTERS, f"As JSON {what} takes {len(text):,} {limit}")
    try:
        _check_structure(text)
    except SchemeError as error:
        message = f"As JSON {what} could not be read back. {error} {advice}"
        raise SchemeError(message) from None
    return text


def parse_json(text: str | bytes) -> object:
    """Return what a JSON text holds, within the limits of the format."""
    require(
        len(text) <= MAX_CHARACTERS, f"The text is too large: {len(text):,} characters, at most {MAX_CHARACTERS:,}."
    )
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"The text is not UTF-8: {error}."
            raise SchemeError(message) from None
    _check_structure(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        message = f"The text is not JSON: {error}."
        raise SchemeError(message) from None


def _check_structure(text: str) -> None:
    """Refuse a text that holds too much, or too deeply, in a time that depends on its length alone."""
    too_many = f"The text holds more than {MAX_ITEMS:,} numbers, texts and lists."
    require(text.count('"') <= 4 * MAX_ITEMS, too_many)
    bare = _QUOTED.sub("", text)
    require(sum(map(bare.count, ",:[{")) <= MAX_ITEMS and sum(map(bare.count, "]}")) <= MAX_ITEMS, too_many)
    nested = _BRACKETS.sub("", bare.translate({ord("{"): "[", ord("}"): "]"}))
    for _ in range(MAX_DEPTH):
        nested = nested.replace("[]", "")
    # What is left of a whole text is nested deeper; of a torn one, as many brackets may be open.
    too_deep = "[]" in nested or nested.count("[") > MAX_DEPTH
    require(not too_deep, f"The text is nested more than {MAX_DEPTH} deep.")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        require(key not in result, f"The key {key!r} appears twice in one object.")
        result[key] = value
    return result


def _integer(token: str) -> int:
    require(len(token) <= MAX_DIGITS, f"A number has {len(token)} digits, at most {MAX_DIGITS} are allowed.")
    return int(token)


def _float(token: str) -> float:
    require(len(token) <= MAX_DIGITS, f"A number has {len(token)} digits, at most {MAX_DIGITS} are allowed.")
    number = float(token)
    require(math.isfinite(number), f"The number {token} is too large for a double.")
    return number


def _constant(token: str) -> NoReturn:
    message = f"{token} is not allowed; every number must be finite."
    raise SchemeError(message)


def scheme_from_dict(data: object) -> dict[str, Any]:
    """Return the arguments of Scheme, after a check of every key and type."""
    scheme = _dict(data, "The scheme")
    require(scheme.get("format") == FORMAT, f"This is no scheme: 'format' is {scheme.get('format')!r}, not {FORMAT!r}.")
    version = scheme.get("version")
    require(
        version == VERSION and type(version) is int,
        f"Version {version!r} of the format is unknown; this library reads version {VERSION}. Try a newer release.",
    )
    _keys(scheme, _SCHEME_KEYS, "The scheme")
    return {
        "method": _text(scheme["method"], "'method'"),
        "criterion": _text(scheme["criterion"], "'criterion'"),
        "parameters": _parameters(scheme["parameters"]),
        "classes": tuple(_category(label, "'classes'") for label in _list(scheme["classes"], "'classes'")),
        "missing": _text(scheme["missing"], "'missing'"),
        "attributes": tuple(_attribute(item) for item in _list(scheme["attributes"], "'attributes'")),
    }


def _parameters(data: object) -> dict[str, Any]:
    parameters = _dict(data, "'parameters'")
    for key, value in parameters.items():
        require(is_parameter(value), f"The parameter {key!r} must be a text, a finite number or a list of those.")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in parameters.items()}


def _attribute(data: object) -> Attribute:
    item = _dict(data, "An attribute")
    name = _text(item.get("name"), "The name of an attribute")
    where = f"Attribute {name!r}"
    kind = item.get("kind")
    require(kind in ("numeric", "nominal"), f"{where}: 'kind' must be 'numeric' or 'nominal', not {kind!r}.")
    edited = item.get(_EDITED, True)
    require(edited is True, f"{where}: 'edited' must be true where it is given, not {_shown(edited)}.")
    _keys(item, (*_COMMON_KEYS, *_own_keys(str(kind), edited=_EDITED in item), *_RESULT_KEYS), where)
    missing = _counts(item["missing_by_class"], where)
    unknown = (math.nan,) * len(missing)
    common: dict[str, Any] = {
        "name": name,
        "score": _number(item["score"], f"{where}, 'score'"),
        "relevance": _number(item["relevance"], f"{where}, 'relevance'"),
        "divergence": _number(item["divergence"], f"{where}, 'divergence'"),
        "stop": _text(item["stop"], f"{where}, 'stop'"),
        "class_counts": tuple(
            unknown if row is None else _counts(row, where)
            for row in _list(item["class_counts"], f"{where}, 'class_counts'")
        ),
        "missing_by_class": missing,
    }
    if kind == "nominal":
        categories = _list(item["categories"], f"{where}, 'categories'")
        return NominalAttribute(categories=tuple(_category(c, where) for c in categories), **common)
    return NumericAttribute(
        cuts=tuple(_number(cut, f"{where}, 'cuts'") for cut in _list(item["cuts"], f"{where}, 'cuts'")),
        special_values=tuple(
            _number(value, f"{where}, 'special_values'")
            for value in _list(item["special_values"], f"{where}, 'special_values'")
        ),
        minimum=_optional_number(item["minimum"], f"{where}, 'minimum'"),
        maximum=_optional_number(item["maximum"], f"{where}, 'maximum'"),
        n_values=_count(item["n_values"], f"{where}, 'n_values'"),
        n_candidates=_count(item["n_candidates"], f"{where}, 'n_candidates'"),
        steps=tuple(_trial(step, where) for step in _list(item["steps"], f"{where}, 'steps'")),
        refused=None if item["refused"] is None else _trial(item["refused"], where),
        edited=_EDITED in item,
        **common,
    )


def _trial(data: object, where: str) -> CutTrial:
    numbers = _list(data, f"{where}: a step")
    require(len(numbers) == len(CutTrial._fields), f"{where}: a step must hold {', '.join(CutTrial._fields)}.")
    return CutTrial(*(_number(number, f"{where}: a step") for number in numbers))


def _counts(data: object, where: str) -> tuple[float, ...]:
    return tuple(_weight(count, f"{where}: a count") for count in _list(data, f"{where}: a row of counts"))


def _keys(data: dict[str, Any], expected: tuple[str, ...], where: str) -> None:
    lacking = [key for key in expected if key not in data]
    unknown = [key for key in data if key not in expected]
    require(not lacking, f"{where} lacks {', '.join(map(repr, lacking))}.")
    require(not unknown, f"{where} has the unknown key {', '.join(map(repr, unknown))}.")


def _dict(data: object, where: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        message = f"{where} must be an object, not {_shown(data)}."
        raise SchemeError(message)
    return data


def _list(data: object, where: str) -> list[Any]:
    if not isinstance(data, list):
        message = f"{where} must be a list, not {_shown(data)}."
        raise SchemeError(message)
    return data


def _text(data: object, where: str) -> str:
    if not isinstance(data, str):
        message = f"{where} must be a text, not {_shown(data)}."
        raise SchemeError(message)
    return data


def _number(data: object, where: str) -> float:
    if isinstance(data, bool) or not isinstance(data, int | float) or abs(data) > 1.7976931348623157e308:
        message = f"{where} must be a finite number, not {_shown(data)}."
        raise SchemeError(message)
    return float(data)


def _optional_number(data: object, where: str) -> float | None:
    return None if data is None else _number(data, where)


def _count(data: object, where: str) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data < MAX_COUNT:
        message = f"{where} must be a whole number from 0 on, not {_shown(data)}."
        raise SchemeError(message)
    return data


def _weight(data: object, where: str) -> float:
    """Return a count, or with sample weights a sum of them."""
    if isinstance(data, float) and 0.0 <= data < math.inf and data != round(data):
        return data
    return _count(data, where)


def _category(data: object, where: str) -> str | bool | int | float:
    if not isinstance(data, str | bool | int | float):
        message = f"{where}: a label must be a text, a number or a boolean, not {_shown(data)}."
        raise SchemeError(message)
    return data


def _shown(data: object) -> str:
    """Return a short text for a value that does not fit."""
    text = repr(data)
    return text if len(text) <= 60 else text[:57] + "..."
