"""From a fitted system and a row to an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise import kernels
from cutwise.encode import encode_columns, labels_of_codes
from cutwise.encode.forms import UNSEEN
from cutwise.systems.explanation import Contribution, Explanation, plain_value
from cutwise.systems.one_row import read_row
from cutwise.table.columns import is_no_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cutwise.systems.base import BaseSystem


def explain_row(system: BaseSystem, row: Any, target: Any, against: Any) -> Explanation:
    """Return what each attribute of a row adds to the log-odds of a class."""
    classifier, scheme = system.classifier_, system.scheme_
    if not hasattr(classifier, "log_odds"):
        message = f"{type(classifier).__name__} does not say what each attribute adds, so no row can be explained."
        raise TypeError(message)
    values = read_row(row, scheme.names, named=hasattr(system, "feature_names_in_"))
    codes = encode_columns(scheme, values)
    log_proba = classifier.predict_log_proba(codes)[0]
    first, others = _compared(system.classes_, log_proba, target, against)
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
            bin=labels[j] if labels[j] is not None or is_no_value(values[0, j]) else UNSEEN,
            weights={key: float(array[0, j]) for key, array in weights.items() if not np.isnan(array[0, j])},
            log_odds=float(terms[j]),
        )
        for j, name in enumerate(scheme.names)
    )
    classes = system.classes_.tolist()
    return Explanation(
        target=classes[first],
        against=tuple(classes[other] for other in others),
        probability=float(kernels.elementary.exp(log_proba[first])),
        score=float(log_proba[first] - np.mean(log_proba[others])),
        prior=prior,
        attributes=attributes,
    )


def _compared(
    classes: NDArray[Any], log_proba: NDArray[np.float64], target: Any, against: Any
) -> tuple[int, list[int]]:
    """Return the places of the class to explain and of those to compare it with."""
    if classes.size < 2:
        message = f"There is only one class, {classes[0]!r}, so there is nothing to compare it with."
        raise ValueError(message)
    first = int(log_proba.argmax()) if target is None else _place(classes, target, "target")
    others = [place for place in range(classes.size) if place != first]
    if against is None:
        return first, [max(others, key=lambda place: log_proba[place])]
    if isinstance(against, str) and against == "mean" and "mean" not in classes.tolist():
        return first, others
    second = _place(classes, against, "against")
    if second == first:
        message = f"The class {against!r} cannot be compared with itself."
        raise ValueError(message)
    return first, [second]


def _place(classes: NDArray[Any], label: Any, name: str) -> int:
    labels = classes.tolist()
    if label not in labels:
        message = f"'{name}' is {label!r}, but the classes are {', '.join(map(repr, labels))}."
        raise ValueError(message)
    return int(labels.index(label))
