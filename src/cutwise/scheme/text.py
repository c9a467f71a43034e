"""A scheme as text and as small tables of HTML for notebooks, in which everything is escaped."""

from __future__ import annotations

import itertools
import math
import unicodedata
from html import escape
from typing import TYPE_CHECKING, TypeGuard

from cutwise.criteria.score import weight_of_evidence
from cutwise.scheme.attribute import NumericAttribute
from cutwise.scheme.figures import bin_figures, counted_bins, event_pairs, gini, kolmogorov_smirnov, trend_of
from cutwise.scheme.rules import STOP_REASONS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cutwise.scheme.attribute import Attribute
    from cutwise.scheme.scheme import Scheme

# Zl and Zp are line breaks, Cc control characters, Cs halves of a character.
_INVISIBLE = {"Cc", "Cs", "Zl", "Zp"}
# They change the direction of the text around them.
_DIRECTIONS = {*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}


def shown(text: object) -> str:
    r"""Return a string with control characters made visible.

    Such characters steer a terminal, are not allowed in XML, or change the order of what is
    around them.

    Examples
    --------
    >>> shown("one\x00two")
    'one⟨U+0000⟩two'
    """
    return "".join(f"⟨U+{ord(char):04X}⟩" if _is_hidden(char) else char for char in str(text))


def _is_hidden(char: str) -> bool:
    return char in _DIRECTIONS or unicodedata.category(char) in _INVISIBLE or (ord(char) & 0xFFFE) == 0xFFFE


def counted(number: float, noun: str) -> str:
    """Return a number and its noun, such as "1 bin" or "1,200 rows"."""
    plural = noun if number == 1 else noun + ("es" if noun.endswith("s") else "s")
    return f"{rows_text(number)} {plural}"


def rows_text(rows: float) -> str:
    """Return a number of rows, or a sum of weights, with separators of thousands."""
    if math.isnan(rows):
        return "unknown"
    return f"{rows:,.0f}" if rows == round(rows) else f"{rows:,.6g}"


MAX_CLASSES = 6


def scheme_text(scheme: Scheme) -> str:
    """Return one block of lines for each attribute."""
    cuts = sum(len(attribute.cuts) for attribute in scheme.attributes if isinstance(attribute, NumericAttribute))
    sizes = ((len(scheme.attributes), "attribute"), (cuts, "cut"), (len(scheme.classes), "class"))
    head = f"{shown(scheme.method)}: {', '.join(counted(number, noun) for number, noun in sizes)}"
    head += "" if scheme.event is None else f", event {shown(scheme.event)}"
    if "n_d_chosen_by" in scheme.parameters:
        head += shown(f"; n_d = {scheme.parameters.get('n_d')} has the least {scheme.parameters['n_d_chosen_by']}")
    return "\n\n".join([head, *(attribute_text(attribute, scheme) for attribute in scheme.attributes)])


def attribute_text(attribute: Attribute, scheme: Scheme) -> str:
    """Return the bins of one attribute: label, rows, share of each class."""
    classes = scheme.classes
    first = classes[:MAX_CLASSES]
    hidden = ["…"] if len(classes) > MAX_CLASSES else []
    header = ["code", "bin", "rows", *map(shown, first), *hidden]
    lines = [
        [str(code), shown(label), _plain(rows), *_shares(counts, rows, len(first)), *hidden]
        for code, (label, rows, counts) in enumerate(
            zip(attribute.labels, attribute.rows, attribute.class_counts, strict=True)
        )
    ]
    if any(attribute.missing_by_class):
        rows = sum(attribute.missing_by_class)
        lines.append(["", "missing", _plain(rows), *_shares(attribute.missing_by_class, rows, len(first)), *hidden])
    if is_tested(attribute):
        header.insert(3, "p")
        for code, line in enumerate(lines):
            line.insert(3, chance_of_lower_cut(attribute, code))
    scores = [f"relevance {relevance_text(attribute)}{loss_text(attribute)}"]
    if has_divergence(scheme):
        scores.append(f"divergence {attribute.divergence:.4f}")
    if has_own_score(scheme):
        scores.append(f"{shown(scheme.criterion)} {attribute.score:.4f}")
    kind = f"{attribute.kind}, edited by hand" if getattr(attribute, "edited", False) else attribute.kind
    title = f"{shown(attribute.name)} ({kind})  {', '.join(scores)}\nstopped: {STOP_REASONS[attribute.stop]}"
    return "\n".join([title, *aligned([header, *lines], {1})])


