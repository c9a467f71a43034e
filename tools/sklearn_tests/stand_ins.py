"""Classes with the names and parameters of scikit-learn's, and ours behind them.

They translate names, and the words of warnings and errors; what is computed is ours.
"""

from __future__ import annotations

import itertools
import re
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin

from cutwise import EqualFrequencyDiscretizer, EqualWidthDiscretizer, NaiveBayesClassifier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sklearn.utils import Tags

WARNINGS = {
    r"Column 'x(\d+)' has the value \S+ only": "Feature {0} is constant and will be replaced with 0.",
    r"Column 'x(\d+)' has \d+ bins, not \d+": "Consider decreasing the number of bins.",
}
ERRORS = {
    r"'n_bins' has the shape": "n_bins must be a scalar or array of shape (n_features,).",
    r"'class_prior' has the shape": "Number of priors must match number of classes.",
    r"but the first call to partial_fit had": "'classes' is not the same as on last call to partial_fit.",
    r"'min_categories' must be a whole number": "'min_categories' should have shape (n_features,).",
}


def _translated(message: str, words: dict[str, str]) -> str:
    for ours, theirs in words.items():
        found = re.search(ours, message)
        if found:
            return theirs.format(*found.groups())
    return message


@contextmanager
def their_words() -> Iterator[None]:
    """Say what is warned of or refused in the words of scikit-learn."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
    except ValueError as error:
        raise ValueError(_translated(str(error), ERRORS)) from error
    for one in caught:
        warnings.warn(_translated(str(one.message), WARNINGS), one.category, stacklevel=2)


class _StandIn(BaseEstimator):
    """An estimator that asks one of ours."""

    def _make(self) -> Any:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name in ("ours_", "__sklearn_is_fitted__"):
            raise AttributeError(name)
        return getattr(self.ours_, name)


class KBinsDiscretizer(TransformerMixin, _StandIn):
    """The discretizers of equal width and equal frequency."""

    def __init__(
        self,
        n_bins: Any = 5,
        *,
        encode: str = "onehot",
        strategy: str = "quantile",
        quantile_method: str = "averaged_inverted_cdf",
        dtype: Any = None,
        subsample: Any = 200_000,
        random_state: Any = None,
    ) -> None:
        self.n_bins = n_bins
        self.encode = encode
        self.strategy = strategy
        self.quantile_method = quantile_method
        self.dtype = dtype
        self.subsample = subsample
        self.random_state = random_state

    def _make(self) -> Any:
        makers = {"uniform": EqualWidthDiscretizer, "quantile": EqualFrequencyDiscretizer}
        return makers[self.strategy](self.n_bins, encode=self.encode, decode="midpoint")

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit ours."""
        with their_words():
            self.ours_ = self._make().fit(X, y, sample_weight=sample_weight)
        return self

    def transform(self, X: Any) -> Any:
        """Ask ours."""
        return self.ours_.transform(X)


class CategoricalNB(ClassifierMixin, _StandIn):
    """Naive Bayes on codes."""

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _make(self) -> Any:
        return NaiveBayesClassifier(
            alpha=self.alpha,
            fit_prior=self.fit_prior,
            class_prior=self.class_prior,
            min_categories=self.min_categories,
        )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit ours."""
        with their_words():
            self.ours_ = self._make().fit(X, y, sample_weight=sample_weight)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Fit ours to more rows."""
        with their_words():
            self.ours_ = getattr(self, "ours_", self._make())
            self.ours_.partial_fit(X, y, classes=classes, sample_weight=sample_weight)
        return self

    @property
    def n_categories_(self) -> Any:
        """The number of bins of each attribute."""
        return self.ours_.n_bins_

    @property
    def class_count_(self) -> Any:
        """The rows of each class."""
        return self.ours_.tables_.counts.of_class

    @property
    def category_count_(self) -> list[Any]:
        """For each attribute the rows by class and bin."""
        return self._by_attribute(self.ours_.tables_.counts.of_cell)

    @property
    def feature_log_prob_(self) -> list[Any]:
        """For each attribute the log-probabilities by class and bin."""
        return self._by_attribute(self.ours_.tables_.log_likelihood)

    def _by_attribute(self, cells: Any) -> list[Any]:
        offsets = self.ours_.tables_.offsets
        return [cells[start:end].T for start, end in itertools.pairwise(offsets)]

    def __sklearn_tags__(self) -> Tags:
        return self._make().__sklearn_tags__()
