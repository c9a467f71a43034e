"""Words that stand for no value, and words for yes and no."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.categories import NO_VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

_EVERYWHERE = frozenset(
    {
        "n/a",
        "#n/a",
        "n.a.",
        "nan",
        "<na>",
        "null",
        "#null!",
        "#div/0!",
        "#value!",
        "-",
        "--",
        "\N{EN DASH}",
        "\N{EM DASH}",
        "?",
        "",
    }
)
# Among categories these may be one.
_AMONG_NUMBERS = _EVERYWHERE | {"na", "none", "nil", "missing", "unknown", "not available", ".", ".."}
_YES, _NO = 1, 0
_PAIRS = (
    {"true": _YES, "t": _YES, "false": _NO, "f": _NO},
    {"yes": _YES, "y": _YES, "no": _NO, "n": _NO},
    {"on": _YES, "off": _NO},
    {"ja": _YES, "j": _YES, "nein": _NO, "n": _NO},
)


def is_no_word(text: str, *, among_categories: bool) -> bool:
    """Tell whether a string stands for no value; of categories, fewer do.

    Examples
    --------
    >>> is_no_word("N/A", among_categories=True), is_no_word("none", among_categories=True)
    (True, False)
    """
    plain = text.strip()
    return plain in NO_VALUE or plain.lower() in (_EVERYWHERE if among_categories else _AMONG_NUMBERS)


def find_booleans(counts: Mapping[str, int]) -> tuple[str, str] | None:
    """Return the commonest spellings of yes and of no if a column holds nothing else, None otherwise.

    Examples
    --------
    >>> find_booleans({"Yes": 5, "YES": 1, "n": 2}), find_booleans({"Y": 5, "X": 1})
    (('Yes', 'n'), None)
    """
    for pair in _PAIRS:
        sides: dict[int, list[tuple[int, str]]] = {_YES: [], _NO: []}
        for text, count in counts.items():
            side = pair.get(text.lower())
            if side is None:
                break
            sides[side].append((-count, text))
        else:
            if sides[_YES] and sides[_NO]:
                return min(sides[_YES])[1], min(sides[_NO])[1]
    return None


def boolean_words(labels: tuple[str, str]) -> dict[str, str] | None:
    """Return the label of each word, in lower case, that says yes or no; None if the labels are no such words.

    Examples
    --------
    >>> boolean_words(("Yes", "No"))
    {'yes': 'Yes', 'y': 'Yes', 'no': 'No', 'n': 'No'}
    """
    for pair in _PAIRS:
        if pair.get(labels[0].lower()) == _YES and pair.get(labels[1].lower()) == _NO:
            return {word: labels[0] if side == _YES else labels[1] for word, side in pair.items()}
    return None
