"""What a new sample says of a scheme, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cutwise.scheme import measures as words
from cutwise.scheme.evaluation_text import attribute_html, attribute_text, evaluation_html, evaluation_text
from cutwise.scheme.text import shown

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
        The weight of evidence, if there are two classes.
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
        """Return the bins as a table for people."""
        return attribute_text(self)

    def _repr_html_(self) -> str:
        return attribute_html(self)


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
        message = f"There is no attribute {name!r}; there are {', '.join(repr(a.name) for a in self.attributes)}."
        raise KeyError(message)

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
        """Return the evaluation as dicts, lists, texts and numbers that JSON can hold."""
        plain: dict[str, Any] = _plain(asdict(self))
        return {**plain, "is_stable": self.is_stable, "verdict": self.verdict}

    def __str__(self) -> str:
        """Return one line for each attribute."""
        return evaluation_text(self)

    def _repr_html_(self) -> str:
        return evaluation_html(self)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
