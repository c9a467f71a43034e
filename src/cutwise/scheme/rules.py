"""What every scheme must satisfy, wherever it comes from, and schemes as JSON.

Version 1. The writer gives the same bytes for equal schemes, with keys in a fixed order; the reader is strict
(``persist/strict.py``) and takes nothing else.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cutwise.categories import category_text
from cutwise.errors import SchemeError
from cutwise.persist.strict import (
    LARGEST_INTEGER,
    MAX_COUNT,
    MAX_DIGITS,
    as_count,
    as_dict,
    as_label,
    as_list,
    as_lists,
    as_number,
    as_object,
    as_text,
    as_weight,
    check_head,
    in_short,
    refused_as,
    require,
)
from cutwise.scheme.attribute import Attribute, Category, CutTrial, NominalAttribute, NumericAttribute
from cutwise.scheme.event import MOST_CLASSES_TOLD, default_event
from cutwise.table.cleaning.formats import holds_numbers, is_format

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cutwise.scheme.scheme import Scheme


@refused_as(SchemeError)
def check_scheme(scheme: Scheme) -> None:
    """Raise SchemeError if a scheme contradicts itself."""
    require(scheme.missing in ("code", "bin"), f"'missing' must be 'code' or 'bin', not {scheme.missing!r}.")
    for text in (scheme.method, scheme.criterion, *scheme.names, *scheme.parameters):
        require(isinstance(text, str), f"The name {text!r} must be a string, not {type(text).__name__}.")
    _check_parameters(scheme.parameters)
    _check_labels(scheme.classes, "The classes")
    _check_distinct(scheme.classes, "classes")
    _check_distinct(scheme.names, "attribute names")
    if scheme.event is not None:
        is_bool = isinstance(scheme.event, bool)
        known = any(label == scheme.event and isinstance(label, bool) is is_bool for label in scheme.classes)
        listed = ", ".join(map(repr, scheme.classes[:MOST_CLASSES_TOLD]))
        require(known, f"The event {in_short(scheme.event)} is none of the classes, which are {listed}.")
    for attribute in scheme.attributes:
        _check_counts(attribute, len(scheme.classes))
        _check_score(attribute)
        if isinstance(attribute, NumericAttribute):
            _check_numeric(attribute)
        elif isinstance(attribute, NominalAttribute):
            _check_nominal(attribute)
    _check_formats(scheme)


def _check_formats(scheme: Scheme) -> None:
    """Check that formats are known, and those of the attributes' kinds."""
    kinds = {attribute.name: attribute.kind for attribute in scheme.attributes}
    for name, form in scheme.formats.items():
        require(name in kinds, f"The scheme has a format for {in_short(name)}, which is none of its attributes.")
        require(is_format(form), f"Attribute {name!r}: there is no format {in_short(form)}.")
        require(
            holds_numbers(form) == (kinds[name] == "numeric"),
            f"Attribute {name!r} is {kinds[name]} and cannot have the format {form!r}.",
        )


def _check_labels(labels: Sequence[object], where: str) -> None:
    """Check that JSON can hold the labels and that the reader takes them back."""
    for label in labels:
        finite = not isinstance(label, float) or math.isfinite(label)
        require(finite, f"{where} must be finite, but one of them is {label!r}.")
        short = not isinstance(label, int) or abs(label) < LARGEST_INTEGER
        require(short, f"{where} must be shorter than {MAX_DIGITS} digits.")


def is_parameter(value: object) -> bool:
    """Return whether JSON can hold the value of a parameter, and the reader takes it back."""
    if isinstance(value, Mapping):
        return all(
            isinstance(key, str) and not isinstance(own, Mapping) and is_parameter(own) for key, own in value.items()
        )
    items = value if isinstance(value, list | tuple) else [value]
    return all(item is None or isinstance(item, str | bool) or _is_finite(item) for item in items)


def _is_finite(number: object) -> bool:
    if isinstance(number, int):
        return bool(abs(number) < LARGEST_INTEGER)
    return isinstance(number, float) and math.isfinite(number)


def _check_parameters(parameters: Mapping[str, object]) -> None:
    for key, value in parameters.items():
        require(
            is_parameter(value), f"The parameter {key!r} must be a string, a finite number, a list of those or a dict."
        )


def _check_distinct(items: Sequence[object], what: str) -> None:
    seen: set[object] = set()
    for item in items:
        require(item not in seen, f"The {what} must differ, but {item!r} appears twice.")
        seen.add(item)


