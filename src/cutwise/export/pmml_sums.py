"""Codes, and classifiers whose score is a sum over them, as PMML.

Each column is a derived field, its code. The model is a regression: of codes nothing but a place for its outputs, of a
classifier the softmax of its sums, with a coefficient for each code.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from cutwise.errors import ExportError
from cutwise.export.contents import holds_texts, number_codes, text_codes, with_numbers
from cutwise.export.pmml import applied, check_outputs, check_text, constant, data_field, document, made, number_text
from cutwise.scheme import NominalAttribute, NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from xml.etree.ElementTree import Element

    import numpy as np
    from numpy.typing import NDArray

    from cutwise.export.contents import AdditiveScore
    from cutwise.scheme import Attribute, Scheme

# Its power is 0, and so is the probability of a class that has none.
NO_PROBABILITY = -1e5
KINDS = {"ordinal": "code", "woe": "woe", "rate": "rate"}
RESULT = "cutwise"


def code_document(scheme: Scheme, encode: str) -> str:
    """Return a PMML document whose model gives the codes of a row, or their numbers."""
    if not scheme.attributes:
        raise ExportError("The scheme has no attribute, so there is nothing to select.")
    coded, numbers = with_numbers(scheme, encode)
    kind = KINDS[encode]
    outputs = [f"{kind}_{name}" for name in scheme.names]
    check_outputs(scheme.names, [*outputs, RESULT])
    fields = _code_fields(coded, [f"{kind} of {name}" for name in scheme.names], numbers)
    output = made("Output")
    for name, field in zip(outputs, fields, strict=True):
        same = {key: field.attrib[key] for key in ("optype", "dataType")}
        own = made("OutputField", name=name, feature="transformedValue", **same)
        own.append(made("FieldRef", field=field.attrib["name"]))
        output.append(own)
    model = made("RegressionModel", modelName="codes", functionName="regression")
    table = made("RegressionTable", intercept="0")
    model.extend([_mining_schema(scheme), output, _transformations(fields), table])
    return document("Codes", map(data_field, scheme.attributes), [model])


def score_document(scheme: Scheme, score: AdditiveScore) -> str:
    """Return a PMML document whose model gives the class and the probabilities of a row."""
    if len(score.parts) > 1:
        raise ExportError(
            "PMML has no mixture of softmaxes, so this classifier cannot be written as PMML. Take SQL, polars or ONNX."
        )
    labels = [_label(label) for label in score.labels]
    outputs = ["prediction", *(f"probability_{i}" for i in range(len(labels)))]
    check_outputs(scheme.names, [*outputs, RESULT])
    names = [f"code of {name}" for name in scheme.names]
    fields = [*_code_fields(scheme, names, None), *_cell_fields(score, names)]
    model = made("RegressionModel", modelName="sums", functionName="classification", normalizationMethod="softmax")
    schema = _mining_schema(scheme)
    schema.append(made("MiningField", name=RESULT, usageType="target"))
    model.extend([schema, _class_output(labels), _transformations(fields)])
    model.extend(_table(score, i, labels[i], names) for i in range(len(labels)))
    target = made("DataField", name=RESULT, optype="categorical", dataType="string")
    target.extend(made("Value", value=label) for label in labels)
    return document("Additive model", [*map(data_field, scheme.attributes), target], [model])


def _label(label: Any) -> str:
    text = str(label)
    check_text(text)
    return text


def _mining_schema(scheme: Scheme) -> Element:
    schema = made("MiningSchema")
    schema.extend(made("MiningField", name=name, invalidValueTreatment="asIs") for name in scheme.names)
    return schema


def _transformations(fields: Iterable[Element]) -> Element:
    local = made("LocalTransformations")
    local.extend(fields)
    return local


def _class_output(labels: Sequence[str]) -> Element:
    output = made("Output")
    output.append(
        made("OutputField", name="prediction", optype="categorical", dataType="string", feature="predictedValue")
    )
    for i, label in enumerate(labels):
        kind = {"optype": "continuous", "dataType": "double", "feature": "probability"}
        output.append(made("OutputField", name=f"probability_{i}", value=label, **kind))
    return output


def _code_fields(scheme: Scheme, names: Sequence[str], numbers: list[list[float]] | None) -> list[Element]:
    """Return a derived field for each attribute: its code, or the number of its code."""
    fields = []
    for place, (attribute, name) in enumerate(zip(scheme.attributes, names, strict=True)):
        gap = attribute.n_bins if scheme.missing == "bin" else -1
        of_code = None if numbers is None else numbers[place]
        kind = {"optype": "categorical", "dataType": "integer"}
        if of_code is not None:
            kind = {"optype": "continuous", "dataType": "double"}
        field = made("DerivedField", name=name, **kind)
        field.append(_code(attribute, gap, _Written(of_code)))
        fields.append(field)
    return fields


class _Written:
    """How a code, or the number that stands for it, is written."""

    def __init__(self, numbers: list[float] | None) -> None:
        self.numbers = numbers
        self.kind = "integer" if numbers is None else "double"

    def text(self, code: int) -> str:
        return str(code) if self.numbers is None else number_text(self.numbers[code])

    def constant(self, code: int) -> Element:
        element = made("Constant", dataType=self.kind)
        element.text = self.text(code)
        return element


def _code(attribute: Attribute, gap: int, written: _Written) -> Element:
    """Return the code of a value; what is missing is looked at first."""
    if isinstance(attribute, NumericAttribute):
        found = _interval_code(attribute, gap, written)
        for place in reversed(range(len(attribute.special_values))):
            is_special = applied("equal", _field(attribute), constant(attribute.special_values[place]))
            found = applied("if", is_special, written.constant(len(attribute.cuts) + 1 + place), found)
    elif isinstance(attribute, NominalAttribute) and holds_texts(attribute):
        return _text_code(attribute, gap, written)
    elif isinstance(attribute, NominalAttribute):
        found = written.constant(-1)
        for number, code in number_codes(attribute).items():
            is_it = applied("equal", _field(attribute), constant(number))
            found = applied("if", is_it, written.constant(code), found)
    return applied("if", applied("isMissing", _field(attribute)), written.constant(gap), found)


def _field(attribute: Attribute) -> Element:
    return made("FieldRef", field=attribute.name)


def _interval_code(attribute: NumericAttribute, gap: int, written: _Written) -> Element:
    if not attribute.cuts:
        return written.constant(0)
    found = made("Discretize", field=attribute.name, dataType=written.kind, mapMissingTo=written.text(gap))
    for code, (low, high) in enumerate(itertools.pairwise([-math.inf, *attribute.cuts, math.inf])):
        one = made("DiscretizeBin", binValue=written.text(code))
        ends = {"leftMargin": low, "rightMargin": high}
        given = {name: number_text(end) for name, end in ends.items() if math.isfinite(end)}
        one.append(made("Interval", closure="openClosed" if high < math.inf else "openOpen", **given))
        found.append(one)
    return found


def _text_code(attribute: NominalAttribute, gap: int, written: _Written) -> Element:
    """Return a table of texts; texts that stand for no value are among them where these have a code."""
    codes = dict(text_codes(attribute, "bin"))
    codes = {text: gap if code == attribute.n_bins else code for text, code in codes.items()}
    found = made(
        "MapValues",
        outputColumn="code",
        dataType=written.kind,
        mapMissingTo=written.text(gap),
        defaultValue=written.text(-1),
    )
    found.append(made("FieldColumnPair", field=attribute.name, column="text"))
    found.append(_inline_table("text", {text: written.text(code) for text, code in codes.items()}))
    return found


def _inline_table(column: str, items: dict[str, str]) -> Element:
    table = made("InlineTable")
    for value, code in items.items():
        row = made("row")
        for name, text in ((column, value), ("code", code)):
            check_text(text)
            cell = made(name)
            cell.text = text
            row.append(cell)
        table.append(row)
    return table


def _cell_fields(score: AdditiveScore, names: Sequence[str]) -> list[Element]:
    """Return a derived field for the group of each attribute in a pair, and for the cell of each pair."""
    groups = {j: of_code for pair in score.pairs for j, of_code in zip(pair.attributes, pair.groups, strict=True)}
    fields = [_group_field(names[j], j, of_code) for j, of_code in sorted(groups.items())]
    for k, pair in enumerate(score.pairs):
        first, second = (made("FieldRef", field=_group_name(j)) for j in pair.attributes)
        width = _Written(None).constant(pair.terms.shape[1] + 1)
        field = made("DerivedField", name=_cell_name(k), optype="categorical", dataType="integer")
        field.append(applied("+", applied("*", first, width), second))
        fields.append(field)
    return fields


def _group_field(name: str, attribute: int, of_code: NDArray[np.int64]) -> Element:
    """Return the group of an attribute's code; 0 for a code that has none."""
    field = made("DerivedField", name=_group_name(attribute), optype="continuous", dataType="integer")
    found = made("MapValues", outputColumn="code", dataType="integer", mapMissingTo="0", defaultValue="0")
    found.append(made("FieldColumnPair", field=name, column="of"))
    found.append(_inline_table("of", {str(code): str(group) for code, group in enumerate(of_code.tolist()) if group}))
    field.append(found)
    return field


def _group_name(attribute: int) -> str:
    return f"group of column {attribute}"


def _cell_name(pair: int) -> str:
    return f"cell of pair {pair}"


def _table(score: AdditiveScore, place: int, label: str, names: Sequence[str]) -> Element:
    """Return the sum of a class."""
    (part,) = score.parts
    start = float(part.start[place])
    table = made("RegressionTable", intercept=number_text(max(start, NO_PROBABILITY)), targetCategory=label)
    terms = [(name, score.terms_of(part, j)[:, place]) for j, name in enumerate(names)]
    terms += [(_cell_name(k), pair.cells[:, place]) for k, pair in enumerate(score.pairs)]
    for name, of_code in terms:
        for code, term in enumerate(of_code.tolist()):
            if term:
                table.append(made("CategoricalPredictor", name=name, value=str(code), coefficient=number_text(term)))
    return table
