"""What a new sample says of a scheme: as data, and as readable tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cutwise.persist.strict import as_lists
from cutwise.scheme import measures as words
from cutwise.scheme.text import aligned, counted, html_table, rows_text, shown

if TYPE_CHECKING:
    from cutwise.scheme.attribute import Category
    from cutwise.scheme.measures import RateChange


@dataclass(frozen=True, kw_only=True)
class BinEvaluation:
    """One bin in training and in the new sample.

    Parameters
    ----------
    label : str
        The bin, "missing" or "unseen categories".
    training_rows, new_rows : float
    training_share, new_share : float or None
        Their share of all rows; None if there are no training counts.
    training_counts, new_counts : tuple of float
        The rows by class; `new_counts` is empty if the new sample came without classes.
    changes : tuple of RateChange or None
        The change of the rate of each class; None where there is nothing to compare.
    training_evidence, new_evidence : float or None
        The weight of evidence, if there is an event; a positive one speaks against it.
    """

    label: str
    training_rows: float
    new_rows: float
    training_share: float | None
    new_share: float
    training_counts: tuple[float, ...]
    new_counts: tuple[float, ...]
    changes: tuple[RateChange | None, ...]
    training_evidence: float | None
    new_evidence: float | None


@dataclass(frozen=True, kw_only=True)
class AttributeEvaluation:
    """One attribute in training and in the new sample.

    Parameters
    ----------
    name, kind : str
    classes : tuple
        The class labels.
    event : label or None
        The class that weights of evidence are about.
    bins : tuple of BinEvaluation
        Then missing values and unseen categories, where there are any.
    index : float or None
        The population stability index (PSI).
    divergence : float or None
        The Jensen-Shannon divergence of the rows by bin, in bits.
    divergence_by_chance : float or None
        Its mean if the samples differed by chance only.
    p_value : float or None
        How likely chance makes such a difference, by a chi-square test.
    class_change : float or None
        By how much the class rates within the bins changed: Cohen's h, less what chance gives.
    class_p_value : float or None
        How likely chance makes such a change.
    unseen : tuple of str
        The commonest categories that training did not have.
    verdict : str
    """

    name: str
    kind: str
    classes: tuple[Category, ...]
    event: Category | None
    bins: tuple[BinEvaluation, ...]
    index: float | None
    divergence: float | None
    divergence_by_chance: float | None
    p_value: float | None
    class_change: float | None
    class_p_value: float | None
    unseen: tuple[str, ...]
    verdict: str

    def __str__(self) -> str:
        """Return the bins as a readable table."""
        return attribute_evaluation_text(self)

    def _repr_html_(self) -> str:
        return attribute_evaluation_html(self)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """A scheme in training and in a new sample; see `evaluate`.

    Parameters
    ----------
    method : str
        The discretizer that made the scheme.
    training_rows, new_rows : float
    attributes : tuple of AttributeEvaluation
    """

    method: str
    training_rows: float
    new_rows: float
    attributes: tuple[AttributeEvaluation, ...]

    def __getitem__(self, name: str) -> AttributeEvaluation:
        """Return the attribute of that name."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise KeyError(f"There is no attribute {name!r}; there are {', '.join(repr(a.name) for a in self.attributes)}.")

    @property
    def is_stable(self) -> bool:
        """Whether no attribute is said to have changed."""
        return not any(self.named(word) for word in (words.A_LITTLE, words.SHIFTED, words.CLASSES_CHANGED))

    def named(self, word: str) -> tuple[str, ...]:
        """Return the attributes whose verdict holds a word, such as "shifted" or "class rates changed"."""
        return tuple(a.name for a in self.attributes if word in a.verdict.split(", "))

    @property
    def verdict(self) -> str:
        """What the new sample says of the whole scheme, in a sentence or two."""
        sentences = []
        for word in (words.SHIFTED, words.A_LITTLE, words.CLASSES_CHANGED, words.TOO_FEW, words.NOTHING_TO_COMPARE):
            names = self.named(word)
            if names:
                listed = ", ".join(map(shown, names[:10])) + (", …" if len(names) > 10 else "")
                sentences.append(f"{word.capitalize()}: {len(names)} of {len(self.attributes)} attributes ({listed}).")
                if word == words.NOTHING_TO_COMPARE:
                    sentences.append("Count the training rows in the bins of today: scheme.recount(X, y).")
        return " ".join(sentences or ["The bins hold on the new rows."])

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as dicts, lists, strings and numbers that JSON can hold."""
        plain: dict[str, Any] = as_lists(asdict(self))
        return {**plain, "is_stable": self.is_stable, "verdict": self.verdict}

    def __str__(self) -> str:
        """Return one line for each attribute."""
        return evaluation_text(self)

    def _repr_html_(self) -> str:
        return evaluation_html(self)


LONGEST = 40
NOTHING = "-"


def evaluation_text(evaluation: Evaluation) -> str:
    """Return one line for each attribute under the verdict."""
    head, lines = overview_cells(evaluation)
    return "\n".join([_title(evaluation), evaluation.verdict, *aligned([head, *lines], {0, len(head) - 1})])


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


def attribute_evaluation_text(attribute: AttributeEvaluation) -> str:
    """Return the bins of an attribute in training and in the new sample."""
    head, lines = bin_cells(attribute)
    return "\n".join([_facts(attribute), *aligned([head, *lines], {0})])


def attribute_evaluation_html(attribute: AttributeEvaluation) -> str:
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
    has_classes = attribute.class_p_value is not None and len(attribute.classes) > 1
    if has_classes and attribute.event is not None:
        rate = _short(attribute.event)
        head += [rate, f"new {rate}", "change", "95 % interval", "WoE", "new WoE"]
    elif has_classes:
        head += ["largest change", "change", "95 % interval"]
    lines = [_shares(one) for one in attribute.bins]
    if has_classes:
        rates = _many_classes if attribute.event is None else _of_event
        lines = [line + rates(one, attribute) for line, one in zip(lines, attribute.bins, strict=True)]
    return head, lines


def _shares(one: BinEvaluation) -> list[str]:
    before = [NOTHING] * 2
    if one.training_share is not None:
        before = [rows_text(one.training_rows), f"{one.training_share:.1%}"]
    return [_short(one.label), *before, rows_text(one.new_rows), f"{one.new_share:.1%}"]


def _of_event(one: BinEvaluation, attribute: AttributeEvaluation) -> list[str]:
    """Return the rates of the event, their change and the weights of evidence."""
    place = attribute.classes.index(attribute.event)
    rates = [
        f"{counts[place] / rows:.1%}" if rows else NOTHING
        for counts, rows in ((one.training_counts, one.training_rows), (one.new_counts, one.new_rows))
    ]
    weights = [NOTHING if weight is None else f"{weight:+.2f}" for weight in (one.training_evidence, one.new_evidence)]
    return [*rates, *_change(one.changes[place]), *weights]


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