def relevance_text(attribute: Attribute) -> str:
    """Return the relevance of an attribute, if its counts are known."""
    return f"{attribute.relevance:.4f} bits" if attribute.is_counted else "unknown (see Scheme.recount)"


def is_tested(attribute: Attribute) -> TypeGuard[NumericAttribute]:
    """Return whether it is known how sure the cuts of an attribute are."""
    return isinstance(attribute, NumericAttribute) and len(attribute.p_values) > 0


def chance_text(p_value: float) -> str:
    """Return a p-value for people; the smallest ones are not told apart."""
    return "<1e-15" if p_value <= 1e-15 else f"{p_value:.2g}"


def chance_of_lower_cut(attribute: NumericAttribute, code: int) -> str:
    """Return the p-value of the cut below a bin, nothing where there is none."""
    return chance_text(attribute.p_values[code - 1]) if 1 <= code <= len(attribute.cuts) else ""


def loss_text(attribute: Attribute) -> str:
    """Return how much of the relevance new rows are expected not to show, where that is known."""
    return f" (about {sum(attribute.expected_losses):.4f} less on new rows)" if is_tested(attribute) else ""


def has_divergence(scheme: Scheme) -> bool:
    """Return whether the method of a scheme looks at the divergence."""
    return scheme.criterion == "Psi"


def has_own_score(scheme: Scheme) -> bool:
    """Return whether the score of a scheme's attributes is something else than their relevance."""
    return scheme.criterion != "relevance"


def _plain(rows: float) -> str:
    return rows_text(rows).replace(",", "")


def _shares(counts: tuple[float, ...], rows: float, n_shown: int) -> list[str]:
    return [f"{count / rows:.1%}" if rows > 0 else "-" for count in counts[:n_shown]]


