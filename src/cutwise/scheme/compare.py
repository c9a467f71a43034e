"""A scheme on a new sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.criteria import jensen_shannon
from cutwise.criteria.score import weight_of_evidence
from cutwise.scheme import measures as words
from cutwise.scheme.evaluation import AttributeEvaluation, BinEvaluation, Evaluation
from cutwise.scheme.measures import (
    chi_square_test,
    class_change,
    divergence_by_chance,
    is_noticeable,
    rate_change,
    stability_index,
)
from cutwise.scheme.new_rows import count_sample

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.measures import RateChange
    from cutwise.scheme.new_rows import RecountedAttribute
    from cutwise.scheme.scheme import Scheme

    Array = NDArray[np.float64]


def evaluate(scheme: Scheme, X: Any, y: Any = None, sample_weight: Any = None) -> Evaluation:
    """Compare the bins of a scheme in training with those of a new sample.

    Parameters
    ----------
    scheme : Scheme
    X : table or array-like of shape (n_samples, n_features)
        The new rows. The columns of a table are found by name, and it may have others; those of
        an array are taken in order.
    y : array-like of shape (n_samples,), optional
        Their classes. Without them only the rows by bin are compared.
    sample_weight : array-like of shape (n_samples,), optional
        How often each row counts, or relative weights if those of training were.

    Returns
    -------
    Evaluation
        Print it, or look at ``evaluation[name]``. The rules of its verdicts are in the user guide.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise import EqualFrequencyDiscretizer
    >>> x = np.random.default_rng(0).normal(size=(4000, 1))
    >>> scheme = EqualFrequencyDiscretizer(4).fit(x[:2000]).scheme_
    >>> evaluate(scheme, x[2000:]).verdict
    'The bins hold on the new rows.'
    >>> evaluate(scheme, x[2000:] + 1.0).verdict
    'Shifted: 1 of 1 attributes (x0).'
    """
    has_classes = y is not None
    level = words.LEVEL / max(len(scheme.attributes) * (1 + has_classes), 1)
    counted = list(count_sample(scheme, X, y, sample_weight))
    attributes = tuple(
        _evaluated(attribute, new, scheme, level, has_classes=has_classes)
        for attribute, new in zip(scheme.attributes, counted, strict=True)
    )
    totals = [sum(a.rows) + sum(a.missing_by_class) for a in scheme.attributes if a.is_counted]
    return Evaluation(
        method=scheme.method,
        training_rows=max(totals, default=0),
        new_rows=float(counted[0].counts.sum()) if counted else 0.0,
        attributes=attributes,
    )


def _evaluated(
    attribute: Attribute, counted: RecountedAttribute, scheme: Scheme, level: float, *, has_classes: bool
) -> AttributeEvaluation:
    training = np.array([*attribute.class_counts, attribute.missing_by_class, [0.0] * len(scheme.classes)])
    if not attribute.is_counted:
        training[:] = 0.0
    # Missing values and unseen categories have a row only if there are any.
    new = counted.counts
    kept = np.ones(len(new), dtype=bool)
    kept[-2:] = (training.sum(axis=1) + new.sum(axis=1))[-2:] > 0
    labels = [
        label for label, keep in zip((*attribute.labels, "missing", "unseen categories"), kept, strict=True) if keep
    ]
    training, new = training[kept], new[kept]
    bins = _bins(labels, training, new, has_classes=has_classes)
    common: dict[str, Any] = {
        "name": attribute.name,
        "kind": attribute.kind,
        "classes": scheme.classes,
        "bins": bins,
        "unseen": counted.unseen,
    }
    return AttributeEvaluation(**common, **_measured(training, new, level, has_classes=has_classes))


def _measured(training: Array, new: Array, level: float, *, has_classes: bool) -> dict[str, Any]:
    """Return the measures of an attribute and its verdict."""
    before, after = training.sum(axis=1), new.sum(axis=1)
    names = ("index", "divergence", "divergence_by_chance", "p_value", "class_change", "class_p_value")
    if not before.any():
        return {**dict.fromkeys(names), "verdict": words.NOTHING_TO_COMPARE}
    some = before + after > 0
    before, after = before[some], after[some]
    shift = (
        stability_index(before, after),
        jensen_shannon(before, after),
        divergence_by_chance(before, after),
        chi_square_test([np.array([before, after])]),
    )
    change = p_value = found = None
    if has_classes:
        change = class_change(training, new)
        p_value = chi_square_test([np.array(pair) for pair in zip(training, new, strict=True)])
        found = words.class_verdict(change, p_value, level)
    enough = is_noticeable(words.LARGE_INDEX, before, after, level)
    verdict = words.joined_verdict(words.shift_verdict(*shift, level, enough=enough), found)
    return {**dict(zip(names, (*shift, change, p_value), strict=True)), "verdict": verdict}


def _bins(labels: Sequence[str], training: Array, new: Array, *, has_classes: bool) -> tuple[BinEvaluation, ...]:
    n, m = float(training.sum()), float(new.sum())
    old_weights = _evidence(training)
    new_weights = _evidence(new) if has_classes else [None] * len(new)
    bins = []
    for i, label in enumerate(labels):
        before, after = training[i].tolist(), new[i].tolist()
        bins.append(
            BinEvaluation(
                label=label,
                training_rows=sum(before),
                new_rows=sum(after),
                training_share=sum(before) / n if n else None,
                new_share=sum(after) / m,
                training_counts=tuple(before),
                new_counts=tuple(after) if has_classes else (),
                changes=_changes(before, after) if has_classes else (),
                training_evidence=old_weights[i],
                new_evidence=new_weights[i],
            )
        )
    return tuple(bins)


def _changes(before: list[float], after: list[float]) -> tuple[RateChange | None, ...]:
    n, m = sum(before), sum(after)
    if not n or not m:
        return (None,) * len(before)
    return tuple(rate_change(old, n, new, m) for old, new in zip(before, after, strict=True))


def _evidence(counts: Array) -> list[float | None]:
    """Return the weight of evidence of each bin with rows, if there are two classes."""
    if counts.shape[1] != 2:
        return [None] * len(counts)
    weights = weight_of_evidence(counts.tolist()).weights
    return [weight if rows else None for weight, rows in zip(weights, counts.sum(axis=1), strict=True)]
