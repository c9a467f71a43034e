"""How the bins do on new rows: an evaluation as a section, and as a table for each attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.errors import SchemeError
from cutwise.report.markup import Markup, data_text, joined, share_cell, table, tag
from cutwise.scheme import measures as words
from cutwise.scheme.evaluation_text import bin_cells, overview_cells
from cutwise.scheme.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cutwise.scheme import AttributeEvaluation, BinEvaluation, Evaluation, Scheme

MOST_BINS = 200
# Columns of a table of bins before those of the class rates.
N_SHARES = 5
# From the worst to the best, with the colours of the marks beside the words.
_COLOURS = {
    words.SHIFTED: "6",
    words.CLASSES_CHANGED: "6",
    words.A_LITTLE: "2",
    words.TOO_FEW: "other",
    words.NOTHING_TO_COMPARE: "other",
    words.STABLE: "3",
}
_PLACES = {word: place for place, word in enumerate(_COLOURS)}
_MEANINGS = (
    ("PSI", "Population stability index: how far the rows moved between the bins. From 0.25 on it is large."),
    ("J", "The Jensen-Shannon divergence of the same rows in bits; beside it what chance alone gives."),
    ("p", "How likely chance makes such a difference."),
)
_CLASS_MEANING = ("Class change", "By how much the class rates within the bins changed. From 0.1 on it is large.")


def check_evaluation(evaluation: Evaluation, scheme: Scheme) -> None:
    """Raise SchemeError unless an evaluation tells of the bins of a scheme."""
    names = tuple(attribute.name for attribute in evaluation.attributes)
    if names != scheme.names:
        message = f"The evaluation is of another scheme: its attributes are {names!r}, not {scheme.names!r}."
        raise SchemeError(message)
    for attribute, known in zip(evaluation.attributes, scheme.attributes, strict=True):
        labels = tuple(one.label for one in attribute.bins)[: known.n_bins]
        if labels != tuple(known.labels):
            message = (
                f"The evaluation is of other bins: attribute {known.name!r} has {labels!r} there and {known.labels!r} "
                "in the scheme. Evaluate this scheme again."
            )
            raise SchemeError(message)


def new_rows_section(evaluation: Evaluation, ranks: Mapping[str, int]) -> Markup:
    """Return the verdict on all attributes and their measures, the most changed first.

    Parameters
    ----------
    evaluation : Evaluation
    ranks : mapping of str to int
        The place of each attribute on the page.
    """
    head, lines = overview_cells(evaluation)
    pairs = sorted(zip(evaluation.attributes, lines, strict=True), key=lambda pair: _severity(pair[0]))
    rows = [
        [tag("a", data_text(one.name), href=f"#attribute-{ranks[one.name]}"), *line[1:-1], verdict_cell(one)]
        for one, line in pairs
    ]
    sizes = f"{counted(evaluation.training_rows, 'training row')}, {counted(evaluation.new_rows, 'new row')}. "
    meanings = [*_MEANINGS, *([_CLASS_MEANING] if "class change" in head else [])]
    return tag(
        "section",
        tag("h2", "Do the bins hold on new rows?", id="new-rows"),
        tag("p", tag("strong", data_text(evaluation.verdict, 2000)), class_="verdict"),
        tag(
            "p",
            sizes,
            "A change counts if it is large and beyond chance. Edits do not change this section.",
            class_="note",
        ),
        table("All attributes, the most changed first", [*map(_capital, head)], rows, "check verdicts"),
        tag("dl", *(part for name, text in meanings for part in (tag("dt", name), tag("dd", text)))),
        class_="words",
    )


def _severity(one: AttributeEvaluation) -> tuple[int, float]:
    """Return what sorts the worst first: the first word of the verdict, then the index."""
    return _PLACES[one.verdict.split(", ")[0]], -(one.index or 0.0)


def _verdict_mark(one: AttributeEvaluation) -> Markup:
    """Return a verdict in words with a mark in the colour of the worst of them."""
    colour = _COLOURS[min(one.verdict.split(", "), key=_PLACES.__getitem__)]
    return joined([tag("span", class_=f"swatch tint-{colour}"), one.verdict])


def verdict_cell(one: AttributeEvaluation) -> Markup:
    """Return a verdict as a cell of a table."""
    return tag("td", _verdict_mark(one), class_="kind")


def new_rows_table(one: AttributeEvaluation) -> Markup:
    """Return the bins of an attribute in training beside those of the new rows."""
    head, lines = bin_cells(one)
    has_rates = len(one.classes) == 2 and one.class_p_value is not None
    rows = [_row(line, each, has_rates=has_rates) for line, each in zip(lines[:MOST_BINS], one.bins, strict=False)]
    notes = []
    if one.unseen:
        listed = joined([part for label in one.unseen for part in (", ", data_text(label, 40))][1:])
        notes.append(tag("p", "Categories that training did not have: ", listed, ".", class_="note"))
    if len(lines) > MOST_BINS:
        notes.append(tag("p", f"The first {MOST_BINS} of {len(lines):,} bins are shown.", class_="note"))
    changed = "These are the bins before the edits; download the scheme and check it again."
    rates = {N_SHARES, N_SHARES + 1} if has_rates else set()
    heads = [data_text(name if place in rates else _capital(name)) for place, name in enumerate(head)]
    return tag(
        "div",
        tag("p", tag("strong", "On new rows: "), _verdict_mark(one), class_="verdict"),
        tag("p", changed, class_="note only-edited"),
        table("Bins in training and in the new rows", heads, rows, "check"),
        *notes,
        class_="new-rows",
    )


def _capital(text: str) -> str:
    return text if text == "p" else text[:1].upper() + text[1:]


def _row(line: list[str], each: BinEvaluation, *, has_rates: bool) -> list[str]:
    """Return the cells of a bin, shares and rates with bars behind them."""
    cells: list[str] = [data_text(each.label), *line[1:]]
    cells[2] = share_cell(line[2], each.training_share or 0.0, "soft")
    cells[4] = share_cell(line[4], each.new_share, "soft")
    if has_rates:
        sides = ((each.training_counts, each.training_rows), (each.new_counts, each.new_rows))
        for place, (counts, rows) in enumerate(sides, N_SHARES):
            cells[place] = share_cell(line[place], counts[1] / rows if rows else 0.0, "2")
    return cells
