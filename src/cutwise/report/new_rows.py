"""What new rows say, on the page: the verdicts on all attributes, and the bins of each in both samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.errors import SchemeError
from cutwise.report.markup import Markup, data_text, grouped, joined, share_cell, table, tag
from cutwise.report.shift_picture import shift_picture
from cutwise.scheme import measures as words
from cutwise.scheme.evaluation import bin_cells, overview_cells
from cutwise.scheme.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.scheme import AttributeEvaluation, BinEvaluation, Evaluation, Scheme

MOST_NEW_BINS = 500
# Of more bins the table scrolls within a frame.
MANY_BINS = 30
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
        raise SchemeError(f"The evaluation is of another scheme: its attributes are {names!r}, not {scheme.names!r}.")
    for attribute, known in zip(evaluation.attributes, scheme.attributes, strict=True):
        labels = tuple(one.label for one in attribute.bins)[: known.n_bins]
        if labels != tuple(known.labels):
            raise SchemeError(
                f"The evaluation is of other bins: attribute {known.name!r} has {labels!r} there and {known.labels!r} "
                "in the scheme. Evaluate this scheme again."
            )


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
    shown = _shown_order(one)
    columns = _side_by_side(len(head))
    rows = [_row(lines[place], one.bins[place], one) for place in shown]
    notes = []
    if one.unseen:
        listed = joined([part for label in one.unseen for part in (", ", data_text(label, 40))][1:])
        notes.append(tag("p", "Categories that training did not have: ", listed, ".", class_="note"))
    if len(lines) > len(shown):
        notes.append(tag("p", f"The first {MOST_NEW_BINS} of {len(lines):,} bins are shown.", class_="note"))
    changed = "These are the bins before the edits; download the scheme and check it again."
    rates = {N_SHARES, N_SHARES + 1} if _event_of_rates(one) is not None else set()
    heads = [data_text(name if place in rates else _capital(name)) for place, name in enumerate(head)]
    picture = shift_picture(one, shown)
    style = "check many" if len(rows) > MANY_BINS else "check"
    return tag(
        "div",
        tag("p", tag("strong", "On new rows: "), _verdict_mark(one), class_="verdict"),
        tag("p", changed, class_="note only-edited"),
        *([tag("div", picture, class_="scroll", tabindex="0")] if picture else []),
        table(
            "Bins in training and in the new rows", _taken(heads, columns), [_taken(r, columns) for r in rows], style
        ),
        *notes,
        class_="new-rows",
    )


def _event_of_rates(one: AttributeEvaluation) -> int | None:
    """Return the place of the event whose rates the table has, if it has any."""
    return None if one.event is None or one.class_p_value is None else one.classes.index(one.event)


def _shown_order(one: AttributeEvaluation) -> list[int]:
    """Return the bins that are shown: categories by the rate of the event in training, then those apart."""
    event = None if one.event is None else one.classes.index(one.event)
    is_category = [each.label not in ("missing", "unseen categories") for each in one.bins]

    def by_rate(place: int) -> tuple[bool, float]:
        each = one.bins[place]
        rate = each.training_counts[event] / each.training_rows if event is not None and each.training_rows else -1.0
        return not is_category[place], -rate

    order = range(len(one.bins))
    return (sorted(order, key=by_rate) if one.kind == "nominal" else list(order))[:MOST_NEW_BINS]


def _side_by_side(n_columns: int) -> list[int]:
    """Return the columns with both numbers of rows, then both shares, beside each other."""
    return [0, 1, 3, 2, 4, *range(N_SHARES, n_columns)]


def _taken(cells: Sequence[str], places: Sequence[int]) -> list[str]:
    return [cells[place] for place in places]


def _capital(text: str) -> str:
    return text if text == "p" else text[:1].upper() + text[1:]


def _row(line: list[str], each: BinEvaluation, one: AttributeEvaluation) -> list[str]:
    """Return the cells of a bin, shares and rates with bars behind them."""
    cells: list[str] = [data_text(grouped(each.label) if one.kind == "numeric" else each.label), *line[1:]]
    cells[2] = share_cell(line[2], each.training_share or 0.0, "soft")
    cells[4] = share_cell(line[4], each.new_share, "1")
    event = _event_of_rates(one)
    if event is not None:
        sides = ((each.training_counts, each.training_rows, "soft"), (each.new_counts, each.new_rows, "1"))
        for place, (counts, rows, colour) in enumerate(sides, N_SHARES):
            cells[place] = share_cell(line[place], counts[event] / rows if rows else 0.0, colour)
    return cells
