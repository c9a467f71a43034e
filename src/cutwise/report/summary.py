"""A scheme and its counts as one plain dict: all that the page shows and edits."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.counts import count_column
from cutwise.criteria import ExpectedDivergence
from cutwise.discretize.seen import group_rows, plain_labels
from cutwise.errors import TableError
from cutwise.persist.strict import write_json
from cutwise.report.bars import class_colours
from cutwise.report.editing import (
    NO_LIMITS,
    bins_as_table,
    category_rows,
    editing_gaps,
    has_editable_groups,
    histogram,
    limits_of,
    log_histogram,
    min_count,
)
from cutwise.report.markup import shortened
from cutwise.scheme import NominalAttribute, NumericAttribute
from cutwise.scheme.attribute import without_unknown_rows
from cutwise.scheme.text import setting_for
from cutwise.table import NominalColumn, NumericColumn, read_columns
from cutwise.validation import read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cutwise.counts import ColumnCounts, RowGroups
    from cutwise.scheme import Attribute, Scheme
    from cutwise.table.columns import Column
    from cutwise.validation import CheckedRows


def count_rows(
    discretizer: Any, X: Any, y: Any, sample_weight: Any = None, parts: Any = None
) -> list[ColumnCounts | None]:
    """Count every column by class, and by part where the fit had parts that can be told.

    Parameters
    ----------
    discretizer : fitted discretizer
    X, y, sample_weight, parts
        What was passed to its ``fit``.

    Returns
    -------
    list of ColumnCounts or None
        One for each attribute of the scheme, without its special values. Those of a nominal one have the places of
        its categories as values; None if its groups cannot be edited.

    Examples
    --------
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> [table] = count_rows(MRmDDiscretizer().fit(X, y), X, y)
    >>> table.class_counts.tolist()
    [[5, 0], [5, 0], [0, 5], [0, 5]]
    """
    scheme: Scheme = discretizer.scheme_
    rows = read_rows(discretizer, X, y, sample_weight)
    _check_same(len(scheme.attributes), rows.table.n_features, "columns")
    _check_same(scheme.classes, plain_labels(rows.classes), "classes")
    groups = _groups(discretizer, rows, parts)
    readers = read_columns(rows.table.data, rows.table.names)
    tables: list[ColumnCounts | None] = []
    for read, attribute in zip(readers, scheme.attributes, strict=True):
        is_shown = isinstance(attribute, NumericAttribute) or has_editable_groups(attribute, scheme)
        tables.append(_count(read(), attribute, groups) if is_shown else None)
    return tables


def _count(column: Column, attribute: Attribute, groups: RowGroups) -> ColumnCounts | None:
    """Count a column of the kind of its attribute, and check that its bins hold these rows."""
    if isinstance(attribute, NumericAttribute) and isinstance(column, NumericColumn):
        table, _ = count_column(column.values, groups).set_apart(np.array(attribute.special_values))
        ends = np.append(np.searchsorted(table.values, attribute.cuts, side="right"), table.n_values)
        _check_counts(attribute, table.by_class.by_bin(ends), table.unit)
        return table
    if isinstance(attribute, NominalAttribute) and isinstance(column, NominalColumn):
        codes = column.codes(attribute.categories)
        table = count_column(np.where(codes < 0, np.nan, codes), groups)
        bins = np.array(attribute.codes)[table.values.astype(np.int64)]
        _check_counts(attribute, table.by_class.regroup(bins, attribute.n_bins).to_dense(), table.unit)
        return table
    return None


def _groups(discretizer: Any, rows: CheckedRows, parts: Any) -> RowGroups:
    """Return the rows by class, and by part where the parts are given or can be dealt again."""
    validation = discretizer.scheme_.parameters.get("validation", "expected")
    random_state = getattr(discretizer, "random_state", None)
    if validation == "expected" or (parts is None and not isinstance(random_state, Integral)):
        return rows.groups()
    return group_rows(discretizer, rows, parts)


def _check_same(learned: object, given: object, what: str) -> None:
    if learned != given:
        raise TableError(
            f"The scheme was learned from other rows: its {what} are {learned!r}, those given are {given!r}. "
            "Pass the table and the classes that were passed to fit."
        )


def _check_counts(attribute: Attribute, units: NDArray[np.int64], unit: float) -> None:
    """Raise TableError if the bins of an attribute hold other rows than these, special values not looked at."""
    counts = units * unit
    learned: Sequence[Sequence[float]] = attribute.class_counts[: len(counts)]
    expected = np.array(learned, dtype=np.float64).reshape(counts.shape)
    if not np.allclose(counts, np.where(np.isnan(expected), counts, expected), rtol=1e-8, atol=0.0):
        raise TableError(
            f"Attribute {attribute.name!r} was learned from other rows: the rows given do not fall into its bins "
            "as the scheme says. Pass the table, classes and weights that were passed to fit."
        )


# A column gets this many gaps, fewer where a wide table would make the page too large.
MOST_GAPS, FEWEST_GAPS = 4000, 150
MOST_NUMBERS = 150_000


def summarize(scheme: Scheme, tables: Sequence[ColumnCounts | None] | None = None) -> dict[str, Any]:
    """Return what the page shows and edits, as dicts, lists, strings and numbers.

    Parameters
    ----------
    scheme : Scheme
    tables : sequence of ColumnCounts or None, optional
        The counts of each column, as `count_rows` gives them. Without them the editor knows
        only the bins, whose cuts it can remove and put back.

    Examples
    --------
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> summary = summarize(MRmDDiscretizer().fit(X, y).scheme_)
    >>> summary["attributes"][0]["gaps"]["cuts"]
    [2.5]
    """
    found = [None] * len(scheme.attributes) if tables is None else list(tables)
    written = scheme.to_dict()
    return {
        "head": write_json({**written, "attributes": []}).removesuffix("]}\n"),
        "criterion": scheme.criterion,
        "missing": scheme.missing,
        "classes": [shortened(label, 40) for label in scheme.classes],
        "event": scheme.event_place,
        "colours": class_colours(scheme.attributes[0]) if scheme.attributes else [],
        "order": _ranking(scheme),
        "psi": _psi(scheme, found),
        "attributes": [
            {"label": shortened(item["name"]), "json": write_json(item).removesuffix("\n"), **edited}
            for item, edited in zip(written["attributes"], _editable(scheme, found), strict=True)
        ],
    }


def ranked_attributes(scheme: Scheme) -> list[Attribute]:
    """Return the attributes by relevance, the highest first."""
    return [scheme.attributes[place] for place in _ranking(scheme)]


def _ranking(scheme: Scheme) -> list[int]:
    return sorted(range(len(scheme.attributes)), key=lambda place: -scheme.attributes[place].relevance)


def _gaps_of_a_column(scheme: Scheme, tables: Sequence[ColumnCounts | None]) -> int:
    """Return how many gaps a column may have, so that the page stays small."""
    pairs = zip(scheme.attributes, tables, strict=True)
    numeric = [table for attribute, table in pairs if table is not None and isinstance(attribute, NumericAttribute)]
    widths = [3 + len(scheme.classes) + table.missing_by_part.size for table in numeric]
    return min(max(MOST_NUMBERS // max(sum(widths), 1), FEWEST_GAPS), MOST_GAPS)


def _psi(scheme: Scheme, tables: Sequence[ColumnCounts | None]) -> dict[str, Any] | None:
    """Return how Psi is made, if the search maximised it."""
    if scheme.criterion != "Psi":
        return None
    validation = scheme.parameters.get("validation", "none")
    parts = next((table.missing_by_part.size for table in tables if table is not None), 0)
    judged = [1] if validation == "holdout" else list(range(parts))
    n_d = scheme.parameters.get("n_d")
    return {
        "n_d": n_d if isinstance(n_d, int | float) and n_d < float("inf") else None,
        "validation": validation,
        "judged": judged,
    }


def _editable(scheme: Scheme, tables: Sequence[ColumnCounts | None]) -> list[dict[str, Any]]:
    """Return for each attribute what its editor needs; nothing for nominal ones without counts."""
    most = _gaps_of_a_column(scheme, tables)
    return [
        _numeric(attribute, table, scheme, most)
        if isinstance(attribute, NumericAttribute)
        else _nominal(attribute, table, scheme)
        for attribute, table in zip(scheme.attributes, tables, strict=True)
    ]


def _nominal(attribute: Attribute, table: ColumnCounts | None, scheme: Scheme) -> dict[str, Any]:
    """Return the counts of each category, and the sizes that the expected divergence and the limits ask for."""
    if table is None or not isinstance(attribute, NominalAttribute):
        return {}
    # Limits hold for groups, not for categories that are a bin each.
    is_limited = setting_for(scheme, "nominal", attribute) == "group"
    limits = {
        "min_count": min_count(attribute, scheme, table) if is_limited else 0.0,
        "limits": limits_of(attribute, scheme, table) if is_limited else NO_LIMITS,
    }
    return {
        **_sizes(table.n_whole, scheme),
        **limits,
        "unit": table.unit,
        "categories": category_rows(table, attribute),
    }


def _sizes(n_whole: int, scheme: Scheme) -> dict[str, int]:
    """Return the sizes that the expected divergence asks for."""
    n_splits: Any = scheme.parameters.get("n_splits", 9)
    return {"n_whole": n_whole, "n_valid": ExpectedDivergence(n_splits).n_valid(n_whole)}


def _numeric(attribute: NumericAttribute, table: ColumnCounts | None, scheme: Scheme, most: int) -> dict[str, Any]:
    """Return gaps, histogram and the sizes that the expected divergence and the limits ask for."""
    parameters: Mapping[str, Any] = scheme.parameters
    if table is None or table.n_values == 0:
        attribute = without_unknown_rows(attribute)
        n_whole = max(1, round(sum(attribute.rows[: len(attribute.cuts) + 1])))
        known = {"unit": 1.0, "n_gaps": None, "gaps": bins_as_table(attribute), "bars": None, "log_bars": None}
    else:
        n_whole = table.n_whole
        gaps = editing_gaps(table, attribute, parameters.get("place", "midpoint"), most)
        bars = {"bars": histogram(table), "log_bars": log_histogram(table)}
        known = {"unit": table.unit, "n_gaps": table.n_values - 1, "gaps": gaps, **bars}
    limits = {"min_count": min_count(attribute, scheme, table), "limits": limits_of(attribute, scheme, table)}
    return {**_sizes(n_whole, scheme), **limits, **known}
