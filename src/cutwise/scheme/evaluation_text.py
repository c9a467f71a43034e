"""Evaluations as tables for people, as text and as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.scheme.notebook import html_table
from cutwise.scheme.text import counted, rows_text, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.scheme.evaluation import AttributeEvaluation, BinEvaluation, Evaluation
    from cutwise.scheme.measures import RateChange

LONGEST = 40
NOTHING = "-"


def evaluation_text(evaluation: Evaluation) -> str:
    """Return one line for each attribute under the verdict."""
    head, lines = overview_cells(evaluation)
    return "\n".join([_title(evaluation), evaluation.verdict, *_aligned([head, *lines])])


def evaluation_html(evaluation: Evaluation) -> str:
    """Return the same as a table of HTML."""
    head, lines = overview_cells(evaluation)
    return html_table(f"{_title(evaluation)}. {evaluation.verdict}", head, lines)


def _title(evaluation: Evaluation) -> str:
    before, after = counted(evaluation.training_rows, "training row"), counted(evaluation.new_rows, "new row")
    return f"{shown(evaluation.method)}: {before}, {after}"


def overview_cells(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Return the head and a line for each attribute: its name, its measures, its verdict."""
    has_classes = any(attribute.class_p_value is not None for attribute in evaluation.attributes)
    head = [
        "attribute",
        "PSI",
        "J",
        "J by chance",
        "p",
        *(["class change", "class p"] if has_classes else []),
        "verdict",
    ]
    return head, [_overview_line(attribute, has_classes=has_classes) for attribute in evaluation.attributes]


def _overview_line(attribute: AttributeEvaluation, *, has_classes: bool) -> list[str]:
    classes = [_number(attribute.class_change, 2), _chance(attribute.class_p_value)] if has_classes else []
    return [
        _short(attribute.name),
        _number(attribute.index, 3),
        _number(attribute.divergence, 4),
        _number(attribute.divergence_by_chance, 4),
        _chance(attribute.p_value),
        *classes,
        attribute.verdict,
    ]


def attribute_text(attribute: AttributeEvaluation) -> str:
    """Return the bins of an attribute in training and in the new sample."""
    head, lines = bin_cells(attribute)
    return "\n".join([_facts(attribute), *_aligned([head, *lines])])


def attribute_html(attribute: AttributeEvaluation) -> str:
    """Return the same as a table of HTML."""
    head, lines = bin_cells(attribute)
    return html_table(_facts(attribute), head, lines)


def _facts(attribute: AttributeEvaluation) -> str:
    facts = f"{_short(attribute.name)} ({attribute.kind}): {attribute.verdict}"
    if attribute.unseen:
        facts += f"; unseen: {', '.join(map(_short, attribute.unseen))}"
    return facts


def bin_cells(attribute: AttributeEvaluation) -> tuple[list[str], list[list[str]]]:
    """Return the head and the lines of the table of bins."""
    head = ["bin", "rows", "share", "new rows", "new share"]
    n_classes = len(attribute.classes)
    has_classes = attribute.class_p_value is not None and n_classes > 1
    if has_classes and n_classes == 2:
        rate = _short(attribute.classes[1])
        head += [rate, f"new {rate}", "change", "95 % interval", "WoE", "new WoE"]
    elif has_classes:
        head += ["largest change", "change", "95 % interval"]
    lines = [_shares(one) for one in attribute.bins]
    if has_classes:
        rates = _two_classes if n_classes == 2 else _many_classes
        lines = [line + rates(one, attribute) for line, one in zip(lines, attribute.bins, strict=True)]
    return head, lines


def _shares(one: BinEvaluation) -> list[str]:
    before = [NOTHING] * 2
    if one.training_share is not None:
        before = [rows_text(one.training_rows), f"{one.training_share:.1%}"]
    return [_short(one.label), *before, rows_text(one.new_rows), f"{one.new_share:.1%}"]


def _two_classes(one: BinEvaluation, attribute: AttributeEvaluation) -> list[str]:  # noqa: ARG001
    rates = [
        f"{counts[1] / rows:.1%}" if rows else NOTHING
        for counts, rows in ((one.training_counts, one.training_rows), (one.new_counts, one.new_rows))
    ]
    weights = [NOTHING if weight is None else f"{weight:+.2f}" for weight in (one.training_evidence, one.new_evidence)]
    return [*rates, *_change(one.changes[1]), *weights]


def _many_classes(one: BinEvaluation, attribute: AttributeEvaluation) -> list[str]:
    """Return the class whose rate changed most, and its change."""
    known = [(change, label) for change, label in zip(one.changes, attribute.classes, strict=True) if change]
    if not known:
        return [NOTHING, *_change(None)]
    change, label = max(known, key=lambda pair: abs(pair[0].change))
    return [_short(label), *_change(change)]


def _change(change: RateChange | None) -> list[str]:
    """Return a change and its interval in percentage points."""
    if change is None:
        return [NOTHING, NOTHING]
    low, middle, high = (f"{100 * number:+.1f}" for number in (change.low, change.change, change.high))
    return [middle, f"{low} to {high}"]


def _number(number: float | None, digits: int) -> str:
    return NOTHING if number is None else f"{number:.{digits}f}"


def _chance(p_value: float | None) -> str:
    if p_value is None:
        return NOTHING
    return "<0.0001" if p_value < 0.0001 else f"{p_value:.4f}"


def _short(text: object) -> str:
    plain = shown(text)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


def _aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with the first and the last column to the left if they hold words, others to the right."""
    columns = list(zip(*lines, strict=True))
    widths = [max(map(len, column)) for column in columns]
    left = {0, *(i for i, column in enumerate(columns) if column[0] == "verdict")}
    cells = (
        [cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
        for line in lines
    )
    return ["  " + "  ".join(line).rstrip() for line in cells]
