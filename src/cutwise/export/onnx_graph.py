"""An ONNX graph that grows node by node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

from cutwise.errors import ExportError
from cutwise.export.contents import MANY_CUTS, holds_texts, number_codes, text_codes, with_numbers
from cutwise.scheme import NominalAttribute, NumericAttribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.export.contents import AdditiveScore, CardContents, PairTerms
    from cutwise.scheme import Attribute, Scheme


OPSETS = {"": 17, "ai.onnx.ml": 3}
IR_VERSION = 8
# One byte less than protobuf's limit of a message.
MAX_BYTES = 2**31 - 1
TYPES = {
    "double": TensorProto.DOUBLE,
    "int32": TensorProto.INT32,
    "int64": TensorProto.INT64,
    "string": TensorProto.STRING,
    "bool": TensorProto.BOOL,
}


class GraphBuilder:
    """Nodes, constants, inputs and outputs, each value under a name of its own.

    Parameters
    ----------
    inputs : sequence of str
        The names of the inputs. The graph's own values get other names.
    """

    def __init__(self, inputs: Sequence[str]) -> None:
        for name in inputs:
            _check_input(name)
        self.taken = set(inputs)
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []

    def name(self, wish: str) -> str:
        """Return a name that is not taken: the wish, or the wish with strokes behind it."""
        while wish in self.taken:
            wish += "_"
        self.taken.add(wish)
        return wish

    def add_input(self, name: str, kind: str) -> str:
        """Add a column of the table."""
        self.inputs.append(helper.make_tensor_value_info(name, TYPES[kind], ["rows", 1]))
        return name

    def add_output(self, wish: str, value: str, kind: str, width: int | None = None) -> None:
        """Make a value an output, under the name that is wished for."""
        name = self.name(wish)
        self.nodes.append(helper.make_node("Identity", [value], [name]))
        shape = ["rows"] if width is None else ["rows", width]
        self.outputs.append(helper.make_tensor_value_info(name, TYPES[kind], shape))

    def constant(self, array: NDArray[Any]) -> str:
        """Add a constant."""
        name = self.name(f"constant{len(self.constants)}")
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def texts(self, items: Sequence[str]) -> str:
        """Add a constant of strings."""
        name = self.name(f"constant{len(self.constants)}")
        encoded = [item.encode() for item in items]
        self.constants.append(helper.make_tensor(name, TensorProto.STRING, [len(encoded)], encoded))
        return name

    def node(self, operator: str, *values: str, domain: str = "", **settings: Any) -> str:
        """Add an operation and return its result."""
        result = self.name(f"value{len(self.nodes)}")
        self.nodes.append(helper.make_node(operator, values, [result], domain=domain, **settings))
        return result

    def cast(self, value: str, kind: str) -> str:
        """Add a change of type."""
        return self.node("Cast", value, to=TYPES[kind])

    def count(self, flags: str) -> str:
        """Add the number of true values in each row, as a column."""
        return self.node("ReduceSum", self.cast(flags, "int64"), self.constant(np.array([1])), keepdims=1)

    def model(self, name: str) -> Any:
        """Return the whole as a checked model."""
        graph = helper.make_graph(self.nodes, name, self.inputs, self.outputs, self.constants)
        opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="cutwise")
        if model.ByteSize() > MAX_BYTES:
            raise ExportError("The model is larger than 2 GiB, more than one ONNX file can hold.")
        checker.check_model(model)
        return model


def _check_input(name: str) -> None:
    try:
        good = bool(name) and "\0" not in name and bool(name.encode())
    except UnicodeEncodeError:
        good = False
    if not good:
        message = f"ONNX cannot use the name {name!r}: it is empty or holds NUL or half a character. Rename it."
        raise ExportError(message)


def code_model(scheme: Scheme, encode: str) -> Any:
    """Return a model with one input for each column and the output "codes", "woe" or "rate"."""
    coded, numbers = with_numbers(scheme, encode)
    graph, columns = start_graph(coded)
    if numbers is not None:
        # The code -1 points to the last number.
        found = [
            graph.node("Gather", graph.constant(np.array(of_code)), code, axis=0)
            for code, of_code in zip(columns, numbers, strict=True)
        ]
        graph.add_output(encode, graph.node("Concat", *found, axis=1), "double", len(columns))
        return graph.model(encode)
    codes = graph.cast(graph.node("Concat", *columns, axis=1), "int32")
    graph.add_output("codes", codes, "int32", len(columns))
    return graph.model("codes")


def start_graph(scheme: Scheme) -> tuple[GraphBuilder, list[str]]:
    """Return a graph that reads the columns, and the names of the codes' columns."""
    if not scheme.attributes:
        raise ExportError("The scheme has no attribute, so there is nothing to compute.")
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
    if len(attribute.cuts) > MANY_CUTS:
        code = _searched(graph, value, attribute.cuts)
    else:
        # A cut that no value exceeds, so that there is at least one.
        cuts = graph.constant(np.array([*attribute.cuts, np.inf], dtype=np.float64))
        code = graph.count(graph.node("Greater", value, cuts))
    special = attribute.special_values
    if special:
        first = len(attribute.cuts) + 1
        code = _where_equal(graph, value, special, range(first, first + len(special)), code)
    return graph.node("Where", no_value, _number(graph, missing_code), code)


