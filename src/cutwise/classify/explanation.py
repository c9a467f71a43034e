"""Why a row gets its class, attribute by attribute."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cutwise.scheme.text import html_table, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDEST = 40


@dataclass(frozen=True, kw_only=True)
class Contribution:
    """What one attribute adds to the log-odds.

    Parameters
    ----------
    name : str
        The name of the attribute.
    value : object
        The value in the row, as a text, number or boolean; None if it is missing.
    code : int
        The code of its bin; -1 if it is missing or was never seen.
    bin : str or None
        The text of its bin; for the code -1 "unseen" if there is a value, None if it is missing.
    weights : mapping of str to float
        The learned weights that the value has; empty without weights, or without a bin that has training rows.
    log_odds : float
        What the attribute adds; 0 for the code -1 and for a bin without training rows.
    """

    name: str
    value: Any
    code: int
    bin: str | None
    weights: Mapping[str, float]
    log_odds: float


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """The log-odds of one class against others, split by attribute.

    ``prior`` and the ``log_odds`` of all attributes add up to ``score``. Printed, it is a
    table with the attributes that matter most first.

    Parameters
    ----------
    target : label
        The class that is explained.
    against : tuple of labels
        The classes that it is compared with; with several of them every number is the mean
        over the comparisons with each.
    probability : float
        The probability of the target.
    score : float
        ``log(P(target) / P(against))``.
    prior : float
        The log-odds before any attribute is known.
    attributes : tuple of Contribution
        One for each column, in the order of the columns.

    Examples
    --------
    >>> from cutwise import MRmDRNBClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> found = MRmDRNBClassifier().fit(X, y).explain([3.2])
    >>> found.target, found.attributes[0].bin, round(found.score, 3)
    ('yes', '(2.5, inf)', 3.045)
    >>> found.score == found.prior + found.attributes[0].log_odds
    True
    """

    target: Any
    against: tuple[Any, ...]
    probability: float
    score: float
    prior: float
    attributes: tuple[Contribution, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as dicts, lists, texts and numbers."""
        return {
            "target": self.target,
            "against": list(self.against),
            "probability": self.probability,
            "score": self.score,
            "prior": self.prior,
            "attributes": [
                {
                    "name": item.name,
                    "value": item.value,
                    "code": item.code,
                    "bin": item.bin,
                    "weights": dict(item.weights),
                    "log_odds": item.log_odds,
                }
                for item in self.attributes
            ],
        }

    def __str__(self) -> str:
        """Return a table for people, the attributes that matter most first."""
        return "\n".join([self._title(), *_aligned(self._lines())])

    def _repr_html_(self) -> str:
        head, *lines = self._lines()
        return html_table(self._title(), head, lines, n_left=3)

    def _title(self) -> str:
        others = ", ".join(map(_cell, self.against))
        return f"{_cell(self.target)} against {others}: log-odds {self.score:+.3f}, probability {self.probability:.3f}"

    def _lines(self) -> list[list[str]]:
        """Return the cells of the table, the heads first."""
        weights = list(dict.fromkeys(name for item in self.attributes for name in item.weights))
        ordered = sorted(self.attributes, key=lambda item: -abs(item.log_odds))
        blanks = [""] * len(weights)
        return [
            ["attribute", "value", "bin", *map(_cell, weights), "log-odds"],
            ["(prior)", "", "", *blanks, _signed(self.prior)],
            *(_line(item, weights) for item in ordered),
            ["(sum)", "", "", *blanks, _signed(self.score)],
        ]


def _line(item: Contribution, weights: list[str]) -> list[str]:
    value = "missing" if item.value is None else _cell(_number_text(item.value))
    label = "-" if item.bin is None else _cell(item.bin)
    numbers = [f"{item.weights[name]:.3f}" if name in item.weights else "-" for name in weights]
    return [_cell(item.name), value, label, *numbers, _signed(item.log_odds)]


def _number_text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _signed(number: float) -> str:
    return f"{number + 0.0:+.3f}"


def _cell(text: object) -> str:
    """Return a visible text that is not too wide for a table."""
    raw = str(text)
    visible = shown(raw[: WIDEST + 1])
    return visible if len(visible) <= WIDEST else visible[: WIDEST - 1] + "…"


def _aligned(lines: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  " + "  ".join(c.ljust(w) if i < 3 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True)))
        for line in lines
    ]


def plain_value(value: Any) -> Any:
    """Return a value of a table as a text, number or boolean; None if it is missing."""
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return value if isinstance(value, str | bool | int) else str(value)
