"""Shapes as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.errors import SchemeError
from cutwise.scheme.codes import label_list
from cutwise.table.frames import did_you_mean

if TYPE_CHECKING:
    from cutwise.classify.additive.additive import AdditiveClassifier


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
