"""A first look: ``python -m cutwise.demo`` fits an example and writes a report."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sklearn.datasets import load_breast_cancer

from cutwise.discretize import MRmDDiscretizer
from cutwise.files import write_whole
from cutwise.report import count_rows, html_report
from cutwise.report.summary import ranked_attributes
from cutwise.scheme import NumericAttribute
from cutwise.scheme.text import attribute_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.counts import ColumnCounts
    from cutwise.scheme import Scheme

FOLDER = "demo-report"
TITLE = "Breast cancer: what tells benign from malignant"
N_SHOWN = 3
BAD_FOLDER = 2
NEXT = """\
Next, with your own table X and classes y:
  from cutwise import MRmDDiscretizer
  from cutwise.report import write_report
  discretizer = MRmDDiscretizer(place="readable", confirm=0.01).fit(X, y)
  write_report("report.html", discretizer, X, y)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demo.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; by default those of the command line.

    Returns
    -------
    int
        0, or 2 if the files cannot be written.
    """
    folder = Path(_parser().parse_args(argv).folder)
    problem = _prepare(folder)
    if problem:
        return _fail(problem)
    if sys.stderr.isatty():
        sys.stderr.write("Fitting; the first time on a machine this takes some five seconds ...\n")
    scheme, tables = example_scheme()
    files = {"report.html": html_report(scheme, TITLE, tables), "scheme.json": scheme.to_json()}
    for name, text in files.items():
        try:
            write_whole(folder / name, text.encode())
        except OSError as error:
            return _fail(_cannot_write(folder / name, error))
    sys.stdout.write(_account(scheme, folder))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cutwise.demo",
        description="Fit an example table that comes with scikit-learn, show what was found, and write a report.",
        epilog="Nothing is downloaded. FOLDER gets two files: report.html for people, scheme.json for programs.",
    )
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        default=FOLDER,
        help="where to write the report; made if it is not there (default: %(default)s)",
    )
    return parser


def example_scheme() -> tuple[Scheme, list[ColumnCounts | None]]:
    """Return the bins of the breast cancer table, with the names of its columns, and their counts."""
    data = load_breast_cancer()
    y = data.target_names[data.target]
    discretizer = MRmDDiscretizer(place="readable", confirm=0.01).fit(data.data, y)
    scheme = with_names(discretizer.scheme_, [str(name) for name in data.feature_names])
    return scheme, count_rows(discretizer, data.data, y)


def with_names(scheme: Scheme, names: Sequence[str]) -> Scheme:
    """Return a scheme whose attributes have these names; an array of numbers has none."""
    attributes = [replace(attribute, name=name) for attribute, name in zip(scheme.attributes, names, strict=True)]
    return replace(scheme, attributes=tuple(attributes))


def _prepare(folder: Path) -> str:
    """Make the folder; return what is wrong with it, or an empty string."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except (FileExistsError, NotADirectoryError):
        return f"Cannot write to {str(folder)!r}: a file is in the way. Name another folder."
    except (OSError, ValueError) as error:
        return _cannot_write(folder, error)


def _cannot_write(path: Path, error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    return f"Cannot write to {str(path)!r}: {reason}. Name another folder."


def _account(scheme: Scheme, folder: Path) -> str:
    """Return what was fitted, the most relevant attributes, and what to do next."""
    first = scheme.attributes[0]
    n_rows = sum(first.rows) + sum(first.missing_by_class)
    n_cuts = sum(len(attribute.cuts) for attribute in scheme.attributes if isinstance(attribute, NumericAttribute))
    best = ranked_attributes(scheme)[:N_SHOWN]
    fitted = (
        f"{scheme.method} looked at {n_rows:,} tumours with {len(scheme.attributes)} measurements each "
        f"and placed {n_cuts} cuts.\n"
        "Each cut is better than what chance would give in all but 1 of 100 tables; p is that chance for the cut "
        "below a bin.\n"
        f"The {N_SHOWN} measurements that are most informative about {' or '.join(map(str, scheme.classes))}:"
    )
    files = (
        f"All {len(scheme.attributes)} are in the report:\n"
        f"  {folder / 'report.html'}   open it in a browser\n"
        f"  {folder / 'scheme.json'}   the same for programs"
    )
    return "\n\n".join([fitted, *(attribute_text(attribute, scheme) for attribute in best), files, NEXT])


def _fail(problem: str) -> int:
    sys.stderr.write(problem + "\n")
    return BAD_FOLDER


if __name__ == "__main__":
    sys.exit(main())
