"""A scheme on a new sample: its rows by bin and class, compared with those of training."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts import ALL_ROWS
from cutwise.criteria import jensen_shannon
from cutwise.criteria.score import weight_of_evidence
from cutwise.errors import SchemeError, TableError
from cutwise.scheme import measures as words
from cutwise.scheme.attribute import NominalAttribute, with_scores_of_counts
from cutwise.scheme.codes import codes_of_column, numbers_of_codes
from cutwise.scheme.evaluation import AttributeEvaluation, BinEvaluation, Evaluation
from cutwise.scheme.figures import NUMBERS, code_numbers, event_pairs
from cutwise.scheme.measures import (
    chi_square_test,
    class_change,
    divergence_by_chance,
    is_noticeable,
    rate_change,
    stability_index,
)
from cutwise.scheme.periods import read_periods
from cutwise.table import NominalColumn, as_frame, is_frame, plain_vector, read_column
from cutwise.validation import check_weights, meant_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.measures import RateChange
    from cutwise.scheme.scheme import Scheme
    from cutwise.table.columns import Column

    Array = NDArray[np.float64]

MOST_EXAMPLES = 5


@dataclass(frozen=True, eq=False)
class RecountedAttribute:
    """One attribute of the new sample.

    Parameters
    ----------
    counts : ndarray of shape (n_bins + 2, n_classes)
        The weight of the rows by bin and class; the last two are missing values and unseen
        categories. Without classes there is one column.
    unseen : tuple of str
        The commonest unseen categories.
    """

    counts: NDArray[np.float64]
    unseen: tuple[str, ...]


def encoded_rows(scheme: Scheme, X: Any, encode: str) -> NDArray[Any]:
    """Return the codes of rows, or their numbers; see `Scheme.transform`."""
    if encode == "ordinal":
        return codes_of_rows(scheme, X, scheme.missing)
    if encode not in NUMBERS:
        raise SchemeError(f"'encode' must be 'ordinal', 'woe' or 'rate', not {encode!r}.")
    numbers = code_numbers(scheme, encode)
    return numbers_of_codes(codes_of_rows(scheme, X, "bin"), numbers)


def codes_of_rows(scheme: Scheme, X: Any, missing: str) -> NDArray[np.int32]:
    """Return the codes of rows."""
    sources, n_rows = _sources(scheme, X)
    codes = np.empty((n_rows, len(sources)), dtype=np.int32, order="F")
    for j, (attribute, source) in enumerate(zip(scheme.attributes, sources, strict=True)):
        codes_of_column(attribute, read_column(source, attribute.name, attribute.kind), missing, out=codes[:, j])
    return codes


def count_sample(
    scheme: Scheme, X: Any, y: Any, sample_weight: Any, by: Any = None
) -> tuple[list[str], Iterator[RecountedAttribute]]:
    """Count each attribute of a scheme in a new sample; with `by`, the classes of each period side by side.

    Returns
    -------
    periods : list of str
        Their names; one without a name if there is no `by`.
    counted : iterator of RecountedAttribute
    """
    sources, n_rows = _sources(scheme, X)
    if n_rows == 0:
        raise TableError("The table has 0 rows, so there is nothing to compare. Give at least one row.")
    weights = check_weights(sample_weight, n_rows)
    if weights is not None:
        weights = meant_weights(weights, str(scheme.parameters.get("weights", "count")))
    classes, n_classes = np.zeros(n_rows, dtype=np.int64), 1
    if y is not None:
        classes, n_classes = class_places(scheme, y, n_rows), len(scheme.classes)
    periods = [""]
    if by is not None:
        periods, places = read_periods(X, by, n_rows, scheme.names)
        classes, n_classes = places * n_classes + classes, len(periods) * n_classes
    pairs = zip(scheme.attributes, sources, strict=True)
    return periods, (
        _count(attribute, read_column(source, attribute.name, attribute.kind), classes, n_classes, weights)
        for attribute, source in pairs
    )


def _count(
    attribute: Attribute,
    column: Column,
    classes: NDArray[np.int64],
    n_classes: int,
    weights: NDArray[np.float64] | None,
) -> RecountedAttribute:
    codes = np.empty(classes.size, dtype=np.int32)
    codes_of_column(attribute, column, "bin", out=codes)
    unseen: tuple[str, ...] = ()
    if isinstance(attribute, NominalAttribute) and isinstance(column, NominalColumn):
        apart = np.flatnonzero(codes < 0)
        codes[apart] = attribute.n_bins + 1
        commonest = Counter(str(column.items[row]) for row in apart.tolist()).most_common(MOST_EXAMPLES)
        unseen = tuple(label for label, _ in commonest)
    size = (attribute.n_bins + 2) * n_classes
    counts = np.bincount(codes * np.int64(n_classes) + classes, weights=weights, minlength=size)
    return RecountedAttribute(counts.reshape(-1, n_classes).astype(np.float64), unseen)


def _sources(scheme: Scheme, X: Any) -> tuple[list[Any], int]:
    """Return what holds each column of the scheme, and the number of rows."""
    if is_frame(X):
        frame = as_frame(X)
        names = list(frame.columns)
        if set(scheme.names) <= set(names):
            return [frame[name] for name in scheme.names], len(frame)
        if _has_no_names(scheme) and len(names) == len(scheme.names):
            return [frame[:, j] for j in range(len(names))], len(frame)
        lacking = [name for name in scheme.names if name not in set(names)]
        raise TableError(
            f"The table lacks the column {lacking[0]!r} of the scheme ({len(lacking)} of {len(scheme.names)} are "
            f"lacking); it has {', '.join(map(repr, names[:20]))}."
        )
    array = _array(X)
    if array.ndim != 2 or array.shape[1] != len(scheme.names):
        raise TableError(
            f"Expected a table, or an array with the {len(scheme.names)} columns of the scheme in its order, "
            f"got the shape {array.shape}."
        )
    return list(array.T), array.shape[0]


def _has_no_names(scheme: Scheme) -> bool:
    return scheme.names == tuple(f"x{j}" for j in range(len(scheme.names)))


def _array(X: Any) -> NDArray[Any]:
    if isinstance(X, np.ma.MaskedArray):
        array = np.array(X.data, dtype=object)
        array[np.ma.getmaskarray(X)] = None
        return array
    if isinstance(X, np.ndarray):
        return X
    return np.array(X, dtype=object)


def class_places(scheme: Scheme, y: Any, n_rows: int) -> NDArray[np.int64]:
    """Return the place of each row's class among those of the scheme."""
    vector: Any = plain_vector(y)
    labels = vector.ravel().tolist() if isinstance(vector, np.ndarray) else list(vector)
    if len(labels) != n_rows:
        raise TableError(f"The target y has {len(labels)} entries for {n_rows} rows; give one for each row.")
    places = {label: place for place, label in enumerate(scheme.classes)}
    found = np.fromiter((places.get(label, -1) for label in labels), dtype=np.int64, count=n_rows)
    wrong = np.flatnonzero(found < 0)
    if wrong.size:
        known = ", ".join(map(repr, scheme.classes[:20]))
        raise TableError(
            f"The target y has {wrong.size} labels that are no class of the scheme, first {labels[wrong[0]]!r} in row "
            f"{wrong[0]}; its classes are {known}. Remove those rows, or leave y out."
        )
    return found