def _check_counts(attribute: Attribute, n_classes: int) -> None:
    rows = (*attribute.class_counts, attribute.missing_by_class)
    for length in map(len, rows):
        if length != n_classes:
            message = f"{_where(attribute)}: a row of counts has {length} numbers for {n_classes} classes."
            raise SchemeError(message)
    counts = [*attribute.missing_by_class, *itertools.chain.from_iterable(attribute.class_counts)]
    if math.isnan(sum(counts)):
        known = [row for row in attribute.class_counts if not all(map(math.isnan, row))]
        counts = [*attribute.missing_by_class, *itertools.chain.from_iterable(known)]
    # No number that is not finite hides in a sum.
    good = math.isfinite(sum(counts)) and min(counts, default=0) >= 0 and max(counts, default=0) < MAX_COUNT
    if not good:
        raise SchemeError(f"{_where(attribute)}: a count is negative, not finite or not below 2^63.")


def _check_score(attribute: Attribute) -> None:
    scores = (attribute.score, attribute.relevance, attribute.divergence)
    if not all(map(math.isfinite, scores)):
        raise SchemeError(f"{_where(attribute)}: a score is not a finite number.")
    if attribute.stop not in STOP_REASONS:
        message = (
            f"{_where(attribute)}: {attribute.stop!r} is no known reason to stop; these are: {', '.join(STOP_REASONS)}."
        )
        raise SchemeError(message)


def _check_numeric(attribute: NumericAttribute) -> None:
    cuts = attribute.cuts
    special = attribute.special_values
    _check_ascending(cuts, attribute, "cut")
    if special:
        _check_ascending(special, attribute, "special value")
    expected = len(cuts) + 1 + len(special)
    if attribute.n_bins != expected:
        message = (
            f"{_where(attribute)}: {len(cuts)} cuts and {len(special)} special values make {expected} bins, "
            f"but counts are given for {attribute.n_bins}."
        )
        raise SchemeError(message)
    _check_ends(attribute)
    if attribute.n_values < 0 or attribute.n_candidates < 0:
        raise SchemeError(f"{_where(attribute)}: a number of values is negative.")
    if attribute.n_values >= MAX_COUNT or attribute.n_candidates >= MAX_COUNT:
        raise SchemeError(f"{_where(attribute)}: a number of values is not below 2^63.")
    trials = attribute.steps if attribute.refused is None else (*attribute.steps, attribute.refused)
    if not all(map(math.isfinite, itertools.chain.from_iterable(trials))):
        raise SchemeError(f"{_where(attribute)}: a step holds a number that is not finite.")
    if attribute.trend_costs:
        for cost in attribute.trend_costs.values():
            require(math.isfinite(cost), f"{_where(attribute)}: the cost {cost!r} of a trend is not a finite number.")
    if attribute.p_values or attribute.expected_losses or attribute.refused_p_value is not None:
        _check_tests(attribute, _where(attribute))


def _check_ends(attribute: NumericAttribute) -> None:
    low, high = attribute.minimum, attribute.maximum
    if (low is None) is not (high is None):
        raise SchemeError(f"{_where(attribute)}: give both ends of the values or none.")
    for end in (low, high):
        if end is not None and not math.isfinite(end):
            raise SchemeError(f"{_where(attribute)}: the end {end!r} of the values is not a finite number.")


def _where(attribute: Attribute) -> str:
    return f"Attribute {attribute.name!r}"


def _check_chances(p_values: Sequence[float], where: str) -> None:
    good = all(0.0 < p_value <= 1.0 for p_value in p_values)
    require(good, f"{where}: a p-value must be above 0 and at most 1.")


def _check_tests(attribute: NumericAttribute, where: str) -> None:
    """Check that all cuts were tested or none, and that chances are chances."""
    for name in ("p_values", "expected_losses"):
        numbers = getattr(attribute, name)
        require(
            len(numbers) in (0, len(attribute.cuts)),
            f"{where}: {name!r} has {len(numbers)} numbers for {len(attribute.cuts)} cuts.",
        )
    require(
        len(attribute.p_values) == len(attribute.expected_losses),
        f"{where}: 'p_values' and 'expected_losses' belong together.",
    )
    refused = () if attribute.refused_p_value is None else (attribute.refused_p_value,)
    _check_chances((*attribute.p_values, *refused), where)
    require(not refused or attribute.refused is not None, f"{where}: 'refused_p_value' needs a refused cut.")
    losses = attribute.expected_losses
    require(
        all(map(math.isfinite, losses)) and min(losses, default=0.0) >= 0.0,
        f"{where}: an expected loss must be a finite number from 0 on.",
    )


