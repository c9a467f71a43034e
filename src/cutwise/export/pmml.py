"""A scorecard as PMML: each column is a characteristic, each bin an attribute of it with its points."""

from __future__ import annotations

import itertools
import math
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from cutwise import __version__
from cutwise.errors import ExportError
from cutwise.export.contents import holds_texts, number_codes, text_codes
from cutwise.scheme import NominalAttribute, NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from xml.etree.ElementTree import Element

    from cutwise.export.contents import CardContents
    from cutwise.scheme import Attribute, Scheme

NAMESPACE = "http://www.dmg.org/PMML-4_4"
# Characters that XML 1.0 cannot hold, however they are written.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NOT_SEEN = " (not in training)"


def card_document(scheme: Scheme, card: CardContents) -> str:
    """Return a PMML document whose model is a scorecard."""
    check_outputs(card.names, ["score", "probability", *(f"reason_{rank}" for rank in range(1, card.reasons + 1))])
    return document("Scorecard", map(data_field, scheme.attributes), [_scorecard(scheme, card)])


def check_outputs(names: Iterable[str], outputs: Sequence[str]) -> None:
    """Raise ExportError if a column has the name of something that comes out."""
    taken = [name for name in names if name in outputs]
    if taken:
        message = f"The column {taken[0]!r} has the name of an output of the PMML document. Rename it before fitting."
        raise ExportError(message)


def document(title: str, fields: Iterable[Element], contents: Iterable[Element]) -> str:
    """Return a PMML document with these fields, transformations and models."""
    root = made("PMML", xmlns=NAMESPACE, version="4.4")
    header = made("Header", description=title)
    header.append(made("Application", name="cutwise", version=__version__))
    held = list(fields)
    dictionary = made("DataDictionary", numberOfFields=str(len(held)))
    dictionary.extend(held)
    root.extend([header, dictionary, *contents])
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def made(element: str, /, **attributes: str) -> Element:
    """Return an element; raise ExportError if XML cannot hold one of its texts."""
    for value in attributes.values():
        check_text(value)
    return ET.Element(element, attributes)


def check_text(value: str) -> None:
    """Raise ExportError if XML cannot hold a text."""
    if _FORBIDDEN.search(value):
        message = f"PMML cannot hold the text {value[:80]!r}: XML has no place for one of its characters. Rename it."
        raise ExportError(message)


def _is_text(attribute: Attribute) -> bool:
    return isinstance(attribute, NominalAttribute) and holds_texts(attribute)


def data_field(attribute: Attribute) -> Element:
    """Return the column of an attribute."""
    if isinstance(attribute, NumericAttribute):
        return made("DataField", name=attribute.name, optype="continuous", dataType="double")
    kind = "string" if _is_text(attribute) else "double"
    return made("DataField", name=attribute.name, optype="categorical", dataType=kind)


def _scorecard(scheme: Scheme, card: CardContents) -> Element:
    model = made(
        "Scorecard",
        modelName="scorecard",
        functionName="regression",
        initialScore="0",
        useReasonCodes="true",
        reasonCodeAlgorithm="pointsBelow",
        baselineMethod="other",
    )
    mining = made("MiningSchema")
    mining.extend(made("MiningField", name=name, invalidValueTreatment="asIs") for name in card.names)
    characteristics = made("Characteristics")
    for place, attribute in enumerate(scheme.attributes):
        characteristics.extend(_characteristics(attribute, card, place))
    model.extend([mining, _output(card), characteristics])
    return model


def _output(card: CardContents) -> Element:
    output = made("Output")
    output.append(made("OutputField", name="score", optype="continuous", dataType="double", feature="predictedValue"))
    probability = made(
        "OutputField", name="probability", optype="continuous", dataType="double", feature="transformedValue"
    )
    # The inverse of what makes log-odds a score.
    offset, factor = card.scale
    score = made("FieldRef", field="score")
    log_odds = applied("/", applied("-", score, constant(offset)), constant(factor))
    probability.append(applied("/", constant(1.0), applied("+", constant(1.0), applied("exp", log_odds))))
    output.append(probability)
    for rank in range(1, card.reasons + 1):
        output.append(
            made(
                "OutputField",
                name=f"reason_{rank}",
                optype="categorical",
                dataType="string",
                feature="reasonCode",
                rank=str(rank),
            )
        )
    return output


