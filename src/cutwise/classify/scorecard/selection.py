"""Which columns a scorecard uses, and why it does not use the others."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cutwise import kernels
from cutwise.classify.scorecard.logistic import Regression, Rows, left_out_loss, regress
from cutwise.criteria.score import SMOOTHING, weight_of_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.bayes.sample import CodedRows
    from cutwise.classify.bayes.tables import CellCounts

KEPT, CONSTANT, WEAK, ALIKE, UNSELECTED, TURNED = "kept", "constant", "iv", "correlation", "selection", "sign"
FATES = (KEPT, CONSTANT, WEAK, ALIKE, UNSELECTED, TURNED)
# Of the columns that may come next, so many with the steepest slopes are tried first.
TRIED = 3
# A fall of the held-out loss below this share of it is none.
LEAST_FALL = 1e-9


@dataclass(eq=False)
class Fates:
    """What became of each column.

    Parameters
    ----------
    words : list of str
        One of FATES for each column.
    figures : list of float
        The information value, correlation, coefficient or change of the loss that decided; else 0.
    partners : list of int
        The column that one is like; else itself.
    """

    words: list[str]
    figures: list[float]
    partners: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, n_columns: int) -> Fates:
        """Return that all columns are kept."""
        return cls([KEPT] * n_columns, [0.0] * n_columns, list(range(n_columns)))

    @property
    def kept(self) -> list[int]:
        """The places of the columns that are used."""
        return [place for place, word in enumerate(self.words) if word == KEPT]

    def drop(self, place: int, word: str, figure: float = 0.0, partner: int | None = None) -> None:
        """Note why a column is not used."""
        self.words[place], self.figures[place] = word, figure
        self.partners[place] = place if partner is None else partner


@dataclass(frozen=True, eq=False)
class Evidence:
    """The weights of evidence of all bins, higher for what speaks against the event.

    Parameters
    ----------
    weights : ndarray of shape (n_cells,)
    values : ndarray of shape (n_columns,)
        The information value of each column.
    """

    weights: NDArray[np.float64]
    values: NDArray[np.float64]


def evidence_of(counts: CellCounts, event: int) -> Evidence:
    """Return weights of evidence and information values from counts of two classes."""
    pairs = counts.of_cell[:, [event, 1 - event]].tolist()
    ends = counts.offsets.tolist()
    found = [weight_of_evidence(pairs[a:b]) for a, b in itertools.pairwise(ends)]
    weights = np.array([weight for one in found for weight in one.weights])
    return Evidence(weights, np.array([one.information_value for one in found]))


def card_rows(sample: CodedRows, counts: CellCounts, evidence: Evidence, event: int) -> Rows:
    """Return the weights of evidence of rows, each different one once."""
    cells = np.where(sample.codes >= 0, sample.codes + counts.offsets[:-1], counts.offsets[-1])
    columns = np.append(evidence.weights, 0.0)[cells]
    return Rows(columns, (sample.labels != event).astype(np.float64), sample.row_weights)


def drop_weak(fates: Fates, counts: CellCounts, evidence: Evidence, min_iv: float) -> None:
    """Drop columns with a single bin that has rows, and those that say too little."""
    filled = np.add.reduceat(counts.has_rows.astype(np.int64), counts.offsets[:-1])
    for place in fates.kept:
        value = float(evidence.values[place])
        if filled[place] < 2:
            fates.drop(place, CONSTANT)
        elif value < min_iv:
            fates.drop(place, WEAK, value)


def drop_alike(fates: Fates, rows: Rows, evidence: Evidence, max_correlation: float) -> None:
    """Of columns whose weights of evidence go together, keep the one that says more."""
    order = sorted(fates.kept, key=lambda place: -evidence.values[place])
    if len(order) < 2 or max_correlation >= 1.0:
        return
    likeness = _correlations(rows.only(order))
    stay: list[int] = []
    for own, place in enumerate(order):
        nearest = max(stay, key=lambda other: abs(likeness[own, other]), default=None)
        if nearest is not None and abs(likeness[own, nearest]) > max_correlation:
            fates.drop(place, ALIKE, float(likeness[own, nearest]), order[nearest])
        else:
            stay.append(own)


def _correlations(rows: Rows) -> NDArray[np.float64]:
    shares = rows.weights / rows.weights.sum()
    centred = rows.columns - shares @ rows.columns
    together = (centred * shares[:, None]).T @ centred
    spread = np.sqrt(np.maximum(np.diag(together), 0.0))
    spread[spread == 0.0] = 1.0
    return np.asarray(np.clip(together / np.outer(spread, spread), -1.0, 1.0))


@dataclass(frozen=True, eq=False)
class Forward:
    """Columns that are taken one after the other.

    Parameters
    ----------
    rows : Rows
    left_out : ndarray of shape (n_rows, n_columns)
        The columns of each row as the other rows alone make them.
    alpha : float
    signs : bool
        Whether a column with a coefficient of the wrong sign is out of the question.
    """

    rows: Rows
    left_out: NDArray[np.float64]
    alpha: float
    signs: bool

    def tried(self, places: list[int]) -> tuple[float, Regression]:
        """Return the loss of rows that are left out with some columns, and the regression on them."""
        part = self.rows.only(places)
        found = regress(part, self.alpha)
        return left_out_loss(part, self.left_out[:, places], found), found

    def is_turned(self, found: Regression) -> bool:
        """Whether a coefficient has the wrong sign."""
        return self.signs and not (found.coefficients > 0.0).all()


def drop_unselected(fates: Fates, forward: Forward) -> None:
    """Take columns as long as the loss of rows that are left out falls; drop the others."""
    taken: list[int] = []
    waiting = fates.kept
    best, found = forward.tried([])
    while waiting:
        steepest = _steepest(forward.rows, found, waiting)
        chosen = _best_of(forward, taken, steepest[:TRIED], best) or _best_of(forward, taken, steepest[TRIED:], best)
        if chosen is None:
            break
        best, place, found = chosen
        taken.append(place)
        waiting.remove(place)
    for place in waiting:
        loss, found = forward.tried(sorted([*taken, place]))
        if forward.is_turned(found):
            fates.drop(place, TURNED, float(found.coefficients.min()))
        else:
            fates.drop(place, UNSELECTED, (loss - best) / float(forward.rows.weights.sum()))


def _best_of(
    forward: Forward, taken: list[int], places: Sequence[int], best: float
) -> tuple[float, int, Regression] | None:
    """Return the loss, the place and the regression of the column that lowers the loss most; None if none does."""
    tries = [(place, *forward.tried(sorted([*taken, place]))) for place in places]
    fit = [(loss, place, found) for place, loss, found in tries if not forward.is_turned(found)]
    chosen = min(fit, key=lambda one: one[:2], default=None)
    return chosen if chosen is not None and chosen[0] < best * (1.0 - LEAST_FALL) else None


def _steepest(rows: Rows, found: Regression, places: Sequence[int]) -> list[int]:
    """Return columns, those first along which the loss falls most as far as its slopes and curvatures tell."""
    slopes = (rows.weights * (found.shares - rows.wins)) @ rows.columns
    bends = rows.weights * found.shares * (1.0 - found.shares)
    centred = rows.columns - (bends @ rows.columns) / max(float(bends.sum()), 1e-300)
    promised = slopes**2 / np.maximum(bends @ centred**2, 1e-300)
    return sorted(places, key=lambda place: (-promised[place], place))


def left_out_weights(sample: CodedRows, counts: CellCounts, event: int) -> NDArray[np.float64]:
    """Return the weight of evidence of each row's bins as the other rows alone make it."""
    cells = np.where(sample.codes >= 0, sample.codes + counts.offsets[:-1], 0)
    gone = np.minimum(sample.row_weights, 1.0)[:, None]
    filled = np.add.reduceat(counts.has_rows.astype(np.float64), counts.offsets[:-1])
    ratios = []
    for k in (event, 1 - event):
        own = np.where(sample.labels[:, None] == k, gone, 0.0)
        parts = np.maximum(counts.of_cell[cells, k] - own, 0.0) + SMOOTHING
        ratios.append(parts / (counts.of_class[k] - own + SMOOTHING * filled))
    weights = kernels.elementary.log_of((ratios[1] / ratios[0]).ravel()).reshape(cells.shape)
    alone = counts.of_cell[cells].sum(axis=2) <= gone
    return np.where(alone | (sample.codes < 0), 0.0, weights)


def fit_with_signs(fates: Fates, rows: Rows, alpha: float, *, signs: bool) -> Regression:
    """Return the regression of the kept columns; those that speak against their own evidence are dropped first."""
    while True:
        places = fates.kept
        found = regress(rows.only(places), alpha)
        if not signs or not places or found.coefficients.min() > 0.0:
            return found
        worst = int(found.coefficients.argmin())
        fates.drop(places[worst], TURNED, float(found.coefficients[worst]))
