"""Estimators as dataclasses: parameters, their checks and their texts are inherited."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from sklearn.utils._param_validation import InvalidParameterError, StrOptions

from cutwise.table.choosing import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sklearn.utils import Tags


class Choices(StrOptions):
    """The words that a parameter may be, told in the order in which they are given.

    Parameters
    ----------
    *words : str

    Examples
    --------
    >>> str(Choices("greedy", "exact"))
    "a str among {'greedy', 'exact'}"
    """

    def __init__(self, *words: str) -> None:
        super().__init__(set(words))
        self.words = words

    def __str__(self) -> str:
        return f"a str among {{{', '.join(map(repr, self.words))}}}"


class ChecksChoices:
    """A mixin for estimators, before scikit-learn's: a wrong word gets a hint at the right one."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]]

    def _validate_params(self) -> None:
        try:
            super()._validate_params()  # type: ignore[misc]
        except InvalidParameterError as error:
            message = f"{error}{self._hint()}"
            raise InvalidParameterError(message) from None

    def _hint(self) -> str:
        parameters: dict[str, Any] = self.get_params(deep=False)  # type: ignore[attr-defined]
        for name, value in parameters.items():
            for choices in self._parameter_constraints.get(name, []):
                if isinstance(choices, Choices) and isinstance(value, str) and value not in choices.words:
                    return did_you_mean(value, choices.words)
        return ""


_PLACEHOLDER = re.compile(r"^ *\{(\w+)\}$", re.MULTILINE)


def fill_texts(doc: str, texts: Mapping[str, str]) -> str:
    """Replace a line such as ``{common}`` by the text of that name."""
    return _PLACEHOLDER.sub(lambda match: "    " + texts[match.group(1)].strip(), doc)


class SharedParameters(ChecksChoices):
    """The base of families of estimators that share parameters.

    A class adds its own checks to ``_parameter_constraints``; those of its base are added.
    A line such as ``{common}`` in its docstring is replaced by a text of ``_texts``, so that
    what is said of a shared parameter stands in one place.
    """

    _texts: ClassVar[Mapping[str, str]] = {}
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        """Add the checks of the base's parameters, and the texts about them."""
        super().__init_subclass__(**options)
        inherited: dict[str, list[Any]] = getattr(super(cls, cls), "_parameter_constraints", {})
        cls._parameter_constraints = {**inherited, **cls.__dict__.get("_parameter_constraints", {})}
        if cls.__doc__:
            cls.__doc__ = fill_texts(cls.__doc__, cls._texts)


class TakesTables(ChecksChoices):
    """A mixin for estimators that take missing values, categories and texts; it stands before scikit-learn's."""

    def __sklearn_tags__(self) -> Tags:
        """Return what the estimator takes."""
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
