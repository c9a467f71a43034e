"""Do cuts hold on new rows? Every method, and other libraries, on the paper's data sets of two classes.

Each data set is halved, without its nominal columns; the cuts are learned from one half and judged by the other, and
the other way round. `cutwise.paper.evaluate.holding` says what is measured. The data sets are read from CUTWISE_DATA,
by default ../shared/datasets. Other libraries are left out if they are not installed (make bench-peers).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import subprocess
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.cli.options import METHODS, method_class
from cutwise.paper.datasets.loading import load
from cutwise.paper.evaluate.holding import HalvedTable, HoldingFigures, numeric_columns
from tables import one_line, print_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    FindCuts = Callable[[Any, np.ndarray, None], list[np.ndarray]]

DATA = Path(os.environ.setdefault("CUTWISE_DATA", str(Path(__file__).parents[2] / "shared" / "datasets")))
ORANGE = Path(__file__).parents[1] / ".venv-orange" / "bin" / "python"
WORKER = Path(__file__).with_name("orange_cuts.py")
HEAD = ("method", "cuts", "confirmed", "new bits", "kept", "IV lost", "again", "noise cut", "data sets")
# EMD takes hours, and fixed cuts are given.
LEFT_OUT = ("emd", "fixed-cuts")
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "mrmd, n_d=10": ("mrmd", {"n_d": 10}),
    'mrmd, n_d="auto"': ("mrmd", {"n_d": "auto"}),
    "mrmd, confirm=0.05": ("mrmd", {"confirm": 0.05}),
    "mrmd, confirm=0.2": ("mrmd", {"confirm": 0.2}),
    "mrmd, confirm=0.01": ("mrmd", {"confirm": 0.01}),
    "mrmd, confirm=0.005": ("mrmd", {"confirm": 0.005}),
    "mrmd, confirm=0.003": ("mrmd", {"confirm": 0.003}),
    "mrmd, confirm=0.001": ("mrmd", {"confirm": 0.001}),
    'mrmd, n_d="auto", confirm=0.05': ("mrmd", {"n_d": "auto", "confirm": 0.05}),
    'mrmd, n_d="auto", confirm=0.01': ("mrmd", {"n_d": "auto", "confirm": 0.01}),
    "mrmd, exact": ("mrmd", {"search": "exact", "max_candidates": 500}),
    "mrmd, monotonic, min_bin_size=0.05": ("mrmd", {"monotonic": "auto", "min_bin_size": 0.05}),
}


def of_library(name: str, options: Mapping[str, Any], X: Any, y: np.ndarray, weights: None) -> list[np.ndarray]:  # noqa: ARG001
    """Return the cuts of one of our methods."""
    return method_class(name)(**options).fit(X, y).cuts_


def by_column(cut: Callable[[np.ndarray, np.ndarray], Any], X: Any, y: np.ndarray, weights: None) -> list[np.ndarray]:  # noqa: ARG001
    """Return the cuts that a function finds in each column, without its missing values."""
    codes = np.unique(y, return_inverse=True)[1]
    columns = [(column[~np.isnan(column)], codes[~np.isnan(column)]) for column in np.asarray(X, dtype=float).T]
    return [np.unique(np.asarray(cut(values, labels), dtype=float)) for values, labels in columns]


def kbins(values: np.ndarray, labels: np.ndarray) -> Any:  # noqa: ARG001
    """Return the cuts of scikit-learn's five quantile bins."""
    from sklearn.preprocessing import KBinsDiscretizer

    if np.unique(values).size < 2:
        return []
    fitted = KBinsDiscretizer(5, strategy="quantile", quantile_method="averaged_inverted_cdf", encode="ordinal")
    return fitted.fit(values[:, np.newaxis]).bin_edges_[0][1:-1]


def optbinning_mdlp(values: np.ndarray, labels: np.ndarray) -> Any:
    """Return the cuts of optbinning's MDLP."""
    from optbinning import MDLP

    return MDLP().fit(values, labels).splits


def optbinning(values: np.ndarray, labels: np.ndarray) -> Any:
    """Return the cuts of optbinning's optimal binning."""
    from optbinning import OptimalBinning

    return OptimalBinning(dtype="numerical").fit(values, labels).splits


