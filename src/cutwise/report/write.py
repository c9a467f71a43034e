"""From a fitted discretizer and its rows to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutwise.files import write_whole
from cutwise.report.html import html_report
from cutwise.report.row_counts import count_rows

if TYPE_CHECKING:
    from os import PathLike

    from cutwise.stability import Evaluation


def write_report(
    path: str | PathLike[str],
    discretizer: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    parts: Any = None,
    title: str = "Discretization report",
    evaluation: Evaluation | None = None,
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
    evaluation : Evaluation, optional
        What ``scheme_.evaluate`` says of other rows; the page shows it beside the training rows.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fitted = MRmDDiscretizer().fit(X[::2], y[::2])
    ...     held = fitted.scheme_.evaluate(X[1::2], y[1::2])
    ...     write_report(f"{folder}/report.html", fitted, X[::2], y[::2], evaluation=held)
    """
    tables = count_rows(discretizer, X, y, sample_weight, parts)
    write_whole(Path(path), html_report(discretizer.scheme_, title, tables, evaluation).encode())