def aligned(lines: Sequence[Sequence[str]], left: Collection[int]) -> list[str]:
    """Return lines with some columns to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    cells = (
        [cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
        for line in lines
    )
    return ["  " + "  ".join(line).rstrip() for line in cells]


MOST_BINS = 12
MOST_ATTRIBUTES = 100
# Attributes whose bins can be unfolded below the overview.
MOST_DETAILS = 30
MOST_LINES = 100
MOST_CHARACTERS = 200


def html_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], n_left: int = 1) -> str:
    """Return a table whose first columns are aligned to the left, the others to the right.

    Examples
    --------
    >>> html_table("", ["a"], [["<b>"]])
    '<table>...<th style="text-align:left"><bdi>a</bdi></th>...<bdi>&lt;b&gt;</bdi>...</table>'
    """
    styles = ["text-align:left" if i < n_left else "text-align:right" for i in range(len(head))]
    top = _cells("th", head, styles)
    body = "".join(f"<tr>{_cells('td', row, styles)}</tr>" for row in rows)
    title = f'<caption style="text-align:left">{_visible(caption)}</caption>'
    return f"<table>{title}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cells(tag: str, texts: Sequence[str], styles: Sequence[str]) -> str:
    pairs = zip(texts, styles, strict=True)
    return "".join(f'<{tag} style="{style}"><bdi>{_visible(text)}</bdi></{tag}>' for text, style in pairs)


def _visible(text: str) -> str:
    short = text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
    return escape(shown(short))


def scheme_html(scheme: Scheme) -> str:
    """Return one line for each attribute: its bins, their rows, and how much they tell; then the bins of each."""
    own = has_own_score(scheme)
    head = ["attribute", "bins", "stopped", "rows", "relevance", *([scheme.criterion] if own else [])]
    head += [] if scheme.event is None else ["IV", "Gini", "KS", "trend"]
    first = scheme.attributes[:MOST_ATTRIBUTES]
    rows = [[*_line(attribute, own=own), *_event_cells(attribute, scheme)] for attribute in first]
    more = len(scheme.attributes) - len(first)
    rows += [[f"… and {counted(more, 'more attribute')}", *[""] * (len(head) - 1)]] if more else []
    sizes = f"{counted(len(scheme.attributes), 'attribute')}, {counted(len(scheme.classes), 'class')}"
    sizes += "" if scheme.event is None else f", event {scheme.event}"
    overview = html_table(f"{scheme.method}: {sizes}", head, rows, n_left=3)
    return overview + "".join(_bins_html(attribute, scheme) for attribute in scheme.attributes[:MOST_DETAILS])


def _event_cells(attribute: Attribute, scheme: Scheme) -> list[str]:
    """Return information value, Gini, KS and trend of an attribute, if there is an event."""
    place = scheme.event_place
    if place is None:
        return []
    if not attribute.is_counted:
        return ["unknown"] * 4
    pairs = event_pairs(counted_bins(attribute), place)
    numbers = [weight_of_evidence(pairs).information_value, gini(pairs), kolmogorov_smirnov(pairs)]
    return [*("-" if number is None else f"{number:.3f}" for number in numbers), trend_of(attribute, place) or ""]


def _bins_html(attribute: Attribute, scheme: Scheme) -> str:
    """Return the bins of an attribute, to be unfolded: rows, the rate of each class, and weights of evidence."""
    counts = counted_bins(attribute)
    total = sum(map(sum, counts))
    shown_classes = scheme.classes[:MAX_CLASSES] if len(scheme.classes) > 1 else ()
    head = ["code", "bin", "rows", "share", *map(str, shown_classes), *([] if scheme.event is None else ["WoE"])]
    codes = [*map(str, range(attribute.n_bins)), ""]
    lines = [
        [code, label, *_rows_and_share(sum(row), total), *_shares(row, sum(row), len(shown_classes)), *weight]
        for code, label, row, weight in zip(
            codes, (*attribute.labels, "missing"), counts, _weight_cells(attribute, scheme), strict=True
        )
    ]
    kept = lines if any(attribute.missing_by_class) else lines[:-1]
    more = len(kept) - MOST_LINES
    table = html_table("", head, kept[:MOST_LINES], n_left=2)
    rest = f"<p>… and {counted(more, 'more bin')}</p>" if more > 0 else ""
    return f"<details><summary><bdi>{_visible(attribute.name)}</bdi></summary>{table}{rest}</details>"


def _weight_cells(attribute: Attribute, scheme: Scheme) -> list[list[str]]:
    """Return the weight of evidence of each bin, if there is an event."""
    counts = counted_bins(attribute)
    if scheme.event_place is None:
        return [[] for _ in counts]
    figures = bin_figures(event_pairs(counts, scheme.event_place))
    return [["-" if found.woe is None else f"{found.woe:+.3f}"] for found in figures]


def attribute_html(attribute: Attribute) -> str:
    """Return one line for each bin: its code, its rows and their share."""
    rows = [*attribute.rows]
    labels = [*enumerate(attribute.labels)][:MOST_LINES]
    total = sum(rows) + sum(attribute.missing_by_class)
    lines = [[str(code), label, *_rows_and_share(rows[code], total)] for code, label in labels]
    more = len(rows) - len(lines)
    lines += [["", f"… and {counted(more, 'more bin')}", "", ""]] if more else []
    if any(attribute.missing_by_class):
        lines.append(["", "missing", *_rows_and_share(sum(attribute.missing_by_class), total)])
    head = ["code", "bin", "rows", "share"]
    if is_tested(attribute):
        head.append("p of lower cut")
        lines = [[*line, chance_of_lower_cut(attribute, code)] for code, line in enumerate(lines)]
    caption = f"{attribute.name} ({attribute.kind}): relevance {relevance_text(attribute)}{loss_text(attribute)}"
    return html_table(caption, head, lines, n_left=2)


def _rows_and_share(rows: float, total: float) -> list[str]:
    return [rows_text(rows), f"{rows / total:.1%}" if total > 0 else "-"]


def _line(attribute: Attribute, *, own: bool) -> list[str]:
    bins = " | ".join(itertools.islice(attribute.labels, MOST_BINS)) + (" | …" if attribute.n_bins > MOST_BINS else "")
    edited = isinstance(attribute, NumericAttribute) and attribute.edited
    stopped = "edited by hand" if edited else STOP_REASONS[attribute.stop]
    numbers = [
        rows_text(sum(attribute.rows)),
        f"{attribute.relevance:.4f}" if attribute.is_counted else "unknown",
        *([f"{attribute.score:.4f}"] if own else []),
    ]
    return [attribute.name, bins, stopped, *numbers]