def recounted(scheme: Scheme, X: Any, y: Any, sample_weight: Any) -> Scheme:
    """Return the scheme with the counts of these rows; see `Scheme.recount`."""
    if y is None and scheme.classes != (ALL_ROWS,):
        raise SchemeError(
            f"The scheme counts rows by class ({', '.join(map(repr, scheme.classes[:5]))}). "
            "Give the classes of the rows: recount(X, y)."
        )
    if scheme.classes == (ALL_ROWS,):
        y = None
    _, counted = count_sample(scheme, X, y, sample_weight)
    pairs = zip(scheme.attributes, counted, strict=True)
    return replace(scheme, attributes=tuple(_recounted(*pair, scheme.criterion) for pair in pairs))


def _recounted(attribute: Attribute, counted: RecountedAttribute, criterion: str) -> Attribute:
    *bins, missing, unseen = counted.counts.tolist()
    counts = tuple(map(_whole, bins))
    without_value = _whole([sum(pair) for pair in zip(missing, unseen, strict=True)])
    if (counts, without_value) == (attribute.class_counts, attribute.missing_by_class):
        return attribute
    return with_scores_of_counts(replace(attribute, class_counts=counts, missing_by_class=without_value), criterion)


def _whole(counts: Iterable[float]) -> tuple[float, ...]:
    """Return counts without weights as whole numbers."""
    return tuple(int(count) if count.is_integer() else count for count in counts)


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
    counted = list(count_sample(scheme, X, y, sample_weight)[1])
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


def training_counts(attribute: Attribute) -> Array:
    """Return the training rows by bin and class, then missing values and unseen categories; 0 if they are not known."""
    none = [0.0] * len(attribute.missing_by_class)
    counts = np.array([*attribute.class_counts, attribute.missing_by_class, none], dtype=np.float64)
    return counts if attribute.is_counted else np.zeros_like(counts)


def _evaluated(
    attribute: Attribute, counted: RecountedAttribute, scheme: Scheme, level: float, *, has_classes: bool
) -> AttributeEvaluation:
    training = training_counts(attribute)
    # Missing values and unseen categories have a row only if there are any.
    new = counted.counts
    kept = np.ones(len(new), dtype=bool)
    kept[-2:] = (training.sum(axis=1) + new.sum(axis=1))[-2:] > 0
    labels = [
        label for label, keep in zip((*attribute.labels, "missing", "unseen categories"), kept, strict=True) if keep
    ]
    training, new = training[kept], new[kept]
    bins = _bins(labels, training, new, scheme.event_place, has_classes=has_classes)
    common: dict[str, Any] = {
        "name": attribute.name,
        "kind": attribute.kind,
        "classes": scheme.classes,
        "event": scheme.event,
        "bins": bins,
        "unseen": counted.unseen,
    }
    return AttributeEvaluation(**common, **measured(training, new, level, has_classes=has_classes))


def measured(training: Array, new: Array, level: float, *, has_classes: bool) -> dict[str, Any]:
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


def _bins(
    labels: Sequence[str], training: Array, new: Array, event: int | None, *, has_classes: bool
) -> tuple[BinEvaluation, ...]:
    n, m = float(training.sum()), float(new.sum())
    old_weights = _evidence(training, event)
    new_weights = _evidence(new, event) if has_classes else [None] * len(new)
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


def _evidence(counts: Array, event: int | None) -> list[float | None]:
    """Return the weight of evidence of each bin with rows, if there is an event."""
    if event is None:
        return [None] * len(counts)
    weights = weight_of_evidence(event_pairs(counts.tolist(), event)).weights
    return [weight if rows else None for weight, rows in zip(weights, counts.sum(axis=1), strict=True)]
