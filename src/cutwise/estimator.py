"""Estimators as dataclasses: parameters, their checks and their descriptions are inherited."""

from __future__ import annotations

import inspect
import re
import textwrap
from dataclasses import dataclass, field
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from sklearn.base import BaseEstimator

from cutwise.scikit_learn import InvalidParameterError, StrOptions
from cutwise.table.frames import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sklearn.utils import Tags

_Class = TypeVar("_Class")


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


_PLACEHOLDER = re.compile(r"^( *)\{(\w+)\}$", re.MULTILINE)


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(field,))
def estimator(cls: type[_Class]) -> type[_Class]:
    """Make a class an estimator whose parameters are its fields; what is said of them is inherited.

    - It becomes a dataclass. In the signature its own parameters come first, then those of its bases. They are given
      by keyword, but for fields with ``kw_only=False``.
    - The checks of its bases' parameters are added to its ``_parameter_constraints``, and a word that is none of the
      `Choices` gets a hint at the right one.
    - A line such as ``{common}`` in its docstring is replaced by the text of that name in ``_texts``.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> @estimator
    ... class Base(BaseEstimator):
    ...     n_jobs: int | None = None
    >>> @estimator
    ... class Own(Base):
    ...     size: int = 3
    >>> list(inspect.signature(Own).parameters)
    ['size', 'n_jobs']
    """
    made = dataclass(eq=False, repr=False, kw_only=True)(cls)
    constraints = [vars(base).get("_parameter_constraints", {}) for base in reversed(made.__mro__)]
    added = {name: checks for each in constraints for name, checks in each.items()}
    made._parameter_constraints = added  # type: ignore[attr-defined]  # noqa: SLF001
    made._validate_params = _validate_params  # type: ignore[attr-defined]  # noqa: SLF001
    made.__init__.__signature__ = _own_first(made)  # type: ignore[attr-defined]
    if made.__doc__:
        made.__doc__ = fill_texts(made.__doc__, getattr(made, "_texts", {}))
    return made


def _own_first(cls: type) -> inspect.Signature:
    """Return the signature of ``__init__`` with the parameters of a class before those of its bases."""
    signature = inspect.signature(cls.__init__)  # type: ignore[misc]
    # A field with another default than in a base is that of the base.
    bases = [base for base in cls.__mro__ if "__dataclass_fields__" in vars(base)]
    owners = {name: place for place, base in enumerate(bases) for name in get_annotations(base)}
    parameters = list(signature.parameters.values())
    by_keyword = [parameter for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]
    by_keyword.sort(key=lambda parameter: owners[parameter.name])
    others = [parameter for parameter in parameters if parameter.kind is not parameter.KEYWORD_ONLY]
    return signature.replace(parameters=others + by_keyword)


def _validate_params(self: Any) -> None:
    """Check the parameters as scikit-learn does, with a hint at the right word."""
    try:
        BaseEstimator._validate_params(self)  # noqa: SLF001
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{error}{_hint(self)}") from None


def _hint(self: Any) -> str:
    for name, value in self.get_params(deep=False).items():
        for choices in self._parameter_constraints.get(name, []):
            if isinstance(choices, Choices) and isinstance(value, str) and value not in choices.words:
                return did_you_mean(value, choices.words)
    return ""


def fill_texts(doc: str, texts: Mapping[str, str]) -> str:
    r"""Replace a line such as ``{common}`` by the text of that name, as far to the right as the line.

    Examples
    --------
    >>> print(fill_texts("Two:\n  {common}", {"common": "\n    a\n        Some number.\n"}))
    Two:
      a
          Some number.
    """
    # Python 3.13 takes the indentation out of docstrings.
    return _PLACEHOLDER.sub(lambda match: textwrap.indent(inspect.cleandoc(texts[match[2]]), match[1]), doc)


class TakesTables:
    """A mixin for estimators that take missing values, categories and strings; it stands before scikit-learn's."""

    def __sklearn_tags__(self) -> Tags:
        """Return what the estimator takes."""
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
