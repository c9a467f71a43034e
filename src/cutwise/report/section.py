"""The section of the report for one attribute, and that about new rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.criteria.score import weight_of_evidence
from cutwise.errors import SchemeError
from cutwise.report.bars import class_colours
from cutwise.report.markup import Markup, data_text, joined, percent, share_cell, table, tag
from cutwise.report.picture import attribute_picture
from cutwise.scheme import STOP_REASONS, NumericAttribute
from cutwise.scheme import measures as words
from cutwise.scheme.attribute import number_text
from cutwise.scheme.evaluation import bin_cells, overview_cells
from cutwise.scheme.figures import event_pairs
from cutwise.scheme.text import (
    chance_of_lower_cut,
    chance_text,
    counted,
    has_divergence,
    has_own_score,
    is_tested,
    rows_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.scheme import Attribute, AttributeEvaluation, BinEvaluation, CutTrial, Evaluation, Scheme

MOST_BINS = 200
# Of the attributes after these the page shows pictures only with scripts, which draw them.
MOST_PICTURES = 100


def attribute_section(
    attribute: Attribute, scheme: Scheme, rank: int, checked: AttributeEvaluation | None = None
) -> Markup:
    """Return picture, bins and steps of an attribute, and its bins on new rows where these are known."""
    picture = Markup(attribute_picture(attribute, scheme.classes, style=False)) if rank <= MOST_PICTURES else None
    steps = [_steps(attribute, scheme)] if isinstance(attribute, NumericAttribute) else []
    return tag(
        "section",
        tag("h2", tag("span", f"{rank}", class_="rank"), " ", data_text(attribute.name), id=f"name-{rank}"),
        _facts(attribute, scheme),
        *([tag("figure", picture, class_="scroll", tabindex="0")] if picture else []),
        _bins(attribute, scheme),
        *steps,
        *([] if checked is None else [new_rows_table(checked)]),
        tag("p", tag("a", "Back to the overview", href="#overview"), class_="back"),
        id=f"attribute-{rank}",
        data_rank=str(rank),
        data_stop=STOP_REASONS[attribute.stop],
        aria_labelledby=f"name-{rank}",
    )


def _facts(attribute: Attribute, scheme: Scheme) -> Markup:
    """Return the scores, and where the values lie, as a list of names and values."""
    facts = [("Relevance I", f"{attribute.relevance:.4f} bits")]
    if is_tested(attribute):
        facts.append(("How sure", how_sure(attribute)))
    if has_divergence(scheme):
        facts.append(("Divergence J", f"{attribute.divergence:.4f}"))
    if has_own_score(scheme):
        facts.append((data_text(scheme.criterion), f"{attribute.score:.4f}"))
    if isinstance(attribute, NumericAttribute):
        if attribute.minimum is not None and attribute.maximum is not None:
            ends = f"{number_text(attribute.minimum)} to {number_text(attribute.maximum)}"
            facts.append(("Values", f"{ends}, {attribute.n_values:,} distinct"))
        facts.append(("Cuts looked at", f"{attribute.n_candidates:,}"))
    if getattr(attribute, "edited", False):
        unknown = "" if sum(attribute.rows) else "; the rows of its bins are not known, Scheme.recount counts them"
        facts.append(("Edited", f"by hand{unknown}"))
    facts.append(("Why it stopped", STOP_REASONS[attribute.stop]))
    return fact_list(facts)


def fact_list(facts: Sequence[tuple[str, str]]) -> Markup:
    """Return names and values as a list."""
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in facts))


def how_sure(attribute: NumericAttribute) -> str:
    """Return the largest p-value of the cuts, and how much of the relevance new rows will not show."""
    largest, loss = max(attribute.p_values), sum(attribute.expected_losses)
    return f"p at most {chance_text(largest)}; about {loss:.4f} bits less on new rows"


def _bins(attribute: Attribute, scheme: Scheme) -> Markup:
    """Return the table of bins, and where there is an event what their weights mean."""
    counts = [*attribute.class_counts]
    if any(attribute.missing_by_class):
        counts.append(attribute.missing_by_class)
    colours = class_colours(attribute)
    weights, notes = _evidence(counts, scheme)
    total = sum(map(sum, counts))
    cells = _bin_cells(attribute, scheme)[:MOST_BINS]
    rows = [
        [*names, rows_text(sum(row)), _rate(sum(row), total, "soft"), *_rates(row, colours), *weight]
        for names, row, weight in zip(cells, counts, weights, strict=False)
    ]
    if len(counts) > MOST_BINS:
        notes.append(f"The first {MOST_BINS} of {len(counts):,} bins are shown, and cannot be edited here.")
    heads = ["Code", "Bin", *(["p of lower cut"] if is_tested(attribute) else []), "Rows", "Share of rows"]
    heads += [class_head(label, colour) for label, colour in zip(scheme.classes, colours, strict=True)]
    heads += [] if scheme.event is None else ["Weight of evidence"]
    shown = table("Bins, and the share of each class in them", heads, rows, "bins")
    return joined([shown, *(tag("p", note, class_="note") for note in notes)])


def _bin_cells(attribute: Attribute, scheme: Scheme) -> list[list[str]]:
    """Return code and label of each bin; missing values have the code -1 or the one after the last bin."""
    style = "text interval" if isinstance(attribute, NumericAttribute) else "text"
    cells: list[list[str]] = [
        [str(code), tag("td", data_text(label), class_=style)] for code, label in enumerate(attribute.labels)
    ]
    code = "-1" if scheme.missing == "code" else str(attribute.n_bins)
    cells.append([code, tag("td", "missing", class_="text absent")])
    if is_tested(attribute):
        return [[*cell, chance_of_lower_cut(attribute, place)] for place, cell in enumerate(cells)]
    return cells


def _rates(counts: Sequence[float], colours: Sequence[str]) -> list[Markup]:
    return [_rate(count, sum(counts), colour) for count, colour in zip(counts, colours, strict=True)]


def _rate(count: float, rows: float, colour: str) -> Markup:
    return share_cell(percent(count, rows), count / rows if rows else 0.0, colour)


def class_head(label: object, colour: str) -> Markup:
    """Return the name of a class beside its colour."""
    swatch = tag("span", class_=f"swatch tint-{colour}")
    return joined([swatch, data_text(label, 40)])


def _evidence(counts: list[tuple[float, ...]], scheme: Scheme) -> tuple[list[list[str]], list[str]]:
    """Return one more cell for each bin and a note, if there is an event."""
    place = scheme.event_place
    if place is None or not counts:
        return [[] for _ in counts], []
    found = weight_of_evidence(event_pairs(counts, place))
    note = joined(
        [
            tag("strong", f"Information value {found.information_value:.4f}."),
            " The event is ",
            data_text(scheme.classes[place], 40),
            ". A positive weight of evidence speaks against it: ln(share of the others / share of the events). ",
            "Natural logarithms; each count is raised by 0.5.",
        ],
    )
    weights = zip(found.weights, counts, strict=True)
    return [[f"{weight:+.3f}" if any(row) else "-"] for weight, row in weights], [note]


def _steps(attribute: NumericAttribute, scheme: Scheme) -> Markup:
    """Return the cuts in the order in which the search accepted them, and the one it refused."""
    chances = dict(zip(attribute.cuts, map(chance_text, attribute.p_values), strict=False))
    rows = [[*_step(str(place), trial), chances.get(trial.cut, "")] for place, trial in enumerate(attribute.steps, 1)]
    if attribute.refused is not None:
        refused = attribute.refused_p_value
        rows.append([*_step("refused", attribute.refused), "" if refused is None else chance_text(refused)])
    if not rows:
        words = "The search kept no record of single steps." if attribute.cuts else "The search tried no cut."
        return tag("p", words, class_="note")
    caption = f"Steps of the search: {counted(len(attribute.steps), 'accepted cut')}"
    heads = ["Step", "Cut", data_text(scheme.criterion), "Relevance", "Divergence", "p"]
    shown = [0, 1, *([2] if has_own_score(scheme) else []), 3, *([4] if has_divergence(scheme) else [])]
    shown += [5] if any(row[5] for row in rows) else []
    return table(caption, [heads[i] for i in shown], [[row[i] for i in shown] for row in rows], "steps")


def _step(name: str, trial: CutTrial) -> list[str]:
    return [
        name,
        number_text(trial.cut),
        f"{trial.score:.4f}",
        f"{trial.relevance:.4f}",
        f"{trial.divergence:.4f}",
    ]


MOST_NEW_BINS = 200
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
    has_rates = len(one.classes) == 2 and one.class_p_value is not None
    rows = [_row(line, each, has_rates=has_rates) for line, each in zip(lines[:MOST_NEW_BINS], one.bins, strict=False)]
    notes = []
    if one.unseen:
        listed = joined([part for label in one.unseen for part in (", ", data_text(label, 40))][1:])
        notes.append(tag("p", "Categories that training did not have: ", listed, ".", class_="note"))
    if len(lines) > MOST_NEW_BINS:
        notes.append(tag("p", f"The first {MOST_NEW_BINS} of {len(lines):,} bins are shown.", class_="note"))
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
