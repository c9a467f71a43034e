"""What each attribute adds to a row's log-odds.

Most classifiers of the family are additive: a score is a prior plus one number for each
attribute. RNB is a mixture of two such models. The odds of a mixture are a weighted mean of
the odds of its parts, so its log-odds lie between theirs:

    log-odds of the mixture = share * (log-odds of part 1) + (1 - share) * (log-odds of part 2)

for one share from 0 to 1, which depends on the row and on the two classes compared. The same
share of what an attribute adds in each part is what it adds in the mixture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from cutwise import kernels
from cutwise.bayes.sample import read_codes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.bayes.tables import Counts, Tables


@dataclass(frozen=True, eq=False)
class AdditivePart:
    """A model whose score is a prior plus one number for each attribute.

    Parameters
    ----------
    prior : ndarray of shape (n_classes,)
    terms : ndarray of shape (n_cells, n_classes)
        What a cell adds to the score of each class.
    weights : ndarray of shape (n_cells, n_classes) or None
        The learned weight in each of the terms; None if the model has no weights.
    name : str
        What to call the weights.
    by_class : bool
        Whether classes have weights of their own.
    share : float
        The part's share of the mixture.
    """

    prior: NDArray[np.float64]
    terms: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None
    name: str = "weight"
    by_class: bool = False
    share: float = 1.0


class LogOdds(NamedTuple):
    """The log-odds of one class against another: ``score = prior + terms.sum(axis=1)``.

    Parameters
    ----------
    prior : ndarray of shape (n_rows,)
        Before any attribute is known.
    terms : ndarray of shape (n_rows, n_attributes)
        What each attribute adds; 0 if its value is missing or was never seen, also where it has a bin.
    """

    prior: NDArray[np.float64]
    terms: NDArray[np.float64]


class AdditiveModel:
    """The base of classifiers that say what each attribute adds.

    A subclass returns its parts, one or two, from ``_parts``.
    """

    tables_: Tables
    classes_: NDArray[Any]

    def _parts(self) -> tuple[AdditivePart, ...]:
        """Return the additive models that the classifier consists of."""
        name = type(self).__name__
        message = f"{name} has no score that is a sum over attributes, so it cannot say what each of them adds."
        raise TypeError(message)

    def contributions(self, X: Any) -> NDArray[np.float64]:
        """Return what each attribute adds to each class's score.

        The logarithm of a class's prior probability and these contributions add up to the score
        of the class, of which ``predict_proba`` is the softmax. For a mixture of two models
        (RNB) the contribution to a class is its mean over the comparisons with every class, see
        ``log_odds``.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            Codes; -1 and codes that are no bin add nothing.

        Returns
        -------
        ndarray of shape (n_samples, n_classes, n_features)
        """
        parts, cells = self._parts_and_cells(X)
        if len(parts) == 1:
            return np.ascontiguousarray(_gathered(parts[0].terms, cells).transpose(0, 2, 1))
        n_classes = self.classes_.size
        sums = np.zeros((cells.shape[0], n_classes, cells.shape[1]))
        for first in range(n_classes):
            for second in range(first):
                terms = _log_odds(parts, cells, first, second).terms
                sums[:, first] += terms
                sums[:, second] -= terms
        return sums / n_classes

    def log_odds(self, X: Any, target: int, against: int) -> LogOdds:
        """Return the log-odds of one class against another, split by attribute.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            Codes; -1 and codes that are no bin add nothing.
        target, against : int
            The places of the two classes in ``classes_``.

        Returns
        -------
        LogOdds
            ``prior + terms.sum(axis=1)`` is the difference of the two classes'
            ``predict_log_proba``.
        """
        parts, cells = self._parts_and_cells(X)
        return _log_odds(parts, cells, target, against)

    def weights_of(self, X: Any, classes: tuple[int, ...]) -> dict[str, NDArray[np.float64]]:
        """Return the weights that the values of each row have.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            Codes.
        classes : tuple of int
            The places of the classes whose weights are asked for.

        Returns
        -------
        dict of ndarray of shape (n_samples, n_features)
            By the name of the weight; NaN where a value has no bin, or one without training rows.
            A weight that classes do not share has the class in its name.
        """
        parts, cells = self._parts_and_cells(X)
        found = {}
        for part in parts:
            if part.weights is None:
                continue
            for place in classes if part.by_class else classes[:1]:
                name = f"{part.name} ({self.classes_[place]})" if part.by_class else part.name
                found[name] = np.append(part.weights[:, place], np.nan)[cells]
        return found

    def _parts_and_cells(self, X: Any) -> tuple[tuple[AdditivePart, ...], NDArray[np.int64]]:
        check_is_fitted(self)
        parts = self._parts()
        return parts, cells_of(read_codes(self, X), self.tables_.counts)


def cells_of(codes: NDArray[np.int32], counts: Counts) -> NDArray[np.int64]:
    """Return the cell of each code; -1 if it is no bin, or one without rows."""
    cells = codes + counts.offsets[:-1]
    is_bin = (codes >= 0) & (cells < counts.offsets[1:])
    return np.where(is_bin & counts.has_rows[np.where(is_bin, cells, 0)], cells, -1)


def _gathered(table: NDArray[np.float64], cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the table's entry of each cell; 0 where there is none."""
    return np.concatenate((table, np.zeros((1, *table.shape[1:]))))[cells]