def _check_ascending(numbers: Sequence[float], attribute: Attribute, noun: str) -> None:
    """Check that numbers are finite and ascend."""
    if not all(map(math.isfinite, numbers)):
        wrong = next(number for number in numbers if not math.isfinite(number))
        raise SchemeError(f"{_where(attribute)}: the {noun} {wrong!r} is not a finite number.")
    if not all(map(operator.lt, numbers, numbers[1:])):
        left, right = next(pair for pair in itertools.pairwise(numbers) if not pair[0] < pair[1])
        raise SchemeError(f"{_where(attribute)}: {noun}s must ascend, but {right!r} follows {left!r}.")


def _check_nominal(attribute: NominalAttribute) -> None:
    where = _where(attribute)
    _check_distinct(list(map(category_text, attribute.categories)), f"categories of {attribute.name!r}")
    require(
        attribute.n_bins == len(attribute.groups),
        f"{where}: there are {len(attribute.groups)} {'groups' if attribute.is_grouped else 'categories'}, but counts "
        f"for {attribute.n_bins}.",
    )
    require(all(attribute.groups), f"{where}: a group has no category.")
    require(
        len(attribute.p_values) in (0, attribute.n_bins - 1),
        f"{where}: 'p_values' has {len(attribute.p_values)} numbers for {attribute.n_bins} bins, one less is needed.",
    )
    _check_chances(attribute.p_values, where)
    _check_labels(attribute.categories, f"{where}: the categories")


STOP_REASONS = {
    "no_gain": "no further cut raises the criterion",
    "not_shorter": "no further cut shortens the description of its bin",
    "not_confirmed": "no further cut is better than the best one that chance gives",
    "limit": "the largest allowed number of cuts is reached",
    "limits": "cuts were joined or added until the limits were kept",
    "no_room": "no cut is left that the limits allow",
    "all_cut": "every gap between neighbouring values has a cut",
    "optimum": "no other set of cuts scores higher",
    "significant": "all neighbouring bins differ significantly",
    "all_merged": "no neighbouring bins differ enough to stay apart",
    "consistency": "merging more bins would make the rows less consistent",
    "last_level": "the lowest level of significance is reached",
    "no_change": "no split, merge or shift of the bins scores higher",
    "evaluations": "the largest number of evaluations is reached",
    "restarts": "several restarts in a row found nothing better",
    "deadline": "the time was over; these are the best cuts found so far",
    "no_candidates": "the class never changes from the first value on",
    "joint_optimum": "no single change of a cut raises the criterion of all columns together",
    "penalty": "no further jump of the model outweighs the penalty",
    "pruned": "without a further cut naive Bayes predicts rows that are left out better",
    "left_out": "the column is not among the most useful ones, to which the joint search is limited",
    "shared_out": "the bins have the width or the number of rows that was asked for",
    "by_hand": "the cuts were given",
    "few_rows": "there are too few rows for two bins",
    "one_value": "the column has a single value",
    "one_class": "the rows with a value are all of one class",
    "no_values": "the column has no values",
    "nominal": "the column is nominal: each category is a bin",
}


FORMAT = "cutwise scheme"
VERSION = 1

_COMMON_KEYS = ("name", "kind")
_NUMERIC_KEYS = ("cuts", "special_values", "minimum", "maximum", "n_values", "n_candidates", "steps", "refused")
# Written only if cuts were tested or edited, so that other schemes stay as they were.
_TESTED = ("p_values", "expected_losses", "refused_p_value")
_EDITED = "edited"
# Written only where there were limits.
_LIMITED = ("trend", "trend_costs", "stopped_by")
_OPTIONAL = (*_TESTED, *_LIMITED, _EDITED)
# In place of "categories", if some share a bin.
_GROUPED = "groups"
_RESULT_KEYS = ("score", "relevance", "divergence", "stop", "class_counts", "missing_by_class")
_SCHEME_KEYS = ("format", "version", "method", "criterion", "parameters", "classes", "missing", "attributes")
# Written only if it is not the one that the counts give.
_EVENT = "event"
# Written only if a column was read otherwise than it looks.
_FORMATS = "formats"


