"""A scheme and its counts as one plain dict: all that the page shows and edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.criteria import ExpectedDivergence
from cutwise.report.bars import class_colours
from cutwise.report.editing import bins_as_table, editing_gaps, histogram
from cutwise.report.limits import limits_of_scheme, min_count
from cutwise.report.text import shortened
from cutwise.scheme import NumericAttribute
from cutwise.scheme.by_hand import without_unknown_rows
from cutwise.scheme.json_format import write_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.counts import CountTable
    from cutwise.scheme import Attribute, Scheme

# A column gets this many gaps, fewer where a wide table would make the page too large.
MOST_GAPS, FEWEST_GAPS = 4000, 150
MOST_NUMBERS = 150_000


def summarize(scheme: Scheme, tables: Sequence[CountTable | None] | None = None) -> dict[str, Any]:
    """Return what the page shows and edits, as dicts, lists, texts and numbers.

    Parameters
    ----------
    scheme : Scheme
    tables : sequence of CountTable or None, optional
        The counts of each numeric column, as `count_rows` gives them. Without them the
        editor knows only the bins, whose cuts it can remove and put back.

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
        "colours": class_colours(scheme.attributes[0]) if scheme.attributes else [],
        "order": _ranking(scheme),
        "psi": _psi(scheme, found),
        "limits": limits_of_scheme(scheme),
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


def _gaps_of_a_column(scheme: Scheme, tables: Sequence[CountTable | None]) -> int:
    """Return how many gaps a column may have, so that the page stays small."""
    widths = [3 + len(scheme.classes) + table.missing_by_part.size for table in tables if table is not None]
    return min(max(MOST_NUMBERS // max(sum(widths), 1), FEWEST_GAPS), MOST_GAPS)


def _psi(scheme: Scheme, tables: Sequence[CountTable | None]) -> dict[str, Any] | None:
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


def _editable(scheme: Scheme, tables: Sequence[CountTable | None]) -> list[dict[str, Any]]:
    """Return for each attribute what its editor needs; nothing for nominal ones."""
    most = _gaps_of_a_column(scheme, tables)
    return [
        _numeric(attribute, table, scheme, most) if isinstance(attribute, NumericAttribute) else {}
        for attribute, table in zip(scheme.attributes, tables, strict=True)
    ]


def _numeric(attribute: NumericAttribute, table: CountTable | None, scheme: Scheme, most: int) -> dict[str, Any]:
    """Return gaps, histogram and the sizes that the expected divergence and the limits ask for."""
    parameters: Mapping[str, Any] = scheme.parameters
    if table is None or table.n_values == 0:
        attribute = without_unknown_rows(attribute)
        n_whole = max(1, round(sum(attribute.rows[: len(attribute.cuts) + 1])))
        known = {"unit": 1.0, "n_gaps": None, "gaps": bins_as_table(attribute), "bars": None}
    else:
        n_whole = table.n_whole
        gaps = editing_gaps(table, attribute, parameters.get("place", "midpoint"), most)
        known = {"unit": table.unit, "n_gaps": table.n_values - 1, "gaps": gaps, "bars": histogram(table)}
    n_valid = ExpectedDivergence(parameters.get("n_splits", 9)).n_valid(n_whole)
    return {"n_whole": n_whole, "n_valid": n_valid, "min_count": min_count(attribute, scheme, table), **known}