def _log_odds(parts: tuple[AdditivePart, ...], cells: NDArray[np.int64], first: int, second: int) -> LogOdds:
    pairs = [
        LogOdds(
            np.full(cells.shape[0], part.prior[first] - part.prior[second]),
            _gathered(part.terms[:, first] - part.terms[:, second], cells),
        )
        for part in parts
    ]
    if len(parts) == 1:
        return pairs[0]
    one, two = pairs
    share = _mixture_share(parts, cells, second, *(pair.prior + pair.terms.sum(axis=1) for pair in pairs))
    prior = share * one.prior + (1.0 - share) * two.prior
    return LogOdds(prior, share[:, None] * one.terms + (1.0 - share)[:, None] * two.terms)


def _mixture_share(
    parts: tuple[AdditivePart, ...],
    cells: NDArray[np.int64],
    second: int,
    one: NDArray[np.float64],
    two: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the share of part one, for which the log-odds of the parts give those of the mixture.

    With rho the part of the second class's probability that comes from part one, the odds
    of the mixture are ``rho * exp(one) + (1 - rho) * exp(two)``.
    """
    exp, log = kernels.elementary.exp_of, kernels.elementary.log
    weight_one, weight_two = (log(float(part.share)) + _log_proba(part, cells)[:, second] for part in parts)
    # log(rho) and log(1 - rho), without a loss of digits at either end
    log_rho = -_log_add_exp(0.0, weight_two - weight_one)
    log_rest = -_log_add_exp(0.0, weight_one - weight_two)
    gap = one - two
    small = np.abs(gap) < 1.0
    above_two = np.where(
        small,
        _log1p(exp(log_rho) * _expm1(np.where(small, gap, 0.0))),
        _log_add_exp(log_rho + gap, log_rest),
    )
    share = np.where(gap == 0.0, exp(log_rho), above_two / np.where(gap == 0.0, 1.0, gap))
    return np.asarray(np.clip(share, 0.0, 1.0))


def _log_proba(part: AdditivePart, cells: NDArray[np.int64]) -> NDArray[np.float64]:
    scores = part.prior + _gathered(part.terms, cells).sum(axis=1)
    scores -= scores.max(axis=1, keepdims=True)
    exp, log = kernels.elementary.exp_of, kernels.elementary.log_of
    return np.asarray(scores - log(exp(scores).sum(axis=1, keepdims=True)))


def _log_add_exp(x: NDArray[np.float64] | float, y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(exp(x) + exp(y)); one of them may be infinite."""
    high = np.maximum(x, y)
    return np.asarray(high + _log1p(kernels.elementary.exp_of(np.minimum(x, y) - high)))


def _log1p(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(1 + x): what is lost in the sum is lost in its difference from 1, too."""
    above = 1.0 + x
    lost = above == 1.0
    return np.where(lost, x, kernels.elementary.log_of(above) * x / np.where(lost, 1.0, above - 1.0))


def _expm1(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return exp(x) - 1: its error is that of the logarithm, which is near x."""
    power = kernels.elementary.exp_of(x)
    lost = power == 1.0
    return np.where(lost, x, (power - 1.0) * x / np.where(lost, 1.0, kernels.elementary.log_of(power)))
