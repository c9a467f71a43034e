"""A scheme as an ONNX model: columns in, codes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cutwise.errors import ExportError
from cutwise.export.categories import holds_texts, number_codes, text_codes
from cutwise.export.onnx_graph import GraphBuilder
from cutwise.scheme import NominalAttribute, NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import Attribute, Scheme


def code_model(scheme: Scheme) -> Any:
    """Return a model with one input for each column and the output "codes"."""
    graph, columns = start_graph(scheme)
    codes = graph.cast(graph.node("Concat", *columns, axis=1), "int32")
    graph.add_output("codes", codes, "int32", len(columns))
    return graph.model("codes")


def start_graph(scheme: Scheme) -> tuple[GraphBuilder, list[str]]:
    """Return a graph that reads the columns, and the names of the codes' columns."""
    if not scheme.attributes:
        message = "The scheme has no attribute, so there is nothing to compute."
        raise ExportError(message)
    graph = GraphBuilder(scheme.names)
    return graph, [_add_codes(graph, attribute, scheme.missing) for attribute in scheme.attributes]


def _add_codes(graph: GraphBuilder, attribute: Attribute, missing: str) -> str:
    """Add the codes of an attribute, as a column of whole numbers."""
    missing_code = attribute.n_bins if missing == "bin" else -1
    if isinstance(attribute, NumericAttribute):
        return _interval_codes(graph, attribute, missing_code)
    if isinstance(attribute, NominalAttribute) and not holds_texts(attribute):
        return _number_codes(graph, attribute, missing_code)
    return _text_codes(graph, cast("NominalAttribute", attribute), missing)


def _interval_codes(graph: GraphBuilder, attribute: NumericAttribute, missing_code: int) -> str:
    value = graph.add_input(attribute.name, "double")
    no_value = graph.node("IsNaN", value)
    # A cut that no value exceeds, so that there is at least one.
    cuts = graph.constant(np.array([*attribute.cuts, np.inf], dtype=np.float64))
    code = graph.count(graph.node("Greater", value, cuts))
    special = attribute.special_values
    if special:
        first = len(attribute.cuts) + 1
        code = _where_equal(graph, value, special, range(first, first + len(special)), code)
    return graph.node("Where", no_value, _number(graph, missing_code), code)


def _number_codes(graph: GraphBuilder, attribute: NominalAttribute, missing_code: int) -> str:
    value = graph.add_input(attribute.name, "double")
    codes = number_codes(attribute)
    found = _where_equal(graph, value, list(codes), list(codes.values()), _number(graph, -1))
    return graph.node("Where", graph.node("IsNaN", value), _number(graph, missing_code), found)


def _where_equal(
    graph: GraphBuilder, value: str, numbers: Sequence[float], codes: Sequence[int], otherwise: str
) -> str:
    """Add the code of the number that a value equals, or else another code."""
    equal = graph.node("Equal", value, graph.constant(np.array(numbers, dtype=np.float64)))
    found = graph.node(
        "MatMul", graph.cast(equal, "double"), graph.constant(np.array(codes, dtype=np.float64)[:, None])
    )
    hit = graph.node("Greater", graph.count(equal), _number(graph, 0))
    return graph.node("Where", hit, graph.cast(found, "int64"), otherwise)


def _text_codes(graph: GraphBuilder, attribute: NominalAttribute, missing: str) -> str:
    codes = text_codes(attribute, missing) or {"": -1}
    return graph.node(
        "LabelEncoder",
        graph.add_input(attribute.name, "string"),
        domain="ai.onnx.ml",
        keys_strings=[text.encode() for text in codes],
        values_int64s=list(codes.values()),
        default_int64=-1,
    )


def _number(graph: GraphBuilder, number: int) -> str:
    return graph.constant(np.array([number], dtype=np.int64))
