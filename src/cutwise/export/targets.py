"""The ways out; each loads the library that it needs when it is called."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cutwise.export.additive import additive_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme import Scheme


def scheme_to_sql(scheme: Scheme, dialect: str, table: str | Sequence[str], keep: Sequence[str]) -> str:
    """Return a query for the codes of a table, see ``Scheme.to_sql``."""
    _require("sqlglot", "sql")
    from cutwise.export.code_query import code_query  # noqa: PLC0415

    return code_query(scheme, dialect, table, keep)


def scheme_to_polars(scheme: Scheme) -> list[Any]:
    """Return polars expressions for the codes of a table, see ``Scheme.to_polars``."""
    _require("polars", "tables")
    from cutwise.export.polars_expressions import code_expressions  # noqa: PLC0415

    return code_expressions(scheme)


def scheme_to_onnx(scheme: Scheme) -> Any:
    """Return an ONNX model for the codes of a table, see ``Scheme.to_onnx``."""
    _require("onnx", "onnx")
    from cutwise.export.onnx_graph import code_model  # noqa: PLC0415

    return code_model(scheme)


def system_to_sql(
    scheme: Scheme, classifier: Any, dialect: str, table: str | Sequence[str], keep: Sequence[str]
) -> str:
    """Return a query for classes and probabilities, see ``DiscretizedClassifier.to_sql``."""
    _require("sqlglot", "sql")
    from cutwise.export.score_query import score_query  # noqa: PLC0415

    return score_query(scheme, additive_score(classifier), dialect, table, keep)


def system_to_onnx(scheme: Scheme, classifier: Any) -> Any:
    """Return an ONNX model for classes and probabilities, see ``DiscretizedClassifier.to_onnx``."""
    _require("onnx", "onnx")
    from cutwise.export.onnx_graph import score_model  # noqa: PLC0415

    return score_model(scheme, additive_score(classifier))


def _require(library: str, extra: str) -> None:
    if find_spec(library) is None:
        message = f"This needs the library {library}, which is not installed; try: pip install 'cutwise[{extra}]'."
        raise ImportError(message)
