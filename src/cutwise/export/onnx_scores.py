"""A scheme and a classifier as an ONNX model: columns in, classes and probabilities out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import ExportError
from cutwise.export.onnx_codes import start_graph

if TYPE_CHECKING:
    from cutwise.export.additive import AdditiveScore
    from cutwise.export.onnx_graph import GraphBuilder
    from cutwise.scheme import Scheme


def score_model(scheme: Scheme, score: AdditiveScore) -> Any:
    """Return a model with the outputs "prediction" and "probabilities"."""
    graph, codes = start_graph(scheme)
    sums = _sums(graph, score, codes)
    softmaxes = [graph.node("Softmax", part, axis=1) for part in sums]
    probabilities = _mixture(graph, score, softmaxes)
    best = graph.node("ArgMax", sums[0] if len(sums) == 1 else probabilities, axis=1, keepdims=0)
    labels, kind = _labels(graph, score)
    graph.add_output("prediction", graph.node("Gather", labels, best, axis=0), kind)
    graph.add_output("probabilities", probabilities, "double", len(score.labels))
    return graph.model("classes")


def _mixture(graph: GraphBuilder, score: AdditiveScore, softmaxes: list[str]) -> str:
    if len(softmaxes) == 1:
        return softmaxes[0]
    parts = zip(score.parts, softmaxes, strict=True)
    shares = [graph.node("Mul", value, graph.constant(np.array([part.share]))) for part, value in parts]
    return graph.node("Add", *shares)


def _sums(graph: GraphBuilder, score: AdditiveScore, codes: list[str]) -> list[str]:
    """Add the sums of each part, in the order of the attributes."""
    sums = [graph.constant(part.start[None, :]) for part in score.parts]
    for j, code in enumerate(codes):
        row = graph.node("Reshape", _rows_of_table(graph, score, j, code), graph.constant(np.array([-1])))
        for k, part in enumerate(score.parts):
            terms = score.terms_of(part, j)
            # The last row is for codes that are no bin.
            table = graph.constant(np.vstack([terms, np.zeros((1, terms.shape[1]))]))
            sums[k] = graph.node("Add", sums[k], graph.node("Gather", table, row, axis=0))
    return sums


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
    message = f"The class labels {labels[:4]!r} cannot be the output of an ONNX model. Use texts or whole numbers."
    raise ExportError(message)
