"""How often a classifier errs on the rows it was trained on, with each value replaced by its bin."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

import numpy as np

from cutwise import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.search.cells import Cells


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


class Classifier(NamedTuple):
    """A kind of classifier, and how often its errors count in the fitness."""

    kind: type[ErrorCounter]
    times: int


# The article adds the errors of naive Bayes and of C4.5. As long as the library has no C4.5,
# naive Bayes stands for both, and its errors count twice.
CLASSIFIERS = (Classifier(NaiveBayesErrors, 2),)
