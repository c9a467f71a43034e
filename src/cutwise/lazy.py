"""Names of a package that are loaded when they are first used."""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def lazy_names(
    package: str,
    homes: Mapping[str, str],
    modules: Iterable[str] = (),
    extras: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to str
        The module of each public name, below the package.
    modules : iterable of str
        Modules and folders of the package that are found by their name, too.
    extras : mapping of str to str
        The same as ``homes`` for names that need an optional dependency: they are found, but not in
        ``__all__``.

    Examples
    --------
    >>> load, listed, public = lazy_names("cutwise", {"Scheme": "scheme"}, modules=["errors"])
    >>> load("Scheme").__name__, load("errors").__name__, public
    ('Scheme', 'cutwise.errors', ['Scheme'])
    >>> load("Shceme")
    Traceback (most recent call last):
    AttributeError: module 'cutwise' has no attribute 'Shceme'
    """
    submodules = frozenset(modules)
    known = {**homes, **extras}

    def load(name: str) -> Any:
        if name in known:
            return getattr(importlib.import_module(f"{package}.{known[name]}"), name)
        if name in submodules:
            return importlib.import_module(f"{package}.{name}")
        message = f"module {package!r} has no attribute {name!r}"
        raise AttributeError(message)

    def listed() -> list[str]:
        return sorted({*homes, *submodules, *vars(importlib.import_module(package))})

    return load, listed, sorted(homes)