class OrangeCuts:
    """Asks Orange's EntropyMDL, which needs an environment of its own."""

    def __init__(self) -> None:
        worker = subprocess.Popen([ORANGE, WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._questions: Any = worker.stdin
        self._answers: Any = worker.stdout

    def __call__(self, values: np.ndarray, labels: np.ndarray) -> Any:
        print(json.dumps([values.tolist(), labels.tolist()]), file=self._questions, flush=True)
        return json.loads(self._answers.readline())


def all_methods() -> dict[str, FindCuts]:
    """Return everything that can be judged here."""
    methods: dict[str, FindCuts] = {name: partial(of_library, name, {}) for name in METHODS if name not in LEFT_OUT}
    methods |= {name: partial(of_library, *variant) for name, variant in VARIANTS.items()}
    methods["scikit-learn KBinsDiscretizer, 5 quantiles"] = partial(by_column, kbins)
    if importlib.util.find_spec("optbinning"):
        methods["optbinning MDLP"] = partial(by_column, optbinning_mdlp)
        methods["optbinning OptimalBinning"] = partial(by_column, optbinning)
    if ORANGE.exists():
        methods["Orange EntropyMDL"] = partial(by_column, OrangeCuts())
    return methods


def judge(name: str, find_cuts: FindCuts, n_repeats: int) -> HoldingFigures | str:
    """Return the figures of a method on one data set, or what went wrong."""
    data = load(name, frame="pandas")
    X = np.column_stack([*numeric_columns(data.X).values()])
    try:
        return sum(
            (HalvedTable(X, data.y, seed=repeat).judge(find_cuts) for repeat in range(n_repeats)), HoldingFigures()
        )
    except Exception as error:  # noqa: BLE001 one failing method must not stop the others
        return one_line(error)


def line(name: str, found: list[HoldingFigures]) -> list[str]:
    """Return a row of the table."""
    total = sum(found, HoldingFigures())
    if not found:
        return [name, *["-"] * (len(HEAD) - 1)]
    return [
        name,
        f"{total.cuts:.1f}",
        f"{total.confirmed:.1%}",
        f"{total.new_relevance / total.n_fits:.3f}",
        f"{total.new_relevance / total.relevance:.0%}" if total.relevance else "-",
        f"{1 - total.new_iv / total.iv:.0%}" if total.iv else "-",
        f"{total.again:.0%}",
        f"{total.noise:.0%}",
        f"{len(found)}",
    ]


def share_and_bits(found: list[HoldingFigures]) -> np.ndarray:
    """Return the share of confirmed cuts in percent and the new bits."""
    total = sum(found, HoldingFigures())
    return np.array([100.0 * total.confirmed, total.new_relevance / total.n_fits])


def difference(found: list[HoldingFigures], other: list[HoldingFigures]) -> list[str]:
    """Return by how much two methods differ in these, with standard errors: a jackknife over the data sets."""
    n_sets = len(found)
    without = [[figures[:i] + figures[i + 1 :] for figures in (found, other)] for i in range(n_sets)]
    left = np.array([share_and_bits(one) - share_and_bits(two) for one, two in without])
    errors = np.sqrt((n_sets - 1) / n_sets * np.square(left - left.mean(axis=0)).sum(axis=0))
    both = zip(share_and_bits(found) - share_and_bits(other), errors, ("+.1f", "+.3f"), strict=True)
    return [f"{value:{form}} ± {error:{form[1:]}}" for value, error, form in both]


def print_differences(found: Mapping[str, list[HoldingFigures]], others: list[str]) -> None:
    """Print how the methods that failed on no data set differ from some of them."""
    head = ["method", *(f"{what}, to {other}" for other in others for what in ("confirmed", "new bits"))]
    rows = [
        [name, *(cell for other in others for cell in difference(figures, found[other]))]
        for name, figures in found.items()
    ]
    print_table(tuple(head), rows)


def two_class_sets() -> list[str]:
    """Return the data sets with two classes and a numeric column."""
    listed = json.loads((DATA / "manifest.json").read_text())["datasets"]
    names = [name for name in sorted(listed) if len(set(load(name, frame="pandas").y.tolist())) == 2]
    return [name for name in names if numeric_columns(load(name, frame="pandas").X)]


def main() -> None:
    """Judge what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=1, help="how often each data set is halved")
    parser.add_argument("--only", nargs="+", help="these data sets only")
    parser.add_argument("--methods", nargs="+", help="these methods only")
    parser.add_argument("--against", nargs="+", default=[], help="the differences to these methods, with their errors")
    options = parser.parse_args()
    if not (DATA / "manifest.json").exists():
        parser.exit(2, f"The data sets are not at {DATA}. Set CUTWISE_DATA to their folder.\n")
    warnings.simplefilter("ignore")
    names = options.only or two_class_sets()
    rows = []
    complete: dict[str, list[HoldingFigures]] = {}
    for method, find_cuts in all_methods().items():
        if options.methods and method not in options.methods:
            continue
        found = [judge(name, find_cuts, options.repeats) for name in names]
        for name, one in zip(names, found, strict=True):
            if isinstance(one, str):
                print(f"{method} failed on {name}: {one}", flush=True)
        figures = [one for one in found if isinstance(one, HoldingFigures)]
        if len(figures) == len(names):
            complete[method] = figures
        rows.append((-sum(figures, HoldingFigures()).confirmed if figures else math.inf, line(method, figures)))
        print(", ".join(rows[-1][1]), flush=True)
    print_table(HEAD, [row for _, row in sorted(rows)])
    if options.against:
        print_differences(complete, options.against)


if __name__ == "__main__":
    main()
