"""What estimators of tables tell scikit-learn of themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.fitting.choices import ChecksChoices

if TYPE_CHECKING:
    from sklearn.utils import Tags


class TakesTables(ChecksChoices):
    """A mixin for estimators that take missing values, categories and texts; it stands before scikit-learn's."""

    def __sklearn_tags__(self) -> Tags:
        """Return what the estimator takes."""
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
