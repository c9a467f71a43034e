"""From a fitted discretizer and its rows to a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from cutwise.report.html import html_report
from cutwise.report.row_counts import count_rows

if TYPE_CHECKING:
    from os import PathLike


def write_report(
    path: str | PathLike[str],
    discretizer: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    parts: Any = None,
    title: str = "Discretization report",
) -> None:
    """Write a page that shows what a discretizer found, and in which its cuts can be edited.

    Parameters
    ----------
    path : str or path
        The file; an older one of that name is replaced.
    discretizer : fitted discretizer
    X, y, sample_weight, parts
        What was passed to its ``fit``. With ``validation="holdout"`` or ``"crossfit"`` the
        page knows the divergence of edited cuts only if the parts are given or
        ``random_state`` is a whole number.
    title : str, default="Discretization report"
        The heading of the page.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(f"{folder}/report.html", MRmDDiscretizer().fit(X, y), X, y)
    """
    tables = count_rows(discretizer, X, y, sample_weight, parts)
    write_file(Path(path), html_report(discretizer.scheme_, title, tables))


def write_file(path: Path, text: str) -> None:
    """Write a text as UTF-8, whole or not at all; see `write_bytes`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all.

    Parameters
    ----------
    path : Path
        An older file of that name stays as it is until the new one is complete.
    content : bytes
    """
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
