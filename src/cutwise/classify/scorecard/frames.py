"""A scorecard as tables and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.classify.scorecard.selection import ALIKE, CONSTANT, KEPT, TURNED, UNSELECTED, WEAK
from cutwise.scheme import NumericAttribute
from cutwise.scheme.codes import label_list
from cutwise.scheme.figures import bin_figures
from cutwise.table.frames import choose_library, make_frame

if TYPE_CHECKING:
    from cutwise.classify.scorecard.on_codes import ScorecardOnCodes
    from cutwise.classify.scorecard.points import CardPoints
    from cutwise.scheme import Scheme

POINTS_COLUMNS = ("column", "bin", "rows", "share", "events", "rate", "woe", "coefficient", "points")


def points_frame(points: CardPoints, scheme: Scheme, library: str | None) -> Any:
    """Return the points of all bins as a table of a library."""
    chosen = choose_library(library)
    lines = points_lines(points, scheme)
    columns = {name: [line[place] for line in lines] for place, name in enumerate(POINTS_COLUMNS)}
    return make_frame(columns, ("column", "bin"), chosen)


def points_lines(points: CardPoints, scheme: Scheme) -> list[list[Any]]:
    """Return a line for each bin of the columns that are used, in the order of POINTS_COLUMNS.

    Each column has a line for missing values, one of categories also one for those that were never seen.
    """
    card = points.card
    ends = card.counts.offsets
    lines = []
    for j, of_code in zip(points.columns, points.points, strict=True):
        attribute = scheme.attributes[j]
        pairs = card.counts.of_cell[ends[j] : ends[j + 1], [card.event, 1 - card.event]].tolist()
        figures = bin_figures([*map(tuple, pairs), (0.0, 0.0)])
        coefficient = None if card.coefficients is None else float(card.coefficients[j])
        labels = label_list(attribute, "bin").tolist()
        n_lines = len(labels) - isinstance(attribute, NumericAttribute)
        for label, pair, found, own in zip(
            labels[:n_lines], [*pairs, [0.0, 0.0]], figures, of_code.tolist(), strict=False
        ):
            rate, woe = found.rate, found.woe
            lines.append([attribute.name, label, sum(pair), found.share, pair[0], rate, woe, coefficient, own])
    return lines


def why_dropped(classifier: ScorecardOnCodes, names: tuple[str, ...]) -> dict[str, str]:
    """Return why each column that is not used is not."""
    fates = classifier.card_.fates
    found = {}
    for name, word, figure, partner in zip(names, fates.words, fates.figures, fates.partners, strict=True):
        if word != KEPT:
            found[name] = _sentence(classifier, word, figure, names[partner])
    return found


def _sentence(classifier: ScorecardOnCodes, word: str, figure: float, partner: str) -> str:
    if word == CONSTANT:
        return "all rows are in one bin"
    if word == WEAK:
        return f"information value {figure:.4f}, below {classifier.min_iv:g}"
    if word == ALIKE:
        return f"correlation {figure:.3f} with {partner!r}, which says more"
    if word == UNSELECTED:
        return f"the log loss of rows that are left out would not fall ({figure:+.2g} a row)"
    if word == TURNED and classifier.model == "additive":
        return "beside the other columns its scores speak against its weights of evidence"
    return f"wrong sign: beside the other columns a coefficient would be {figure:.4g}"
