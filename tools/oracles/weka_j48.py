"""Ask Weka for J48's trees of the tables in tests/oracles/c45_tables.py.

Run by `make oracles` in the same environment as `weka_mdlp.py`.
"""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import jpype
import numpy as np
from store import FOLDER
from tests.oracles.c45_tables import c45_tables
from weka_mdlp import start_java

if TYPE_CHECKING:
    from tests.oracles.c45_tables import MixedTable

OPTIONS = {"default": "-C 0.25 -M 2", "unpruned": "-U -M 2", "no_raising": "-S -C 0.25 -M 2"}


def answer(table: MixedTable, options: str) -> dict[str, Any]:
    """Return the sizes of J48's tree and its training predictions.

    `sure` is the sum of the probabilities of the rows' own classes.
    """
    tree, data = learn(table, options)
    shares = np.array([list(tree.distributionForInstance(data.instance(i))) for i in range(table.y.size)])
    predictions = np.array([int(tree.classifyInstance(data.instance(i))) for i in range(table.y.size)])
    return {
        "leaves": int(tree.measureNumLeaves()),
        "nodes": int(tree.measureTreeSize()),
        "errors": int((predictions != table.y).sum()),
        "predictions": hashlib.sha256(predictions.astype("<i8").tobytes()).hexdigest()[:16],
        "sure": round(float(shares[np.arange(table.y.size), table.y].sum()), 5),
    }


def learn(table: MixedTable, options: str) -> tuple[Any, Any]:
    """Return J48's tree and the data as Weka holds it."""
    data = jpype.JClass("weka.core.Instances")(jpype.JClass("java.io.StringReader")(as_arff(table)))
    data.setClassIndex(data.numAttributes() - 1)
    tree = jpype.JClass("weka.classifiers.trees.J48")()
    tree.setOptions(jpype.JArray(jpype.JString)(options.split()))
    tree.buildClassifier(data)
    return tree, data


def as_arff(table: MixedTable) -> str:
    """Write a table in Weka's format, doubles with all their digits."""
    header = [f"@attribute '{name}' {as_type(size)}" for name, size in table.sizes.items()]
    header.append(f"@attribute class {as_type(table.n_classes)}")
    is_code = [size > 0 for size in table.sizes.values()]
    rows = [
        ",".join([as_cell(value, code) for value, code in zip(values, is_code, strict=True)] + [str(label)])
        for values, label in zip(table.matrix.tolist(), table.y.tolist(), strict=True)
    ]
    return "\n".join([f"@relation {table.name}", *header, "@data", *rows, ""])


def as_type(size: int) -> str:
    """Write the type of a column."""
    return f"{{{','.join(map(str, range(size)))}}}" if size else "numeric"


def as_cell(value: float, is_code: bool) -> str:  # noqa: FBT001
    """Write one value."""
    if np.isnan(value):
        return "?"
    return str(int(value)) if is_code else repr(value)


def main() -> None:
    """Write the file."""
    tables = c45_tables()
    about = {
        "package": "Weka",
        "version": str(jpype.JClass("weka.core.Version").VERSION),
        "from": f"python-weka-wrapper3 {version('python-weka-wrapper3')}",
        "java": str(jpype.JClass("java.lang.System").getProperty("java.version")),
        "method": "weka.classifiers.trees.J48",
        "options": OPTIONS,
        "command": "make oracles",
        "fingerprints": {table.name: table.fingerprint for table in tables},
        "outputs": {
            table.name: {name: answer(table, options) for name, options in OPTIONS.items()} for table in tables
        },
    }
    path = FOLDER / "c45_weka.json"
    path.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(f"{path}: {len(OPTIONS) * len(tables)} trees of {len(tables)} tables")


if __name__ == "__main__":
    with TemporaryDirectory() as home:
        start_java(home)
        main()
