"""A scheme by period as a page: small pictures side by side, one for each attribute, and every figure in a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cutwise.files import write_whole
from cutwise.report.html import document, words_section
from cutwise.report.markup import Markup, data_text, joined, left_head, share_cell, shortened, table, tag
from cutwise.report.picture import rate_top
from cutwise.scheme import measures as words
from cutwise.scheme.monitoring import TRAINING, figure_cells
from cutwise.scheme.text import counted, rows_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from cutwise.scheme import Monitoring, PeriodFigures

WIDTH, LEFT, RIGHT = 360.0, 44.0, 350.0
HEIGHT, TOP = 92.0, 26.0
# Names of periods under a picture stand no closer than this.
LABEL_SPACE = 62.0
MANY_LINES = 60
TITLE = "Bins by period"
# From the worst on, with the colours of their marks.
CHANGES = {words.SHIFTED: "6", words.CLASSES_CHANGED: "6", words.A_LITTLE: "2"}
_WORDS = (
    (
        "PSI",
        "Population stability index: how far the rows moved between the bins since training. From 0.25 on it is large.",
    ),
    ("PSI by chance", "What samples of this size have on average without any shift: the ticks in the pictures."),
    ("p", "How likely chance makes such a shift."),
)
_RATE_WORDS = (
    ("Rate", "The share of the event, with its 95 % interval."),
    (
        "Gini",
        "2 AUC - 1 of the bins in the order of their rates in training, with its 95 % interval; dashed: in training.",
    ),
)


def monitoring_report(found: Monitoring, title: str = TITLE) -> str:
    """Return an HTML page of a scheme by period.

    Parameters
    ----------
    found : Monitoring
        What `Scheme.evaluate` says with ``by=…``.
    title : str
        The heading of the page.

    Returns
    -------
    str
        HTML that loads and runs nothing.

    Examples
    --------
    >>> from cutwise import EqualWidthDiscretizer
    >>> scheme = EqualWidthDiscretizer(2).fit([[1], [2], [3], [9]]).scheme_
    >>> monitoring_report(scheme.evaluate([[1], [9], [2], [8]], by=["a", "a", "b", "b"])).splitlines()[0]
    '<!DOCTYPE html>'
    """
    has_rates = _has_rates(found)
    sizes = f"{counted(len(found.names), 'attribute')}, {counted(len(found.periods), 'period')}"
    event = [] if found.event is None else [tag("p", "Event: ", tag("strong", data_text(found.event)), class_="lead")]
    header = tag(
        "header",
        tag("h1", data_text(title)),
        tag("p", data_text(found.method), ": ", sizes, class_="lead"),
        *event,
        tag("p", data_text(found.verdict, 2000), class_="lead"),
    )
    sections = [_periods_section(found), _pictures_section(found), _figures_section(found)]
    return document(title, header, [*sections, words_section([*_WORDS, *(_RATE_WORDS if has_rates else ())])])


def write_monitoring_report(path: str | PathLike[str], found: Monitoring, title: str = TITLE) -> None:
    """Write an HTML page of a scheme by period.

    Parameters
    ----------
    path : str or path
        The file; an older one of that name is replaced.
    found : Monitoring
    title : str
    """
    write_whole(Path(path), monitoring_report(found, title).encode())


def _has_rates(found: Monitoring) -> bool:
    return any(one.rate is not None for one in found.figures if one.period != TRAINING)


def _periods_section(found: Monitoring) -> Markup:
    """Return rows and rate of each period, which are the same for all attributes, and what changed in it."""
    has_rates = _has_rates(found)
    first = found[found.names[0]] if found.names else ()
    rows = [[data_text(one.period), rows_text(one.rows), *_rate_cells(one, has_rates=has_rates)] for one in first]
    changed = [[] if one.period == TRAINING else _changed_in(found, one.period) for one in first]
    cells = [tag("td", joined(names) if names else "-", class_="kind") for names in changed]
    heads = ["Period", "Rows", *(["Rate", "95 % interval"] if has_rates else []), left_head("Changed")]
    lines = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
    return tag(
        "section",
        tag("h2", "Periods", id="periods"),
        table("Training and the periods of new rows", heads, lines, "check"),
    )


def _rate_cells(one: PeriodFigures, *, has_rates: bool) -> list[str]:
    if not has_rates:
        return []
    if one.rate is None:
        return ["-", "-"]
    return [share_cell(f"{one.rate:.1%}", one.rate, "1"), f"{one.rate_low:.1%} to {one.rate_high:.1%}"]


def _changed_in(found: Monitoring, period: str) -> list[Markup]:
    """Return the attributes that changed in a period, with commas between them."""
    changed = [one.attribute for one in found.figures if one.period == period and _is_change(one.verdict)]
    parts = [part for name in changed for part in (Markup(", "), data_text(name, 40))][1:]
    return [*parts[:19], *([Markup(", …")] if len(parts) > 19 else [])]


def _is_change(verdict: str | None) -> bool:
    return not CHANGES.keys().isdisjoint((verdict or "").split(", "))


def _pictures_section(found: Monitoring) -> Markup:
    """Return two small pictures for each attribute: PSI, and Gini where there are classes."""
    has_rates = _has_rates(found)
    cards = []
    for name in found.names:
        own = found[name]
        found_words = [word for one in own for word in (one.verdict or "").split(", ")]
        changes = [(word, found_words.count(word)) for word in CHANGES if word in found_words]
        mark = tag("span", class_=f"swatch tint-{'3' if not changes else CHANGES[changes[0][0]]}")
        pictures = [_psi_picture(own), *([_gini_picture(own)] if has_rates else [])]
        told = ", ".join(f"{word} in {number:,}" for word, number in changes)
        words_of = f"{told} of {len(own) - 1:,} periods" if changes else "no change in any period"
        cards.append(
            tag(
                "div",
                tag("h3", data_text(name)),
                tag("p", mark, words_of, class_="verdict"),
                *pictures,
                class_="multiple",
            )
        )
    return tag("section", tag("h2", "Attributes", id="attributes"), tag("div", *cards, class_="multiples"))


def _psi_picture(own: Sequence[PeriodFigures]) -> Markup:
    """Return PSI by period as bars, with ticks for what chance gives and lines at the usual limits."""
    periods = own[1:]
    top = max([0.3, *(one.psi for one in periods if one.psi is not None)]) * 1.05
    x, y = _places(len(periods)), _height(0.0, top)
    width = max(min((RIGHT - LEFT) / max(len(periods), 1) * 0.6, 26.0), 1.0)
    parts = [
        tag("path", class_="zero", d=f"M{LEFT} {y(limit):.1f}H{RIGHT}")
        for limit in (words.SMALL_INDEX, words.LARGE_INDEX)
    ]
    for place, one in zip(x, periods, strict=True):
        if one.psi is None or one.psi_by_chance is None:
            continue
        colour = "6" if {words.SHIFTED, words.A_LITTLE} & set((one.verdict or "").split(", ")) else "1"
        parts.append(
            tag(
                "rect",
                class_=f"fill-{colour}",
                x=place - width / 2,
                y=y(one.psi),
                width=width,
                height=max(TOP + HEIGHT - y(one.psi), 0.5),
            )
        )
        chance = y(min(one.psi_by_chance, top))
        parts.append(tag("path", class_="chance", d=f"M{place - width / 2 - 2:.1f} {chance:.1f}h{width + 4:.1f}"))
    marks = [(0.0, "0"), (words.SMALL_INDEX, "0.1"), (words.LARGE_INDEX, "0.25")]
    if top > 2 * words.LARGE_INDEX:
        marks = [(0.0, "0"), (words.LARGE_INDEX, "0.25"), (top / 1.05, f"{top / 1.05:.2g}")]
    said = ", ".join(f"{one.period} {one.psi:.3f}" for one in periods if one.psi is not None)
    return _picture("PSI", f"PSI by period: {said}", [*_scale(marks, y), *parts, *_names(x, periods)])


def _gini_picture(own: Sequence[PeriodFigures]) -> Markup:
    """Return Gini by period as a line with a band, and that of training as a dashed line."""
    known = [(place, one) for place, one in zip(_places(len(own) - 1), own[1:], strict=True) if one.gini is not None]
    ends = [end for _, one in known for end in (one.gini_low, one.gini_high) if end is not None]
    training = own[0].gini
    ends += [] if training is None else [training]
    low, high = min([0.0, *ends]), max([0.01, *ends])
    top = rate_top([high])
    y = _height(low, top)
    upper = [f"{place:.1f} {y(one.gini_high or 0.0):.1f}" for place, one in known]
    lower = [f"{place:.1f} {y(one.gini_low or 0.0):.1f}" for place, one in reversed(known)]
    middle = [f"{place:.1f} {y(one.gini or 0.0):.1f}" for place, one in known]
    parts = []
    if training is not None:
        parts.append(tag("path", class_="zero", d=f"M{LEFT} {y(training):.1f}H{RIGHT}"))
    if known:
        parts.append(tag("path", class_="band fill-1", d=f"M{'L'.join([*upper, *lower])}z"))
        parts.append(tag("path", class_="curve line-1", d=f"M{'L'.join(middle)}"))
        parts += [tag("circle", class_="fill-1", cx=p, cy=y(one.gini or 0.0), r=3.0) for p, one in known]
    marks = [(0.0, "0"), (top, f"{top:g}"), *([(low, f"{low:.2g}")] if -low > 0.2 * (top - low) else [])]
    said = ", ".join(f"{one.period} {one.gini:.3f}" for _, one in known)
    names = _names(_places(len(own) - 1), own[1:])
    return _picture("Gini", f"Gini by period: {said}", [*_scale(marks, y), *parts, *names])


def _picture(name: str, said: str, parts: Sequence[Markup]) -> Markup:
    height = TOP + HEIGHT + 24
    return tag(
        "svg",
        tag("title", shortened(said, 2000)),
        tag("text", name, class_="soft", x=4.0, y=14.0),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        class_="cutwise small",
        role="img",
        viewBox=f"0 0 {WIDTH:.0f} {height:.0f}",
        width=round(WIDTH),
        height=round(height),
    )


def _places(n_periods: int) -> list[float]:
    step = (RIGHT - LEFT) / max(n_periods, 1)
    return [LEFT + step * (place + 0.5) for place in range(n_periods)]


def _height(low: float, high: float) -> Callable[[float], float]:
    return lambda value: TOP + HEIGHT * (1 - (value - low) / (high - low))


def _scale(marks: Sequence[tuple[float, str]], y: Callable[[float], float]) -> list[Markup]:
    texts = [tag("text", text, class_="soft", x=LEFT - 6, y=y(value) + 4, text_anchor="end") for value, text in marks]
    return [*texts, tag("path", class_="grid", d=f"M{LEFT} {y(0.0):.1f}H{RIGHT}")]


def _names(places: Sequence[float], periods: Sequence[PeriodFigures]) -> list[Markup]:
    """Return the names of as many periods as there is room for."""
    labels: list[Markup] = []
    last = -LABEL_SPACE
    for place, one in zip(places, periods, strict=True):
        if place - last >= LABEL_SPACE:
            last = place
            text = shortened(one.period, 10)
            labels.append(tag("text", text, class_="soft", x=place, y=TOP + HEIGHT + 18, text_anchor="middle"))
    return labels


def _figures_section(found: Monitoring) -> Markup:
    head, lines = figure_cells(found)
    heads: list[str] = [name if name == "p" else name[:1].upper() + name[1:] for name in head]
    heads[-1] = left_head(heads[-1])
    rows = [[*map(data_text, line[:-1]), tag("td", line[-1], class_="kind")] for line in lines]
    style = "check many" if len(rows) > MANY_LINES else "check"
    return tag(
        "section", tag("h2", "Figures", id="figures"), table("Every attribute in every period", heads, rows, style)
    )
