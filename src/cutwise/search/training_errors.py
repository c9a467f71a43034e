"""How often a classifier errs on the rows it was trained on, with each value replaced by its bin."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np

from cutwise import kernels
from cutwise.search.cells import NO_CELL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.search.cells import Cells

# The defaults of C45Classifier.
CONFIDENCE = 0.25
C45_SETTINGS: dict[str, Any] = {
    "min_leaf": 2,
    "min_gap": 0.0,
    "use_mdl": True,
    "is_collapsed": True,
    "pruning": (CONFIDENCE, NormalDist().inv_cdf(1.0 - CONFIDENCE), True),
}


class ErrorCounter(Protocol):
    """A classifier, made once for a table, that tells its training errors for any choice of cuts.

    Several threads may ask at once.
    """

    name: ClassVar[str]

    def __init__(self, cells: Cells) -> None: ...

    def errors(self, ends: NDArray[np.bool_]) -> float:
        """Return the weight of the wrong rows; ``ends`` tells with which cells a bin ends.

        A row that k classes win alike counts (k - 1) / k, so that no name of a class matters.
        """
        ...


class NaiveBayesErrors:
    """The training errors of naive Bayes.

    P(class) is the class's share of the rows, P(bin | class) is smoothed by one row for
    each bin of the column. Missing values say nothing; special values and categories are
    bins of their own.

    Parameters
    ----------
    cells : Cells
    """

    name: ClassVar[str] = "naive Bayes"

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        totals = np.bincount(cells.classes, weights=cells.weights, minlength=len(cells.counts))
        self._prior = np.array([kernels.genetic.log_units(total) for total in totals], dtype=np.int64)

    def errors(self, ends: NDArray[np.bool_]) -> float:
        """Return the weight of the wrong rows."""
        cells = self._cells
        wrong = kernels.genetic.count_errors(
            cells.rows,
            cells.classes,
            cells.weights,
            cells.counts,
            cells.starts,
            self._prior,
            cells.unit,
            ends,
        )
        return int(wrong) / float(kernels.genetic.ERROR_UNITS) * cells.unit


class TreeErrors:
    """The training errors of C4.5, with the settings that it has by default.

    A bin is a branch. A row whose value is missing goes to all branches in part; special values
    and categories are bins of their own.

    Parameters
    ----------
    cells : Cells
    """

    name: ClassVar[str] = "C4.5"

    def __init__(self, cells: Cells) -> None:
        counted = cells.weights > 0
        self._rows = np.ascontiguousarray(cells.rows[:, counted])
        self._starts = cells.starts
        self._classes = cells.classes[counted].astype(np.int32)
        self._n_classes = len(cells.counts)
        self._counts = cells.weights[counted]
        self._weights = self._counts * cells.unit
        self._unit = cells.unit
        self._is_complete = bool((self._rows != NO_CELL).all())

    def errors(self, ends: NDArray[np.bool_]) -> float:
        """Return the weight of the wrong rows."""
        codes = np.empty(self._rows.shape, dtype=np.int32)
        sizes = np.empty(len(codes), dtype=np.int64)
        n_columns = kernels.c45_cells.code_rows(self._rows, self._starts, ends, codes, sizes)
        codes, sizes = codes[:n_columns], sizes[:n_columns]
        attribute, _, first_child, n_children, weights = kernels.c45.learn_tree(
            *(codes, self._classes, self._weights, self._n_classes, sizes),
            *(np.empty((0, 0)), np.empty((0, 0), dtype=np.int32)),
            **C45_SETTINGS,
        )
        if self._is_complete:
            leaves = weights[n_children == 0]
            # Of k classes that a leaf has alike, (k - 1) / k of the rows are wrong: all but the rows of one.
            return float((leaves.sum(axis=1) - leaves.max(axis=1)).sum())
        table = np.where(codes < 0, np.nan, codes)
        shares = np.zeros((self._classes.size, self._n_classes))
        no_thresholds = np.full(attribute.size, np.nan)
        kernels.c45_predict.spread_classes(table, attribute, no_thresholds, first_child, n_children, weights, shares)
        wrong = kernels.c45_cells.count_wrong(shares, self._classes, self._counts)
        return int(wrong) / float(kernels.genetic.ERROR_UNITS) * self._unit


class Classifier(NamedTuple):
    """A kind of classifier, and how often its errors count in the fitness."""

    kind: type[ErrorCounter]
    times: int


KINDS: dict[str, type[ErrorCounter]] = {"naive_bayes": NaiveBayesErrors, "c45": TreeErrors}
# The article adds the errors of these two.
PUBLISHED = ("naive_bayes", "c45")


def named_classifiers(names: Sequence[str]) -> tuple[Classifier, ...]:
    """Return the classifiers with these names, whose order does not matter; one named twice counts twice.

    Examples
    --------
    >>> [(kind.name, times) for kind, times in named_classifiers(["c45", "naive_bayes", "c45"])]
    [('naive Bayes', 1), ('C4.5', 2)]
    """
    unknown = [name for name in names if not isinstance(name, str) or name not in KINDS]
    if unknown or not names:
        wrong = f"it has {unknown[0]!r}" if unknown else "it is empty"
        message = f"'classifiers' must name one or more of {', '.join(map(repr, KINDS))}, but {wrong}."
        raise ValueError(message)
    listed = list(names)
    return tuple(Classifier(kind, listed.count(name)) for name, kind in KINDS.items() if name in listed)


CLASSIFIERS = named_classifiers(PUBLISHED)
