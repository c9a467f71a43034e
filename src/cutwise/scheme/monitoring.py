"""A scheme on new rows by period: how far its bins moved, the rate of the event, how well they still rank."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.scheme import measures as words
from cutwise.scheme.evaluation import NOTHING
from cutwise.scheme.measures import index_by_chance, ranked_gini, wilson
from cutwise.scheme.new_rows import count_sample, measured, training_counts
from cutwise.scheme.text import aligned, counted, html_table, rows_text, shown
from cutwise.table.frames import choose_library, make_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.scheme.attribute import Attribute, Category
    from cutwise.scheme.scheme import Scheme

    Array = NDArray[np.float64]

TRAINING = "training"


@dataclass(frozen=True, kw_only=True)
class PeriodFigures:
    """One attribute in one period.

    Parameters
    ----------
    attribute, period : str
    rows : float
    psi : float or None
        The population stability index (PSI) against the training rows; None for these.
    psi_by_chance : float or None
        What chance alone gives with so many rows.
    p_value : float or None
        How likely chance makes such a shift, by a chi-square test.
    rate, rate_low, rate_high : float or None
        The rate of the event with its 95 % interval (Wilson's); None without classes or without an event.
    gini, gini_low, gini_high : float or None
        Gini of the bins as ranked by their rates in training, with its 95 % interval (DeLong's).
    verdict : str or None
        In the words of `AttributeEvaluation`; None for training.
    """

    attribute: str
    period: str
    rows: float
    psi: float | None
    psi_by_chance: float | None
    p_value: float | None
    rate: float | None
    rate_low: float | None
    rate_high: float | None
    gini: float | None
    gini_low: float | None
    gini_high: float | None
    verdict: str | None


@dataclass(frozen=True, kw_only=True)
class Monitoring:
    """A scheme in training and in each period of new rows; see `monitor`.

    Parameters
    ----------
    method : str
        The discretizer that made the scheme.
    event : label or None
        The class that rates and Gini are about.
    names : tuple of str
        The attributes.
    periods : tuple of str
        In their order.
    figures : tuple of PeriodFigures
        For each attribute that of training, then those of the periods.
    """

    method: str
    event: Category | None
    names: tuple[str, ...]
    periods: tuple[str, ...]
    figures: tuple[PeriodFigures, ...]

    def __getitem__(self, name: str) -> tuple[PeriodFigures, ...]:
        """Return the figures of an attribute: those of training, then those of the periods."""
        if name not in self.names:
            raise KeyError(f"There is no attribute {name!r}; there are {', '.join(map(repr, self.names))}.")
        return tuple(one for one in self.figures if one.attribute == name)

    @property
    def is_stable(self) -> bool:
        """Whether no attribute is said to have changed in any period."""
        return not any(map(_is_changed, self.figures))

    @property
    def verdict(self) -> str:
        """Which attributes changed, and from which period on."""
        sentences = []
        for name in self.names:
            changed = [one for one in self[name] if _is_changed(one)]
            if changed:
                n_periods = f"{len(changed)} of {counted(len(self.periods), 'period')}"
                sentences.append(
                    f"{shown(name)}: {changed[0].verdict} in {n_periods}, first {shown(changed[0].period)}."
                )
        return " ".join(sentences) or "The bins hold in every period."

    def to_frame(self, library: str | None = None) -> Any:
        """Return a table with a row for each attribute and period, and one for its training rows.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            The table library; by default the first of these that is installed.
        """
        names = [field.name for field in fields(PeriodFigures)]
        columns = {name: [getattr(one, name) for one in self.figures] for name in names}
        return make_frame(columns, ("attribute", "period", "verdict"), choose_library(library))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dicts, lists, strings and numbers that JSON can hold."""
        plain = {**asdict(self), "names": list(self.names), "periods": list(self.periods)}
        return {**plain, "figures": [asdict(one) for one in self.figures], "is_stable": self.is_stable}

    def __str__(self) -> str:
        """Return one line for each attribute and period."""
        head, lines = figure_cells(self)
        return "\n".join([_title(self), self.verdict, *aligned([head, *lines], {0, 1, len(head) - 1})])

    def _repr_html_(self) -> str:
        head, lines = figure_cells(self)
        return html_table(f"{_title(self)}. {self.verdict}", head, lines, n_left=2)


def _is_changed(one: PeriodFigures) -> bool:
    found = (one.verdict or "").split(", ")
    return any(word in found for word in (words.A_LITTLE, words.SHIFTED, words.CLASSES_CHANGED))


def _title(found: Monitoring) -> str:
    sizes = f"{counted(len(found.names), 'attribute')} in {counted(len(found.periods), 'period')}"
    return f"{shown(found.method)}: {sizes}" + ("" if found.event is None else f", event {shown(found.event)}")


def figure_cells(found: Monitoring) -> tuple[list[str], list[list[str]]]:
    """Return the head and a line for each attribute and period."""
    has_rates = any(one.rate is not None for one in found.figures if one.period != TRAINING)
    head = ["attribute", "period", "rows", "PSI", "PSI by chance", "p"]
    head += ["rate", "Gini", "95 % interval"] if has_rates else []
    return [*head, "verdict"], [_cells(one, has_rates=has_rates) for one in found.figures]


def _cells(one: PeriodFigures, *, has_rates: bool) -> list[str]:
    rates = []
    if has_rates:
        ends = NOTHING if one.gini_low is None else f"{one.gini_low:.3f} to {one.gini_high:.3f}"
        rates = [NOTHING if one.rate is None else f"{one.rate:.1%}", _number(one.gini), ends]
    chance = NOTHING if one.p_value is None else "<0.0001" if one.p_value < 0.0001 else f"{one.p_value:.4f}"
    shift = [_number(one.psi), _number(one.psi_by_chance), chance]
    return [shown(one.attribute), shown(one.period), rows_text(one.rows), *shift, *rates, one.verdict or NOTHING]


def _number(number: float | None) -> str:
    return NOTHING if number is None else f"{number:.3f}"


def monitor(scheme: Scheme, X: Any, y: Any = None, sample_weight: Any = None, by: Any = "month") -> Monitoring:
    """Compare the bins of a scheme in training with those of each period of new rows.

    Parameters
    ----------
    scheme : Scheme
    X, y, sample_weight
        As in `evaluate`.
    by : str, array-like, or pair of one of these and a unit
        The period of each row; see `Scheme.evaluate`.

    Returns
    -------
    Monitoring
        Print it, or take ``to_frame()``. A change counts as in `evaluate`; beyond chance means: with so many attributes
        in so many periods.

    Examples
    --------
    >>> import numpy as np
    >>> from cutwise import EqualFrequencyDiscretizer
    >>> x = np.random.default_rng(0).normal(size=(6000, 1))
    >>> scheme = EqualFrequencyDiscretizer(4).fit(x[:2000]).scheme_
    >>> later = x[2000:] + np.repeat([0.0, 1.0], 2000)[:, None]
    >>> print(monitor(scheme, later, by=np.repeat([2024, 2025], 2000)))
    EqualFrequency: 1 attribute in 2 periods
    x0: shifted in 1 of 2 periods, first 2025.
      attribute  period     rows    PSI  PSI by chance        p  verdict
      x0         training  2,000      -              -        -  -
      x0         2024      2,000  0.000          0.003   0.9732  stable
      x0         2025      2,000  0.902          0.003  <0.0001  shifted
    """
    periods, counted_attributes = count_sample(scheme, X, y, sample_weight, by)
    has_classes = y is not None
    level = words.LEVEL / max(len(scheme.attributes) * (1 + has_classes) * len(periods), 1)
    figures = [
        one
        for attribute, found in zip(scheme.attributes, counted_attributes, strict=True)
        for one in _attribute_figures(attribute, found.counts, periods, scheme, level)
    ]
    return Monitoring(
        method=scheme.method,
        event=scheme.event,
        names=scheme.names,
        periods=tuple(periods),
        figures=tuple(figures),
    )


def _attribute_figures(
    attribute: Attribute, counts: Array, periods: Sequence[str], scheme: Scheme, level: float
) -> list[PeriodFigures]:
    """Return the figures of an attribute in training and in each period."""
    training = training_counts(attribute)
    by_period = counts.reshape(len(counts), len(periods), -1)
    has_classes = by_period.shape[2] == training.shape[1] and len(scheme.classes) > 1
    nothing: dict[str, Any] = dict.fromkeys(("psi", "psi_by_chance", "p_value", "verdict"))
    ranks = _training_rates(training, scheme.event_place)
    own = _about_event(training, ranks, scheme.event_place)
    figures = [PeriodFigures(attribute=attribute.name, period=TRAINING, rows=float(training.sum()), **nothing, **own)]
    for place, period in enumerate(periods):
        new = by_period[:, place]
        event = scheme.event_place if has_classes else None
        figures.append(
            PeriodFigures(
                attribute=attribute.name,
                period=period,
                rows=float(new.sum()),
                **_shift(training, new, level, has_classes=has_classes),
                **_about_event(new, ranks, event),
            )
        )
    return figures


def _shift(training: Array, new: Array, level: float, *, has_classes: bool) -> dict[str, Any]:
    """Return how far the rows of a period moved between the bins."""
    found = measured(training, new, level, has_classes=has_classes)
    some = training.sum(axis=1) + new.sum(axis=1) > 0
    by_chance = None if found["index"] is None else index_by_chance(training[some].sum(axis=1), new[some].sum(axis=1))
    return {
        "psi": found["index"],
        "psi_by_chance": by_chance,
        "p_value": found["p_value"],
        "verdict": found["verdict"],
    }


def _training_rates(training: Array, event: int | None) -> Array | None:
    """Return the rate of the event in each bin; that of all rows where there are none."""
    if event is None or not training.sum():
        return None
    rows, of_all = training.sum(axis=1), training[:, event].sum() / training.sum()
    rates: Array = np.divide(training[:, event], rows, out=np.full(len(rows), of_all), where=rows > 0)
    return rates


def _about_event(counts: Array, ranks: Array | None, event: int | None) -> dict[str, Any]:
    """Return the rate of the event and the Gini coefficient of bins in the order of training, with intervals."""
    names = ("rate", "rate_low", "rate_high", "gini", "gini_low", "gini_high")
    total = float(counts.sum())
    if event is None or ranks is None or not total:
        return dict.fromkeys(names)
    events = counts[:, event]
    rate = float(events.sum()) / total
    found = ranked_gini(ranks, events, counts.sum(axis=1) - events)
    ranked = (None, None, None) if found is None else (found.gini, found.low, found.high)
    return dict(zip(names, (rate, *wilson(rate, total), *ranked), strict=True))