def scheme_to_dict(scheme: Scheme) -> dict[str, Any]:
    """Return the scheme as dicts, lists, strings and numbers."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "method": scheme.method,
        "criterion": scheme.criterion,
        "parameters": as_lists({key: scheme.parameters[key] for key in sorted(scheme.parameters)}),
        "classes": list(scheme.classes),
        **({} if scheme.event == default_event(scheme.classes, scheme.attributes) else {_EVENT: scheme.event}),
        "missing": scheme.missing,
        **({_FORMATS: {name: scheme.formats[name] for name in sorted(scheme.formats)}} if scheme.formats else {}),
        "attributes": [_attribute_to_dict(attribute) for attribute in scheme.attributes],
    }


def _attribute_to_dict(attribute: Attribute) -> dict[str, Any]:
    given = {key for key in _OPTIONAL if getattr(attribute, key, None)}
    if isinstance(attribute, NominalAttribute) and attribute.is_grouped:
        given.add(_GROUPED)
    own = _own_keys(attribute.kind, given)
    data = {key: as_lists(getattr(attribute, key)) for key in (*_COMMON_KEYS, *own, *_RESULT_KEYS)}
    data["class_counts"] = [_known_counts(counts) for counts in attribute.class_counts]
    data["missing_by_class"] = list(map(_shortest, attribute.missing_by_class))
    return data


def _own_keys(kind: str, given: Collection[str]) -> tuple[str, ...]:
    """Return the keys that only attributes of that kind have, of the optional ones those that are given."""
    if kind == "nominal":
        categories = _GROUPED if _GROUPED in given else "categories"
        return (categories, *(key for key in (_TESTED[0], _EDITED) if key in given))
    return (*_NUMERIC_KEYS, *(key for key in _OPTIONAL if key in given))


def _known_counts(counts: tuple[float, ...]) -> list[float] | None:
    """Return the counts of a bin, None if they are not known."""
    return None if any(map(math.isnan, counts)) else list(map(_shortest, counts))


def _shortest(count: float) -> float:
    """Return a whole count as an integer, so that equal counts are written alike."""
    return int(count) if count == round(count) else count


def scheme_from_dict(data: object) -> dict[str, Any]:
    """Return the arguments of Scheme, after a check of every key and type."""
    head = check_head(data, FORMAT, VERSION, "scheme")
    scheme = as_object(head, (*_SCHEME_KEYS, *(key for key in (_EVENT, _FORMATS) if key in head)), "The scheme")
    return {
        "method": as_text(scheme["method"], "'method'"),
        "criterion": as_text(scheme["criterion"], "'criterion'"),
        "parameters": _parameters(scheme["parameters"]),
        "classes": tuple(as_label(label, "'classes'") for label in as_list(scheme["classes"], "'classes'")),
        "event": as_label(scheme[_EVENT], "'event'") if _EVENT in scheme else None,
        "missing": as_text(scheme["missing"], "'missing'"),
        "formats": _formats(scheme[_FORMATS]) if _FORMATS in scheme else {},
        "attributes": tuple(_attribute(item) for item in as_list(scheme["attributes"], "'attributes'")),
    }


def _formats(data: object) -> dict[str, str]:
    formats = as_dict(data, "'formats'")
    require(len(formats) > 0, "'formats' must not be empty where it is given.")
    return {name: as_text(form, "A format") for name, form in formats.items()}


def _parameters(data: object) -> dict[str, Any]:
    parameters = as_dict(data, "'parameters'")
    for key, value in parameters.items():
        require(
            is_parameter(value), f"The parameter {key!r} must be a string, a finite number, a list of those or a dict."
        )
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
        "edited": _EDITED in item,
        **_tests(item, where),
    }
    if kind == "nominal":
        return NominalAttribute(groups=_groups(item, where), **common)
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
        **_limited(item, where),
        **common,
    )


def _limited(item: dict[str, Any], where: str) -> dict[str, Any]:
    """Return what limits did, where that is given; what is empty is not."""
    trend, costs, limits = (f"{where}, {key!r}" for key in _LIMITED)
    found: dict[str, Any] = {}
    if "trend" in item:
        found["trend"] = as_text(item["trend"], trend)
    if "trend_costs" in item:
        found["trend_costs"] = {
            as_text(key, costs): as_number(cost, costs) for key, cost in as_dict(item["trend_costs"], costs).items()
        }
    if "stopped_by" in item:
        found["stopped_by"] = tuple(as_text(one, limits) for one in as_list(item["stopped_by"], limits))
    for key, value in found.items():
        require(len(value) > 0, f"{where}: {key!r} must not be empty where it is given.")
    return found


def _groups(item: dict[str, Any], where: str) -> tuple[tuple[Category, ...], ...]:
    """Return the categories of each bin."""
    if _GROUPED not in item:
        return tuple((as_label(one, where),) for one in as_list(item["categories"], f"{where}, 'categories'"))
    groups = [as_list(group, f"{where}: a group") for group in as_list(item[_GROUPED], f"{where}, 'groups'")]
    return tuple(tuple(as_label(one, where) for one in group) for group in groups)


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