def applied(function: str, *arguments: Element) -> Element:
    """Return a function of expressions."""
    element = made("Apply", function=function)
    element.extend(arguments)
    return element


def constant(number: float) -> Element:
    """Return a number as an expression."""
    element = made("Constant", dataType="double")
    element.text = repr(float(number))
    return element


def _characteristics(attribute: Attribute, card: CardContents, place: int) -> list[Element]:
    """Return a column as one or two characteristics.

    What training never saw has neutral points but is no reason. In the first characteristic it has the points that
    the column is compared with, so that it costs nothing; the second takes off what is too much. The baseline of the
    second is so low that it never costs anything either.
    """
    points, filled, baseline = card.points[place].tolist(), card.filled[place].tolist(), card.baselines[place]
    shown = [own if seen else baseline for own, seen in zip(points, filled, strict=True)]
    name = card.names[place]
    found = [_characteristic(attribute, name, baseline, shown)]
    rest = [0.0 if seen else own - baseline for own, seen in zip(points, filled, strict=True)]
    if any(rest[code] for code, _ in _predicates(attribute)):
        found.append(_characteristic(attribute, name + NOT_SEEN, min(rest), rest))
    return found


def _characteristic(attribute: Attribute, name: str, baseline: float, points: list[float]) -> Element:
    found = made("Characteristic", name=name, reasonCode=name, baselineScore=number_text(baseline))
    for code, predicate in _predicates(attribute):
        own = made("Attribute", partialScore=number_text(points[code]))
        own.append(predicate)
        found.append(own)
    return found


def number_text(number: float) -> str:
    """Return the digits of a number."""
    return repr(float(number) + 0.0).removesuffix(".0")


def _predicates(attribute: Attribute) -> Iterable[tuple[int, Element]]:
    """Yield codes and when a value has them, the first that fits decides; -1 for what was never seen."""
    if isinstance(attribute, NumericAttribute):
        yield attribute.n_bins, _simple(attribute.name, "isMissing")
        n_cuts = len(attribute.cuts)
        for code, value in enumerate(attribute.special_values, start=n_cuts + 1):
            yield code, _simple(attribute.name, "equal", value)
        for code, (low, high) in enumerate(itertools.pairwise([-math.inf, *attribute.cuts, math.inf])):
            yield code, _between(attribute.name, low, high)
    elif isinstance(attribute, NominalAttribute):
        yield from _category_predicates(attribute)


def _category_predicates(attribute: NominalAttribute) -> Iterable[tuple[int, Element]]:
    is_text = holds_texts(attribute)
    codes = text_codes(attribute, "bin") if is_text else number_codes(attribute)
    groups: dict[int, list[str]] = {}
    for value, code in codes.items():
        groups.setdefault(code, []).append(value if isinstance(value, str) else number_text(value))
    yield attribute.n_bins, _simple(attribute.name, "isMissing")
    for code, values in sorted(groups.items()):
        yield code, _one_of(attribute.name, values, "string" if is_text else "real")
    yield -1, made("True")


def _simple(field: str, operator: str, value: float | None = None) -> Element:
    given = {} if value is None else {"value": number_text(value)}
    return made("SimplePredicate", field=field, operator=operator, **given)


def _between(field: str, low: float, high: float) -> Element:
    """Return that a value is in an interval; any value is in one without ends."""
    ends = [_simple(field, "greaterThan", low)] if low > -math.inf else []
    ends += [_simple(field, "lessOrEqual", high)] if high < math.inf else []
    if not ends:
        return made("True")
    if len(ends) == 1:
        return ends[0]
    both = made("CompoundPredicate", booleanOperator="and")
    both.extend(ends)
    return both


def _one_of(field: str, values: list[str], kind: str) -> Element:
    """Return that a value is one of several."""
    predicate = made("SimpleSetPredicate", field=field, booleanOperator="isIn")
    array = made("Array", type=kind, n=str(len(values)))
    texts = [value if kind == "real" else _quoted(value) for value in values]
    array.text = " ".join(texts)
    check_text(array.text)
    predicate.append(array)
    return predicate


def _quoted(text: str) -> str:
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'
