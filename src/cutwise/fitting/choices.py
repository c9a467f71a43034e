"""Parameters that are one of several words."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.utils._param_validation import InvalidParameterError, StrOptions

from cutwise.table.choosing import did_you_mean


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
