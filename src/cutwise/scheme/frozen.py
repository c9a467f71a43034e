"""A mapping that cannot be changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class FrozenMapping(Mapping[str, Any]):
    """What a mapping held when it was copied; lists have become tuples.

    Unlike ``types.MappingProxyType`` it can be pickled and copied, and no one else holds the dict behind it.

    Examples
    --------
    >>> frozen = FrozenMapping({"n_d": 50.0, "limits": [1, 2]})
    >>> frozen
    {'n_d': 50.0, 'limits': (1, 2)}
    >>> frozen["n_d"] = 3.0
    Traceback (most recent call last):
    TypeError: 'FrozenMapping' object does not support item assignment
    """

    __slots__ = ("_items",)

    _items: dict[str, Any]

    def __init__(self, items: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_items", {key: _frozen(value) for key, value in items.items()})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"The mapping cannot be changed, so {name!r} cannot be set.")

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __reduce__(self) -> tuple[type[FrozenMapping], tuple[dict[str, Any]]]:
        return FrozenMapping, (dict(self._items),)


def _frozen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return FrozenMapping(value) if isinstance(value, dict) else value
