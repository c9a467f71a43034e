"""Use an installed cutwise that has none of its extras; run by `tools/dist_check.py` in an empty environment.

Exits with 1 and one line for each thing that does not work, or that does not say which extra it needs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from sklearn.datasets import load_iris

import cutwise
from cutwise.report import write_report
from cutwise.table.reading import read_table

if TYPE_CHECKING:
    from collections.abc import Callable

EXTRAS = ("typer", "matplotlib", "onnx", "openpyxl", "pandas", "polars", "pyarrow", "sqlglot", "torch", "duckdb")


def what_works(folder: Path) -> list[str]:
    """Fit, transform, write, read and report; return what is wrong."""
    X, y = load_iris(return_X_y=True)
    discretizer = cutwise.MRmDDiscretizer().fit(X, y)
    codes = discretizer.transform(X)
    scheme = cutwise.Scheme.from_json(discretizer.scheme_.to_json())
    model = cutwise.MRmDRNBClassifier().fit(X, y)
    write_report(folder / "report.html", discretizer, X, y)
    page = (folder / "report.html").read_text(encoding="utf-8")
    checks = {
        "the library is not the installed one": "site-packages" in (cutwise.__file__ or ""),
        "the types are not marked": (Path(cutwise.__file__ or "").parent / "py.typed").exists(),
        "transform gives no codes": codes.shape == X.shape and codes.max() > 0,
        "a scheme is not what was written": scheme == discretizer.scheme_,
        "a scheme that was read gives other codes": np.array_equal(scheme.transform(X), codes),
        "a model that was read predicts otherwise": np.array_equal(
            type(model).from_json(model.to_json()).predict(X), model.predict(X)
        ),
        "the report is no page": page.startswith("<!DOCTYPE html>") and "x3" in page,
    }
    return [problem for problem, holds in checks.items() if not holds]


def what_is_missing(folder: Path) -> list[str]:
    """Ask for what needs an extra; return where the answer is not one sentence that names it."""
    X, y = load_iris(return_X_y=True)
    discretizer = cutwise.MRmDDiscretizer().fit(X, y)
    scheme = discretizer.scheme_
    (folder / "table.csv").write_text("age,paid\n1,0\n2,1\n", encoding="utf-8")
    (folder / "table.parquet").write_bytes(b"PAR1")
    asked: dict[str, tuple[Callable[[], object], str]] = {
        "SQL": (lambda: scheme.to_sql(table="rows"), "sql"),
        "ONNX": (scheme.to_onnx, "onnx"),
        "polars": (scheme.to_polars, "tables"),
        "a plot": (scheme.plot, "plots"),
        "Excel": (lambda: scheme.to_excel(folder / "scheme.xlsx"), "excel"),
        "a table": (lambda: read_table(folder / "table.csv"), "tables"),
        "a Parquet file": (lambda: read_table(folder / "table.parquet"), "tables"),
        "a file beyond memory": (lambda: discretizer.fit_table(folder / "table.csv", "paid"), "engines"),
        "a network": (lambda: cutwise.ResNetClassifier(), "networks"),  # noqa: PLW0108  # the name is what is asked for
    }
    wrong = [f"{what}: {said}" for what, (ask, extra) in asked.items() if (said := _unclear(ask, extra))]
    command = [sys.executable, "-m", "cutwise", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 2 or done.stderr.count("\n") != 1 or "cutwise[cli]" not in done.stderr:
        wrong.append(f"the command line: {done.stderr}")
    return wrong


def _unclear(ask: Callable[[], object], extra: str) -> str:
    """Return what was said, unless it is one line that names the extra."""
    try:
        ask()
    except (ImportError, cutwise.CutwiseError) as error:
        message = str(error)
        return "" if f"cutwise[{extra}]" in message and "\n" not in message else message
    return f"works without cutwise[{extra}]"


def main() -> int:
    """Check what is installed, and what it does."""
    problems = [f"{name} is installed in an environment without extras" for name in EXTRAS if find_spec(name)]
    if not requires("cutwise"):
        problems.append("the package names no requirements")
    with tempfile.TemporaryDirectory() as folder:
        problems += what_works(Path(folder)) + what_is_missing(Path(folder))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
