"""An ONNX graph that grows node by node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

from cutwise.errors import ExportError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

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
        """Add a constant of texts."""
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
            message = "The model is larger than 2 GiB, more than one ONNX file can hold."
            raise ExportError(message)
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
