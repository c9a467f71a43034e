"""Why a row gets its class: from a fitted system and a row to an explanation, attribute by attribute."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise import kernels
from cutwise.errors import TableError
from cutwise.scheme import encode_columns, labels_of_codes
from cutwise.scheme.codes import UNSEEN_LABEL
from cutwise.scheme.text import html_table, shown
from cutwise.table import as_frame, is_frame
from cutwise.table.columns import is_no_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.classify.base import BaseSystem

WIDEST = 40


@dataclass(frozen=True, kw_only=True)
class Contribution:
    """What one attribute, or a pair of them, adds to the log-odds.

    The name, the value and the bin of a pair are those of its attributes with "&" between them; its code is -1.

    Parameters
    ----------
    name : str
        The name of the attribute.
    value : object
        The value in the row, as a string, number or boolean; None if it is missing.
    code : int
        The code of its bin; -1 if it is missing or was never seen.
    bin : str or None
        The label of its bin; for the code -1 "unseen" if there is a value, None if it is missing.
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
    members : mapping of str to float
        What each member of an average adds whose score is no sum over columns; empty for other classifiers.

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
    members: Mapping[str, float] = field(default_factory=dict)

    @property
    def unsplit_share(self) -> float:
        """The share of all movements, up and down, that comes from members whose score is no sum over columns."""
        unsplit = sum(map(abs, self.members.values()))
        split = sum(abs(item.log_odds) for item in self.attributes)
        return unsplit / (unsplit + split) if unsplit else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as dicts, lists, strings and numbers."""
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
            **({"members": dict(self.members)} if self.members else {}),
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
            *([f"({name})", "", "", *blanks, _signed(number)] for name, number in self.members.items()),
            ["(sum)", "", "", *blanks, _signed(self.score)],
        ]


def _line(item: Contribution, weights: list[str]) -> list[str]:
    value, label = _cell(value_text(item)), _cell(bin_text(item))
    numbers = [f"{item.weights[name]:.3f}" if name in item.weights else "-" for name in weights]
    return [_cell(item.name), value, label, *numbers, _signed(item.log_odds)]


def value_text(item: Contribution) -> str:
    """Return the value of an attribute for people."""
    if item.value is None:
        return "missing"
    return f"{item.value:.6g}" if isinstance(item.value, float) else str(item.value)


def bin_text(item: Contribution) -> str:
    """Return the bin of an attribute for people."""
    return "-" if item.bin is None else item.bin


def _signed(number: float) -> str:
    return f"{round(number, 3) + 0.0:+.3f}"


def _cell(text: object) -> str:
    """Return a visible string that is not too wide for a table."""
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
    """Return a value of a table as a string, number or boolean; None if it is missing."""
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return value if isinstance(value, str | bool | int) else str(value)


def explain_row(system: BaseSystem, row: Any, target: Any, against: Any) -> Explanation:
    """Return what each attribute of a row adds to the log-odds of a class."""
    classifier, scheme = system.classifier_, system.scheme_
    if not hasattr(classifier, "log_odds"):
        message = f"{type(classifier).__name__} does not say what each attribute adds, so no row can be explained."
        raise TypeError(message)
    values = read_row(row, scheme.names, named=hasattr(system, "feature_names_in_"))
    codes = encode_columns(scheme, values)
    log_proba = classifier.predict_log_proba(codes)[0]
    first, others = compared(system.classes_, log_proba, target, against)
    pairs = [classifier.log_odds(codes, first, other) for other in others]
    prior = float(np.mean([pair.prior[0] for pair in pairs]))
    terms = np.mean([pair.terms[0] for pair in pairs], axis=0)
    weights = classifier.weights_of(codes, (first, *others) if len(others) == 1 else (first,))
    labels = labels_of_codes(codes, scheme)[0]
    attributes = tuple(
        Contribution(
            name=name,
            value=plain_value(values[0, j]),
            code=int(codes[0, j]),
            bin=labels[j] if labels[j] is not None or is_no_value(values[0, j]) else UNSEEN_LABEL,
            weights={key: float(array[0, j]) for key, array in weights.items() if not np.isnan(array[0, j])},
            log_odds=float(terms[j]),
        )
        for j, name in enumerate(scheme.names)
    )
    attributes += pair_contributions(attributes, getattr(system, "pairs_", ()), terms[len(attributes) :])
    classes = system.classes_.tolist()
    return Explanation(
        target=classes[first],
        against=tuple(classes[other] for other in others),
        probability=float(kernels.elementary.exp(log_proba[first])),
        score=float(log_proba[first] - np.mean(log_proba[others])),
        prior=prior,
        attributes=attributes,
    )


def pair_contributions(
    attributes: tuple[Contribution, ...], pairs: Sequence[tuple[str, str]], terms: NDArray[np.float64]
) -> tuple[Contribution, ...]:
    """Return what pairs of attributes add together."""
    by_name = {item.name: item for item in attributes}
    found = []
    for (first, second), term in zip(pairs, terms.tolist(), strict=True):
        one, two = by_name[first], by_name[second]
        value, label = (" & ".join(texts) for texts in ((value_text(one), value_text(two)), map(bin_text, (one, two))))
        found.append(
            Contribution(name=f"{first} & {second}", value=value, code=-1, bin=label, weights={}, log_odds=term)
        )
    return tuple(found)


def compared(classes: NDArray[Any], log_proba: NDArray[np.float64], target: Any, against: Any) -> tuple[int, list[int]]:
    """Return the places of the class to explain and of those to compare it with."""
    if classes.size < 2:
        message = f"There is only one class, {classes[0]!r}, so there is nothing to compare it with."
        raise ValueError(message)
    first = int(log_proba.argmax()) if target is None else class_place(classes, target, "target")
    others = [place for place in range(classes.size) if place != first]
    if against is None:
        return first, [max(others, key=lambda place: log_proba[place])]
    if isinstance(against, str) and against == "mean" and "mean" not in classes.tolist():
        return first, others
    second = class_place(classes, against, "against")
    if second == first:
        message = f"The class {against!r} cannot be compared with itself."
        raise ValueError(message)
    return first, [second]


def class_place(classes: NDArray[Any], label: Any, name: str) -> int:
    """Return the place of the class that an argument of this name asks for."""
    labels = classes.tolist()
    if label not in labels:
        message = f"'{name}' is {label!r}, but the classes are {', '.join(map(repr, labels))}."
        raise ValueError(message)
    return int(labels.index(label))


def read_row(row: Any, names: Sequence[str], *, named: bool) -> NDArray[np.object_]:
    """Return the values of a row in the order of the columns, as an array of one row.

    Parameters
    ----------
    row : mapping, series, table of one row or sequence
        With the names of columns, values may come in any order, and those that are not there
        are missing. Without, there is one for each column, in their order.
    names : sequence of str
        The names of the columns.
    named : bool
        Whether the classifier was fitted with these names, or made them up.
    """
    if is_frame(row):
        frame = as_frame(row)
        _check_single(len(frame))
        pairs = list(zip(frame.columns, frame.rows()[0], strict=True))
        if not named:
            return _by_place([value for _, value in pairs], names)
    elif hasattr(row, "keys") and hasattr(row, "items"):
        pairs = list(row.items())
    else:
        return _by_place(row, names)
    if not named and not any(isinstance(name, str) for name, _ in pairs):
        return _by_place([value for _, value in pairs], names)
    return _by_name(pairs, names)


def _by_name(pairs: list[tuple[Any, Any]], names: Sequence[str]) -> NDArray[np.object_]:
    values = dict(pairs)
    if len(values) < len(pairs):
        message = "The row has a column name twice. Rename one of them."
        raise TableError(message)
    known = set(names)
    unknown = [name for name in values if name not in known]
    if unknown:
        message = f"The row has a value for {unknown[0]!r}, but the columns are {', '.join(map(repr, names))}."
        raise TableError(message)
    return _array([values.get(name) for name in names])


def _by_place(row: Any, names: Sequence[str]) -> NDArray[np.object_]:
    if isinstance(row, str | bytes) or not hasattr(row, "__len__"):
        message = f"A row is a mapping, a series, a table of one row or a sequence, not {type(row).__name__}."
        raise TypeError(message)
    values = list(row)
    if getattr(row, "ndim", 1) == 2 or (len(values) == 1 and isinstance(values[0], list | tuple | np.ndarray)):
        _check_single(len(values))
        values = list(values[0])
    if len(values) != len(names):
        message = f"The row has {len(values)} values, but there are {len(names)} columns."
        raise ValueError(message)
    return _array(values)


def _check_single(n_rows: int) -> None:
    if n_rows != 1:
        message = f"Only one row can be explained at a time; the table has {n_rows}."
        raise ValueError(message)


def _array(values: list[Any]) -> NDArray[np.object_]:
    array = np.empty((1, len(values)), dtype=object)
    for j, value in enumerate(values):
        array[0, j] = value
    return array