def _searched(graph: GraphBuilder, value: str, cuts: Sequence[float]) -> str:
    """Add the number of cuts that a value exceeds, by halving: the code grows bit by bit, the largest first."""
    n_bits = len(cuts).bit_length()
    # Cuts that no value exceeds, so that every code has a cut before it.
    sorted_cuts = graph.constant(np.append(cuts, np.full(2**n_bits - len(cuts), np.inf)))
    code = graph.node("Mul", graph.cast(graph.node("IsNaN", value), "int64"), _number(graph, 0))
    for bit in reversed(range(n_bits)):
        before = graph.node("Add", code, _number(graph, 2**bit - 1))
        exceeds = graph.node("Greater", value, graph.node("Gather", sorted_cuts, before, axis=0))
        code = graph.node("Where", exceeds, graph.node("Add", code, _number(graph, 2**bit)), code)
    return code


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


def score_model(scheme: Scheme, score: AdditiveScore) -> Any:
    """Return a model with the outputs "prediction" and "probabilities"."""
    graph, codes = start_graph(scheme)
    add_classes(graph, score, codes)
    return graph.model("classes")


def card_model(scheme: Scheme, score: AdditiveScore, card: CardContents) -> Any:
    """Return a model with the outputs "prediction", "probabilities", "score" and "points"."""
    graph, codes = start_graph(scheme)
    add_classes(graph, score, codes)
    # The code -1 points to the last number.
    columns = [
        graph.node("Gather", graph.constant(points), code, axis=0)
        for points, code in zip(card.points, codes, strict=True)
    ]
    points = graph.node("Concat", *columns, axis=1)
    total = graph.node("ReduceSum", points, graph.constant(np.array([1])), keepdims=0)
    graph.add_output("score", total, "double")
    graph.add_output("points", points, "double", len(columns))
    return graph.model("scorecard")


def add_classes(graph: GraphBuilder, score: AdditiveScore, codes: list[str]) -> None:
    """Add the outputs "prediction" and "probabilities"."""
    sums = _sums(graph, score, codes)
    softmaxes = [graph.node("Softmax", part, axis=1) for part in sums]
    probabilities = _mixture(graph, score, softmaxes)
    best = graph.node("ArgMax", sums[0] if len(sums) == 1 else probabilities, axis=1, keepdims=0)
    labels, kind = _labels(graph, score)
    graph.add_output("prediction", graph.node("Gather", labels, best, axis=0), kind)
    graph.add_output("probabilities", probabilities, "double", len(score.labels))


def _mixture(graph: GraphBuilder, score: AdditiveScore, softmaxes: list[str]) -> str:
    if len(softmaxes) == 1:
        return softmaxes[0]
    parts = zip(score.parts, softmaxes, strict=True)
    shares = [graph.node("Mul", value, graph.constant(np.array([part.share]))) for part, value in parts]
    return graph.node("Sum", *shares)


def _sums(graph: GraphBuilder, score: AdditiveScore, codes: list[str]) -> list[str]:
    """Add the sums of each part, in the order of the attributes."""
    sums = [graph.constant(part.start[None, :]) for part in score.parts]
    flat = graph.constant(np.array([-1]))
    rows = [graph.node("Reshape", _rows_of_table(graph, score, j, code), flat) for j, code in enumerate(codes)]
    for j, row in enumerate(rows):
        for k, part in enumerate(score.parts):
            terms = score.terms_of(part, j)
            # The last row is for codes that are no bin.
            table = graph.constant(np.vstack([terms, np.zeros((1, terms.shape[1]))]))
            sums[k] = graph.node("Add", sums[k], graph.node("Gather", table, row, axis=0))
    for pair in score.pairs:
        added = graph.node("Gather", graph.constant(pair.cells), _cell_of_pair(graph, pair, rows), axis=0)
        sums[pair.part] = graph.node("Add", sums[pair.part], added)
    return sums


def _cell_of_pair(graph: GraphBuilder, pair: PairTerms, rows: list[str]) -> str:
    """Add the cell of each row in the grid of a pair; the group behind the last code is for codes that are no bin."""
    first, second = (
        graph.node("Gather", graph.constant(np.append(groups, 0)), rows[j], axis=0)
        for j, groups in zip(pair.attributes, pair.groups, strict=True)
    )
    width = graph.constant(np.array([pair.terms.shape[1] + 1]))
    return graph.node("Add", graph.node("Mul", first, width), second)


def _rows_of_table(graph: GraphBuilder, score: AdditiveScore, attribute: int, code: str) -> str:
    """Add the row of an attribute's table that belongs to a code; the last one if the code is no bin."""
    n_bins = int(score.offsets[attribute + 1] - score.offsets[attribute])
    last = graph.constant(np.array([n_bins]))
    is_bin = graph.node(
        "And",
        graph.node("Less", code, last),
        graph.node("Greater", code, graph.constant(np.array([-1]))),
    )
    return graph.node("Where", is_bin, code, last)


def _labels(graph: GraphBuilder, score: AdditiveScore) -> tuple[str, str]:
    """Add the class labels and return them with their type."""
    labels = score.labels
    if all(isinstance(label, str) for label in labels):
        try:
            return graph.texts(labels), "string"
        except UnicodeEncodeError:
            pass
    elif all(isinstance(label, bool) for label in labels):
        return graph.constant(np.array(labels, dtype=bool)), "bool"
    elif all(isinstance(label, int) and -(2**63) <= label < 2**63 for label in labels):
        return graph.constant(np.array(labels, dtype=np.int64)), "int64"
    elif all(isinstance(label, float) for label in labels):
        return graph.constant(np.array(labels, dtype=np.float64)), "double"
    message = f"The class labels {labels[:4]!r} cannot be the output of an ONNX model. Use strings or whole numbers."
    raise ExportError(message)
