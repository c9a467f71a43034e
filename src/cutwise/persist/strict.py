"""Strict data: JSON within limits, one way to write it, and values that must be of the right type.

The writer gives the same bytes for equal data: no spaces, plain ASCII, numbers in their shortest exact form. The
reader refuses what Python's own lets pass: repeated keys, NaN and infinities, numbers that overflow, strings that
are too large or nested too deeply. Whatever is wrong, FormatError is raised; `refused_as` turns it into the error of
the format at hand.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from cutwise.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_CHARACTERS = 1 << 26
MAX_DEPTH = 12
# Of numbers, strings, lists and objects; each of them costs time and memory.
MAX_ITEMS = 1 << 23
MAX_DIGITS = 400
LARGEST_INTEGER = 10 ** (MAX_DIGITS - 1)
# Counts are whole numbers of 64 bits wherever they are computed with.
MAX_COUNT = 1 << 63
LARGEST_DOUBLE = 1.7976931348623157e308

# A string in quotes, up to the end if it is not closed.
_QUOTED = re.compile(r'"(?:[^"\\]++|\\.?)*+(?:"|\Z)', re.DOTALL)
_BRACKETS = re.compile(r"[^\[\]]++")


@contextmanager
def refused_as(error: type[FormatError], where: str = "") -> Iterator[None]:
    """Raise the error of a format in place of FormatError; `where` begins its message."""
    try:
        yield
    except FormatError as found:
        raise error(f"{where}{found}") from None


def require(condition: bool, message: str) -> None:  # noqa: FBT001
    """Raise FormatError with the message unless the condition holds."""
    if not condition:
        raise FormatError(message)


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
    except FormatError as error:
        raise FormatError(f"As JSON {what} could not be read back. {error} {advice}") from None
    return text


def as_lists(value: Any) -> Any:
    """Return plain data with lists in place of tuples, all the way down."""
    if isinstance(value, Mapping):
        return {key: as_lists(item) for key, item in value.items()}
    return [as_lists(item) for item in value] if isinstance(value, list | tuple) else value


def parse_json(text: str | bytes) -> object:
    """Return what a JSON text holds, within the limits."""
    require(
        len(text) <= MAX_CHARACTERS, f"The text is too large: {len(text):,} characters, at most {MAX_CHARACTERS:,}."
    )
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise FormatError(f"The text is not UTF-8: {error}.") from None
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
        raise FormatError(f"The text is not JSON: {error}.") from None


def _check_structure(text: str) -> None:
    """Refuse a text that holds too much, or too deeply, in a time that depends on its length alone."""
    too_many = f"The text holds more than {MAX_ITEMS:,} numbers, strings and lists."
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
    raise FormatError(f"{token} is not allowed; every number must be finite.")


def check_head(data: object, form: str, version: int, what: str) -> dict[str, Any]:
    """Return an object whose 'format' and 'version' are the known ones."""
    found = as_dict(data, f"The {what}")
    require(
        found.get("format") == form, f"This is no {what}: 'format' is {in_short(found.get('format'))}, not {form!r}."
    )
    given = found.get("version")
    require(
        type(given) is int and given == version,
        f"Version {in_short(given)} of the format is unknown; this library reads version {version}. "
        "Try a newer release.",
    )
    return found


def as_dict(data: object, where: str) -> dict[str, Any]:
    """Return an object with any keys."""
    if not isinstance(data, dict):
        raise FormatError(f"{where} must be an object, not {in_short(data)}.")
    return data


def as_object(data: object, keys: Iterable[str], where: str) -> dict[str, Any]:
    """Return an object that has these keys and no other."""
    found = as_dict(data, where)
    expected = list(keys)
    lacking = [key for key in expected if key not in found]
    unknown = [key for key in found if key not in expected]
    require(not lacking, f"{where} lacks {', '.join(map(repr, lacking))}.")
    require(not unknown, f"{where} has the unknown key {', '.join(map(repr, unknown))}.")
    return found


def as_variant(data: object, keys: Mapping[str, Iterable[str]], where: str) -> dict[str, Any]:
    """Return an object with a 'kind' and with the keys of that kind."""
    kind = as_dict(data, where).get("kind")
    known = isinstance(kind, str) and kind in keys
    require(known, f"{where}: 'kind' must be one of {', '.join(keys)}, not {in_short(kind)}.")
    return as_object(data, ("kind", *keys[str(kind)]), where)


def as_list(data: object, where: str) -> list[Any]:
    """Return a list."""
    if not isinstance(data, list):
        raise FormatError(f"{where} must be a list, not {in_short(data)}.")
    return data


def as_text(data: object, where: str) -> str:
    """Return a string."""
    if not isinstance(data, str):
        raise FormatError(f"{where} must be a string, not {in_short(data)}.")
    return data


def as_number(data: object, where: str) -> float:
    """Return a finite number as a double."""
    if isinstance(data, bool) or not isinstance(data, int | float) or not abs(data) <= LARGEST_DOUBLE:
        raise FormatError(f"{where} must be a finite number, not {in_short(data)}.")
    return float(data)


def as_count(data: object, where: str) -> int:
    """Return a whole number from 0 on."""
    if type(data) is not int or not 0 <= data < MAX_COUNT:
        raise FormatError(f"{where} must be a whole number from 0 on, not {in_short(data)}.")
    return data


def as_weight(data: object, where: str) -> float:
    """Return a count, or with sample weights a sum of them."""
    if isinstance(data, float) and 0.0 <= data < math.inf and data != round(data):
        return data
    return as_count(data, where)


def as_label(data: object, where: str) -> str | bool | int | float:
    """Return a string, a number or a boolean."""
    if not isinstance(data, str | bool | int | float):
        raise FormatError(f"{where}: a label must be a string, a number or a boolean, not {in_short(data)}.")
    return data


def in_short(data: object) -> str:
    """Return a short string for a value that does not fit."""
    text = repr(data)
    return text if len(text) <= 60 else text[:57] + "..."
