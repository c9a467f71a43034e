"""The section of the report for one attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.criteria.score import weight_of_evidence
from cutwise.report.bars import bin_order, class_colours, page_labels
from cutwise.report.markup import Markup, data_text, grouped, joined, number_words, percent, share_cell, table, tag
from cutwise.report.new_rows import new_rows_table
from cutwise.report.picture import attribute_picture
from cutwise.scheme import STOP_REASONS, NominalAttribute, NumericAttribute
from cutwise.scheme.attribute import MOST_NAMED, number_text
from cutwise.scheme.figures import event_pairs
from cutwise.scheme.text import (
    chance_of_lower_cut,
    chance_text,
    counted,
    has_divergence,
    has_own_score,
    head_of_chances,
    is_tested,
    rows_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.scheme import Attribute, AttributeEvaluation, CutTrial, Scheme

MOST_BINS = 500
# Of more bins the table scrolls within a frame, and a script gives it a field to search.
MANY_BINS = 30
# The script edits an attribute with at most so many cuts.
MOST_EDITED = 200
# Of a group with more categories so many are listed.
MOST_CATEGORIES = 1000
# Of the attributes after these the page shows pictures only with scripts, which draw them.
MOST_PICTURES = 100


def attribute_section(
    attribute: Attribute,
    scheme: Scheme,
    rank: int,
    figures: Mapping[str, Any],
    checked: AttributeEvaluation | None = None,
) -> Markup:
    """Return picture, bins and steps of an attribute, and its bins on new rows where these are known.

    Parameters
    ----------
    attribute : Attribute
    scheme : Scheme
    rank : int
        Its place on the page.
    figures : mapping of str
        Its line of `Scheme.summary`.
    checked : AttributeEvaluation, optional
    """
    picture = None
    if rank <= MOST_PICTURES:
        picture = Markup(attribute_picture(attribute, scheme.classes, style=False, event=scheme.event_place))
    steps = [_steps(attribute, scheme)] if isinstance(attribute, NumericAttribute) else []
    return tag(
        "section",
        tag("h2", tag("span", f"{rank}", class_="rank"), " ", data_text(attribute.name), id=f"name-{rank}"),
        _facts(attribute, scheme, figures),
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


def figure_text(value: float | None, digits: int = 4) -> str:
    """Return a figure, or a dash if it is not known."""
    return "-" if value is None else f"{value:.{digits}f}"


def _facts(attribute: Attribute, scheme: Scheme, figures: Mapping[str, Any]) -> Markup:
    """Return the scores, and where the values lie, as a list of names and values."""
    facts = []
    if scheme.event is not None:
        facts += [(name, figure_text(figures[key])) for name, key in (("IV", "iv"), ("Gini", "gini"), ("KS", "ks"))]
        facts += [("Trend", figures["trend"])] if figures["trend"] else []
    facts.append(("Relevance I", f"{attribute.relevance:.4f} bits"))
    if is_tested(attribute):
        facts.append(("How sure", how_sure(attribute)))
    if has_divergence(scheme):
        facts.append(("Divergence J", f"{attribute.divergence:.4f}"))
    if has_own_score(scheme):
        facts.append((data_text(scheme.criterion), f"{attribute.score:.4f}"))
    if isinstance(attribute, NumericAttribute):
        if attribute.minimum is not None and attribute.maximum is not None:
            ends = grouped(f"{number_text(attribute.minimum)} to {number_text(attribute.maximum)}")
            facts.append(("Values", f"{ends}, {attribute.n_values:,} distinct"))
        facts.append(("Cuts looked at", f"{attribute.n_candidates:,}"))
    if attribute.edited:
        unknown = "" if sum(attribute.rows) else "; the rows of its bins are not known, Scheme.recount counts them"
        facts.append(("Edited", f"by hand{unknown}"))
    facts.append(("Why it stopped", STOP_REASONS[attribute.stop]))
    return fact_list(facts)


def fact_list(facts: Sequence[tuple[str, str]]) -> Markup:
    """Return names and values as a list."""
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in facts))


def how_sure(attribute: Attribute) -> str:
    """Return the largest p-value, and for cuts how much of the relevance new rows will not show."""
    largest = f"p at most {chance_text(max(attribute.p_values))}"
    if not isinstance(attribute, NumericAttribute):
        return largest
    return f"{largest}; about {sum(attribute.expected_losses):.4f} bits less on new rows"


def _bins(attribute: Attribute, scheme: Scheme) -> Markup:
    """Return the table of bins, and where there is an event what their weights mean."""
    counts = [*attribute.class_counts, attribute.missing_by_class]
    colours = class_colours(attribute)
    cells, (weights, notes) = _bin_cells(attribute, scheme), _evidence(counts, scheme)
    total = sum(map(sum, counts))
    shown = _shown_bins(attribute, scheme)
    rows = [
        [
            *cells[b],
            rows_text(sum(counts[b])),
            _rate(sum(counts[b]), total, "soft"),
            *_rates(counts[b], colours, scheme),
        ]
        + weights[b]
        for b in shown
    ]
    n_bins = attribute.n_bins + any(attribute.missing_by_class)
    if len(shown) < n_bins:
        which = "The first" if isinstance(attribute, NumericAttribute) else "Those with the most rows,"
        notes.append(f"{which} {MOST_BINS:,} of {n_bins:,} bins are shown, and cannot be edited here.")
    elif isinstance(attribute, NumericAttribute) and len(attribute.cuts) > MOST_EDITED:
        notes.append(f"An attribute with more than {MOST_EDITED} cuts cannot be edited here.")
    heads = ["Code", "Bin", *([head_of_chances(attribute)] if is_tested(attribute) else []), "Rows", "Share of rows"]
    heads += _class_heads(scheme, colours)
    heads += [] if scheme.event is None else ["WoE", "IV"]
    by_rate = scheme.event is not None and not isinstance(attribute, NumericAttribute)
    caption = "Bins, and the share of each class in them" + (", by the rate of the event" if by_rate else "")
    found = table(caption, heads, rows, "bins many" if len(rows) > MANY_BINS else "bins")
    return joined([found, *(tag("p", note, class_="note") for note in notes)])


def _shown_bins(attribute: Attribute, scheme: Scheme) -> list[int]:
    """Return the bins that the table has, in its order; the one after the last is that of missing values."""
    order = bin_order(attribute, scheme.event_place)
    missing = [attribute.n_bins] if any(attribute.missing_by_class) else []
    if len(order) + len(missing) <= MOST_BINS:
        return [*order, *missing]
    if isinstance(attribute, NumericAttribute):
        return order[:MOST_BINS]
    rows = attribute.rows
    kept = set(sorted(order, key=lambda place: -rows[place])[: MOST_BINS - len(missing)])
    return [*(place for place in order if place in kept), *missing]


def _bin_cells(attribute: Attribute, scheme: Scheme) -> list[list[str]]:
    """Return code and label of each bin; missing values have the code -1 or the one after the last bin."""
    style = "text interval" if isinstance(attribute, NumericAttribute) else "text"
    names: list[str] = [data_text(label) for label in page_labels(attribute)]
    if isinstance(attribute, NominalAttribute):
        names = [_group_name(*pair) for pair in zip(names, attribute.groups, strict=True)]
    cells: list[list[str]] = [[str(code), tag("td", name, class_=style)] for code, name in enumerate(names)]
    code = "-1" if scheme.missing == "code" else str(attribute.n_bins)
    cells.append([code, tag("td", "missing", class_="text absent")])
    if is_tested(attribute):
        return [[*cell, chance_of_lower_cut(attribute, place)] for place, cell in enumerate(cells)]
    return cells


def _group_name(label: str, group: Sequence[object]) -> str:
    """Return the label of a group; where that does not name all categories, they unfold."""
    if len(group) <= MOST_NAMED:
        return label
    listed = [part for one in group[:MOST_CATEGORIES] for part in (", ", data_text(one, 40))][1:]
    more = len(group) - MOST_CATEGORIES
    listed += [f", and {more:,} more"] if more > 0 else []
    return tag("details", tag("summary", label), tag("p", joined(listed)))


def _class_heads(scheme: Scheme, colours: Sequence[str]) -> list[Markup]:
    pairs = enumerate(zip(scheme.classes, colours, strict=True))
    return [
        tag("th", class_head(label, colour), scope="col", class_=_spare(place, scheme))
        for place, (label, colour) in pairs
    ]


def _spare(place: int, scheme: Scheme) -> str | None:
    """Return the style of a class whose share follows from that of the event; long tables are printed without it."""
    return "spare" if scheme.event_place is not None and place != scheme.event_place else None


def _rates(counts: Sequence[float], colours: Sequence[str], scheme: Scheme) -> list[Markup]:
    total = sum(counts)
    pairs = enumerate(zip(counts, colours, strict=True))
    return [_rate(count, total, colour, _spare(place, scheme)) for place, (count, colour) in pairs]


def _rate(count: float, rows: float, colour: str, style: str | None = None) -> Markup:
    return share_cell(percent(count, rows), count / rows if rows else 0.0, colour, style=style)


def class_head(label: object, colour: str) -> Markup:
    """Return the name of a class beside its colour."""
    swatch = tag("span", class_=f"swatch tint-{colour}")
    return joined([swatch, data_text(label, 40)])


def _evidence(counts: Sequence[tuple[float, ...]], scheme: Scheme) -> tuple[list[list[str]], list[str]]:
    """Return two more cells for each bin and a note, if there is an event."""
    place = scheme.event_place
    if place is None or not counts:
        return [[] for _ in counts], []
    found = weight_of_evidence(event_pairs(counts, place))
    note = joined(
        [
            "The event is ",
            tag("strong", data_text(scheme.classes[place], 40)),
            ". A positive weight of evidence (WoE) speaks against it: ln(share of the others / share of the events). ",
            "Natural logarithms; each count is raised by 0.5.",
        ],
    )
    cells = zip(found.weights, found.values, counts, strict=True)
    return [[f"{weight:+.3f}", f"{value:.4f}"] if any(row) else ["-", "-"] for weight, value, row in cells], [note]


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
        number_words(trial.cut),
        f"{trial.score:.4f}",
        f"{trial.relevance:.4f}",
        f"{trial.divergence:.4f}",
    ]
