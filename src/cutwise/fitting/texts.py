"""Estimators as dataclasses: parameters, their checks and their texts are inherited."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from cutwise.fitting.choices import ChecksChoices

if TYPE_CHECKING:
    from collections.abc import Mapping

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
