"""A scheme as one page of HTML, which needs no other file and no network.

Without scripts the page shows everything; with them cuts and groups can be edited.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutwise.criteria.score import SMOOTHING
from cutwise.files import write_whole
from cutwise.report.bars import N_COLOURS, PICTURE_STYLE
from cutwise.report.markup import Markup, data_text, joined, left_head, share_cell, shortened, table, tag
from cutwise.report.new_rows import check_evaluation, new_rows_section, verdict_cell
from cutwise.report.section import attribute_section, figure_text
from cutwise.report.summary import count_rows, ranked_attributes, summarize
from cutwise.scheme import STOP_REASONS
from cutwise.scheme.attribute import without_unknown_rows
from cutwise.scheme.bin_table import SUMMARY_COLUMNS, summary_lines
from cutwise.scheme.text import counted, has_divergence, has_own_score, is_tested, rows_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from cutwise.counts import ColumnCounts
    from cutwise.scheme import Attribute, AttributeEvaluation, Evaluation, Scheme

    Checked = dict[str, AttributeEvaluation]
    Figures = Mapping[str, Mapping[str, Any]]


_HEAD = (
    '<meta charset="utf-8">\n'
    '<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta name="referrer" content="no-referrer">\n'
)

_PSI_WORDS = (
    ("Divergence J", "How much the bins differ between training and validation rows, in bits. Less is better."),
    ("Psi", "What the search maximises: the relevance, lowered a little for each cut, less the divergence, in bits."),
)
_SURE_WORDS = (
    ("p", "How often the best cut of the same rows is as good if their classes are dealt at random. Less is surer."),
    ("p of groups", "How often categories differ as much as those of a group that was divided, by chance."),
    ("Less on new rows", "What the choice of cuts by these rows, and their number, add to the relevance on average."),
)
_EVENT_WORDS = (
    ("Event", "The class that rates, weights of evidence and trends are about."),
    (
        "WoE",
        "Weight of evidence of a bin: ln(its share of the others / its share of the events). Above 0: fewer events.",
    ),
    ("IV", "Information value: how far events and others are apart over the bins. Below 0.02 little, above 0.3 much."),
    ("Gini", "2 AUC - 1 if rows are ranked by the event rate of their bins: 0 no better than chance, 1 perfect."),
    ("KS", "The largest difference between the shares of events and of others that such a ranking has reached."),
    ("Line (picture)", "The rate of the event in each bin, with its scale on the right."),
)
_WORDS = (
    ("Relevance I", "How much the bins tell about the class: their mutual information, in bits. More is better."),
    ("Bin (a, b]", "The values above a, up to b and b itself."),
    ("Rows (picture)", "The width of a bar is its share of the rows; its parts are the shares of the classes."),
    ("Values (picture)", "A histogram: equal steps of the value, stacked by class."),
    ("Edited", "The bins were set by hand; the downloaded scheme says so."),
)


def html_report(
    scheme: Scheme,
    title: str = "Discretization report",
    tables: Sequence[ColumnCounts | None] | None = None,
    evaluation: Evaluation | None = None,
    *,
    left_out: Mapping[str, str] | None = None,
) -> str:
    """Return an HTML report of a scheme, in which its cuts can be edited.

    Parameters
    ----------
    scheme : Scheme
    title : str, default="Discretization report"
        The heading of the page.
    tables : sequence of ColumnCounts or None, optional
        The counts of each column, as `count_rows` gives them; then cuts can be moved and added, and
        categories moved to other groups. Without them cuts can only be removed and put back.
    evaluation : Evaluation, optional
        What `Scheme.evaluate` says of the scheme on other rows, which the page then shows too.
    left_out : mapping of str to str, optional
        Columns of the table that the scheme was not learned from, and why, as `cutwise.flag_columns` says.

    Returns
    -------
    str
        HTML that loads nothing and runs nothing but its own script, whatever the names in
        the data are.

    See Also
    --------
    write_report : From a fitted discretizer and its rows to a file.

    Examples
    --------
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> page = html_report(MRmDDiscretizer().fit(X, y).scheme_)
    >>> page.splitlines()[0]
    '<!DOCTYPE html>'
    """
    if evaluation is not None:
        check_evaluation(evaluation, scheme)
    drawn = replace(scheme, attributes=tuple(map(without_unknown_rows, scheme.attributes)))
    header = _header(drawn, title, evaluation, left_out or {})
    figures = {line[0]: dict(zip(SUMMARY_COLUMNS, line, strict=True)) for line in summary_lines(scheme, SMOOTHING)}
    return document(title, header, _sections(drawn, figures, evaluation), _scripts(scheme, tables))


def document(title: str, header: Markup, sections: Sequence[Markup], scripts: Sequence[Markup] = ()) -> str:
    """Return a whole page; without scripts its policy allows none."""
    metas = Markup(_HEAD.format(policy=content_policy(has_script=bool(scripts))))
    head = tag("head", metas, tag("title", shortened(title)), tag("style", page_style()))
    main = tag("main", joined(sections, "\n"), id="main")
    skip = tag("a", "Skip to the content", class_="skip", href="#main")
    foot = tag("footer", tag("p", "Made by cutwise. This page loads nothing and sends nothing."))
    body = tag("body", joined([skip, header, main, foot, *scripts], "\n"))
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _sections(scheme: Scheme, figures: Figures, evaluation: Evaluation | None) -> list[Markup]:
    """Return what holds for all attributes, then each of them."""
    ranked = ranked_attributes(scheme)
    checked = {} if evaluation is None else {one.name: one for one in evaluation.attributes}
    sections = [_overview(ranked, scheme, figures, checked)]
    if evaluation is not None:
        sections.append(new_rows_section(evaluation, {one.name: rank for rank, one in enumerate(ranked, 1)}))
    sections.append(_words(scheme))
    sections += [
        attribute_section(attribute, scheme, rank, figures[attribute.name], checked.get(attribute.name))
        for rank, attribute in enumerate(ranked, 1)
    ]
    return sections


def _scripts(scheme: Scheme, tables: Sequence[ColumnCounts | None] | None) -> list[Markup]:
    """Return the data as text that no parser of HTML takes for markup, and the script."""
    if not scheme.attributes:
        return []
    return [
        tag("script", _inert(summarize(scheme, tables)), type="application/json", id="data"),
        tag("script", page_script(), type="module"),
    ]


def _inert(data: dict[str, Any]) -> Markup:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


def _header(scheme: Scheme, title: str, evaluation: Evaluation | None, left_out: Mapping[str, str]) -> Markup:
    """Return the title and what was learned from what."""
    facts = [counted(len(scheme.attributes), "attribute"), counted(len(scheme.classes), "class")]
    event = [] if scheme.event is None else [tag("p", "Event: ", tag("strong", data_text(scheme.event)), class_="lead")]
    if scheme.attributes:
        first = scheme.attributes[0]
        facts.insert(0, counted(sum(first.rows) + sum(first.missing_by_class), "row"))
    settings = ", ".join(f"{key} = {value}" for key, value in sorted(scheme.parameters.items()))
    return tag(
        "header",
        tag("h1", data_text(title)),
        tag("p", data_text(scheme.method), ": ", ", ".join(facts), class_="lead"),
        *event,
        tag("p", "Settings: ", data_text(settings or "none", 400), class_="lead"),
        *(
            tag("p", "Left out: ", data_text(name), ": ", data_text(why, 200), class_="lead")
            for name, why in left_out.items()
        ),
        *([] if evaluation is None else [_verdict(evaluation)]),
    )


def _verdict(evaluation: Evaluation) -> Markup:
    """Return what the new rows say, which leads to the section about them."""
    return tag("p", tag("a", "On new rows", href="#new-rows"), ": ", data_text(evaluation.verdict, 600), class_="lead")


def _overview(ranked: list[Attribute], scheme: Scheme, figures: Figures, checked: Checked) -> Markup:
    """Return the table of all attributes."""
    best = max((attribute.relevance for attribute in ranked), default=0.0)
    about = ["Relevance", left_head("Kind"), "Bins", "Rows", "Missing"]
    if scheme.event is not None:
        about = ["IV", "Gini", "KS", left_head("Trend"), "Bins", "Missing", left_head("Kind"), "Relevance"]
    heads = ["Rank", "Attribute", *([left_head("On new rows")] if checked else []), *about]
    heads += ["J"] if has_divergence(scheme) else []
    heads += [data_text(scheme.criterion)] if has_own_score(scheme) else []
    # There is room for few of them; the sections say the others.
    heads += [left_head("Why it stopped")] if scheme.event is None and not checked else []
    rows = [
        [str(rank), _link(attribute, rank), *_overview_row(attribute, best, scheme, figures[attribute.name])]
        for rank, attribute in enumerate(ranked, 1)
    ]
    if checked:
        for row, attribute in zip(rows, ranked, strict=True):
            row.insert(2, verdict_cell(checked[attribute.name]))
    elif scheme.event is None:
        stops = [tag("td", STOP_REASONS[attribute.stop], class_="stop") for attribute in ranked]
        rows = [[*row, stop] for row, stop in zip(rows, stops, strict=True)]
    caption = "All attributes, the most relevant first"
    return tag("section", tag("h2", "Overview", id="overview"), table(caption, heads, rows, "overview"))


def _link(attribute: Attribute, rank: int) -> Markup:
    return tag("td", tag("a", data_text(attribute.name), href=f"#attribute-{rank}"), class_="text")


def _overview_row(attribute: Attribute, best: float, scheme: Scheme, figures: Mapping[str, Any]) -> list[str]:
    part = max(attribute.relevance, 0.0) / best if best > 0 else 0.0
    relevance = share_cell(f"{attribute.relevance:.4f}", part, "1", "relevance")
    kind, bins = tag("td", attribute.kind, class_="kind"), tag("td", f"{attribute.n_bins:,}", data_key="bins")
    missing = rows_text(sum(attribute.missing_by_class))
    if scheme.event is None:
        cells = [relevance, kind, bins, rows_text(sum(attribute.rows)), missing]
    else:
        about = [tag("td", figure_text(figures[key], 3), data_key=key) for key in ("iv", "gini", "ks")]
        trend = tag("td", figures["trend"] or "-", class_="kind", data_key="trend")
        cells = [*about, trend, bins, missing, kind, relevance]
    return [
        *cells,
        *([tag("td", f"{attribute.divergence:.4f}", data_key="divergence")] if has_divergence(scheme) else []),
        *([tag("td", f"{attribute.score:.4f}", data_key="score")] if has_own_score(scheme) else []),
    ]


def _words(scheme: Scheme) -> Markup:
    """Return what the words of the report mean."""
    sure = _SURE_WORDS if any(map(is_tested, scheme.attributes)) else ()
    about = () if scheme.event is None else _EVENT_WORDS
    words = [*about, *_WORDS[:1], *(_PSI_WORDS if has_divergence(scheme) else ()), *sure, *_WORDS[1:]]
    return words_section(words)


def words_section(words: Sequence[tuple[str, str]]) -> Markup:
    """Return words of a report with their meanings."""
    pairs = [part for name, meaning in words for part in (tag("dt", name), tag("dd", meaning))]
    return tag("section", tag("h2", "How to read it"), tag("dl", *pairs), class_="words")


# In the order in which they need each other.
SCRIPTS = (
    "numbers",
    "measures",
    "attribute",
    "groups",
    "limits",
    "edits",
    "scheme",
    "history",
    "elements",
    "scale",
    "rates",
    "chart",
    "path",
    "bins",
    "facts",
    "panel",
    "board",
    "group_panel",
    "long_tables",
    "overview",
    "toolbar",
    "main",
)
STYLES = ("page", "new_rows", "shapes", "card", "periods", "chart", "editor", "board")
_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=(?:function|class) (\w+))", re.MULTILINE)


@cache
def page_style() -> Markup:
    """Return the style of the whole page."""
    shares = "".join(f".part-{part}{{--part:{part}%}}" for part in range(101))
    names = [*map(str, range(1, N_COLOURS + 1)), "other", "soft"]
    tints = "".join(f".tint-{name}{{--tint:var(--cutwise-{name})}}" for name in names)
    fills = "".join(f".chart .fill-{name}{{fill:var(--cutwise-{name})}}" for name in names)
    lines = "".join(f".cutwise .line-{name}{{stroke:var(--cutwise-{name})}}" for name in names)
    return Markup(
        "\n".join([PICTURE_STYLE, shares + tints + fills + lines, *(_text(f"{name}.css") for name in STYLES)])
    )


@cache
def page_script() -> Markup:
    """Return all modules as one script: they import each other from files, which a page does not have."""
    return Markup("\n".join(_as_block(_text(f"{name}.js")) for name in SCRIPTS))


def _as_block(module: str) -> str:
    """Return a module as a block that keeps its names to itself, apart from those it exports."""
    exported = ", ".join(_EXPORT.findall(module))
    body = _EXPORT.sub("", _IMPORT.sub("", module))
    return f"const {{ {exported} }} = (() => {{\n{body}return {{ {exported} }};\n}})();"


def content_policy(*, has_script: bool = True) -> str:
    """Return what a page may do: run its own script, if it has one, and use its own style, nothing else."""
    script = f"script-src {_hash(page_script())}; " if has_script else ""
    return f"default-src 'none'; {script}style-src {_hash(page_style())}; base-uri 'none'; form-action 'none'"


def _text(name: str) -> str:
    return files("cutwise.report").joinpath("page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def write_report(
    path: str | PathLike[str],
    discretizer: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    parts: Any = None,
    title: str = "Discretization report",
    evaluation: Evaluation | None = None,
) -> None:
    """Write an HTML report of what a discretizer found, in which its cuts can be edited.

    Parameters
    ----------
    path : str or path
        The file; an older one of that name is replaced.
    discretizer : discretizer
        Fitted.
    X, y, sample_weight, parts
        What was passed to its ``fit``. With ``validation="holdout"`` or ``"crossfit"`` the
        page knows the divergence of edited cuts only if the parts are given or
        ``random_state`` is a whole number.
    title : str, default="Discretization report"
        The heading of the page.
    evaluation : Evaluation, optional
        What ``scheme_.evaluate`` says of other rows; the page shows it beside the training rows.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import MRmDDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fitted = MRmDDiscretizer().fit(X[::2], y[::2])
    ...     held = fitted.scheme_.evaluate(X[1::2], y[1::2])
    ...     write_report(f"{folder}/report.html", fitted, X[::2], y[::2], evaluation=held)
    """
    tables = count_rows(discretizer, X, y, sample_weight, parts)
    write_whole(Path(path), html_report(discretizer.scheme_, title, tables, evaluation).encode())
