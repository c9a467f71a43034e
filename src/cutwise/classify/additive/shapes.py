"""Shapes as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import SchemeError
from cutwise.scheme import NumericAttribute
from cutwise.scheme.attribute import interval_label
from cutwise.scheme.codes import MISSING_LABEL, label_list
from cutwise.table.frames import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.additive.additive import AdditiveClassifier
    from cutwise.scheme import Attribute


def shape_rows(model: AdditiveClassifier, name: str) -> dict[str, list[Any]]:
    """Return the bins of a column with their training rows, scores and standard errors, as columns of a table."""
    names = list(model.scheme_.names)
    if name not in names:
        message = f"There is no column {name!r}.{did_you_mean(name, names)}"
        raise SchemeError(message)
    j = names.index(name)
    learned = model.classifier_
    tables = learned.tables_
    own = slice(tables.offsets[j], tables.offsets[j + 1])
    size = own.stop - own.start
    labels = label_list(model.scheme_.attributes[j], model.scheme_.missing)[:size].tolist()
    scores = tables.log_likelihood[own]
    return {
        "bin": labels if len(labels) == size else ["-"] * size,
        "rows": tables.counts.of_cell[own].sum(axis=1).tolist(),
        **{f"score of {label}": scores[:, c].tolist() for c, label in enumerate(model.classes_.tolist())},
        "standard error": learned.errors_[own].tolist(),
    }


def pair_rows(model: AdditiveClassifier, pair: Sequence[str]) -> dict[str, list[Any]]:
    """Return the cells of a pair with their training rows, scores and standard errors, as columns of a table."""
    place = pair_place(model, pair)
    learned = model.classifier_
    columns, groups, scores = learned.grids_.described(place)
    first, second = (model.scheme_.attributes[j] for j in columns)
    labels = [group_labels(one, own) for one, own in zip((first, second), groups, strict=True)]
    cells = slice(*learned.grids_.firsts[place : place + 2])
    return {
        f"bin of {first.name}": [one for one in labels[0] for _ in labels[1]],
        f"bin of {second.name}": labels[1] * len(labels[0]),
        "rows": learned.pair_rows_[cells].tolist(),
        **{f"score of {label}": scores[..., c].ravel().tolist() for c, label in enumerate(model.classes_.tolist())},
        "standard error": learned.grids_.learned.errors[cells].tolist(),
    }


def pair_place(model: AdditiveClassifier, pair: Sequence[str]) -> int:
    """Return the place of a pair, whichever of its columns is named first."""
    wanted = set(pair)
    for place, names in enumerate(model.pairs_):
        if set(names) == wanted:
            return place
    there = f"Its pairs: {', '.join(map(str, model.pairs_))}." if model.pairs_ else "It has no pairs."
    message = f"The model has no scores of the pair {tuple(pair)}. {there}"
    raise SchemeError(message)


def group_labels(attribute: Attribute, groups: NDArray[np.int64], cuts: Sequence[float] | None = None) -> list[str]:
    """Return a text for each group of bins in the grid of a pair: one interval, or the names of its bins.

    Parameters
    ----------
    attribute : Attribute
    groups : ndarray of int
        The group of each bin, from 1 on; 0 for none.
    cuts : sequence of float, optional
        Those of a numeric attribute as they are to be shown; by default as they are.
    """
    names = [*attribute.labels, MISSING_LABEL]
    own = attribute.cuts if isinstance(attribute, NumericAttribute) else ()
    ends = [-np.inf, *(own if cuts is None else cuts), np.inf]
    labels = []
    for group in range(1, int(groups.max(initial=0)) + 1):
        bins = np.flatnonzero(groups == group)
        if isinstance(attribute, NumericAttribute) and bins[-1] <= len(own):
            labels.append(interval_label(ends[bins[0]], ends[bins[-1] + 1]))
        else:
            labels.append(", ".join(names[place] for place in bins))
    return labels
