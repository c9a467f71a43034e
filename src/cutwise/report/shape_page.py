"""An additive model as one page of HTML: what each column and each pair of columns adds to the scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.files import write_whole
from cutwise.report.bars import ClassGroup, colours_by_size
from cutwise.report.html import document, words_section
from cutwise.report.markup import Markup, data_text, joined, percent, share_cell, table, tag
from cutwise.report.pair_picture import DrawnPair, pair_picture
from cutwise.report.section import class_head, fact_list
from cutwise.report.shape_picture import DrawnShape, shape_picture, signed
from cutwise.report.shapes import ERRORS, short_group_labels
from cutwise.scheme import NumericAttribute
from cutwise.scheme.text import counted, rows_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike


# The columns and pairs after these are in the overview only, so that the page stays small.
MOST_TERMS = 200
MOST_LISTED = 200

_WORDS = (
    ("Score", "What a bin adds to the sum of a class. The class with the largest sum is the prediction."),
    ("Probability", "That of a class is in proportion to the exponential of its start plus the scores of a row."),
    ("Band (picture)", "1.96 standard errors to either side, from the curvature of the loss: about 95 cases of 100."),
    ("Rows (picture)", "The training rows of each bin, the fullest bin highest. Every picture has its own scale."),
    ("Importance", "The mean of the absolute scores over the training rows: how much a column, or a pair, moves them."),
    ("Pair", "What two columns add together, beyond what each of them adds alone."),
    ("Bin (a, b]", "The values above a, up to b and b itself."),
)
TITLE = "Shapes of an additive model"


def shapes_report(model: Any, title: str = TITLE) -> str:
    """Return an HTML report of an additive model: its shapes with bands, importances, and pairs as heat maps.

    Parameters
    ----------
    model : AdditiveClassifier
        Fitted.
    title : str, default="Shapes of an additive model"
        The heading of the page.

    Returns
    -------
    str
        HTML that loads nothing and runs nothing, whatever the names in the data are.

    See Also
    --------
    write_shapes_report : To a file.
    html_report : The bins of a scheme, in which cuts can be edited.

    Examples
    --------
    >>> from cutwise import AdditiveClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> page = shapes_report(AdditiveClassifier().fit(X, y))
    >>> page.splitlines()[0]
    '<!DOCTYPE html>'
    """
    if not hasattr(model, "plot_shape"):
        raise TypeError(
            f"The report of shapes is for a fitted AdditiveClassifier, not for {type(model).__name__}. "
            "Pass one, or a scheme to html_report."
        )
    words = _WORDS if model.pairs_ else [word for word in _WORDS if word[0] != "Pair"]
    terms, groups = _terms(model), _groups(model)
    sections = [_overview(terms, groups), words_section(words)]
    sections += [_section(term, groups, rank, terms) for rank, term in enumerate(terms[:MOST_TERMS], 1)]
    return document(title, _header(model, title, groups), sections)


def write_shapes_report(path: str | PathLike[str], model: Any, *, title: str = TITLE) -> None:
    """Write an HTML report of an additive model.

    Parameters
    ----------
    path : str or path
        The file; an older one of that name is replaced.
    model : AdditiveClassifier
        Fitted.
    title : str, default="Shapes of an additive model"
        The heading of the page.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import AdditiveClassifier
    >>> model = AdditiveClassifier(pairs=2).fit(*load_iris(return_X_y=True))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_shapes_report(f"{folder}/shapes.html", model)
    """
    write_whole(Path(path), shapes_report(model, title).encode())


@dataclass(frozen=True, eq=False)
class Term:
    """What a column, or a pair of columns, adds.

    Parameters
    ----------
    drawn : DrawnShape or DrawnPair
    importance : float
        The mean of its absolute scores over the training rows.
    kind : str
    """

    drawn: DrawnShape | DrawnPair
    importance: float
    kind: str

    @property
    def name(self) -> Markup:
        """The column, or both of them."""
        if isinstance(self.drawn, DrawnShape):
            return data_text(self.drawn.name)
        return joined([data_text(self.drawn.names[0]), " with ", data_text(self.drawn.names[1])])

    @property
    def size(self) -> str:
        """The number of bins, or of cells."""
        if isinstance(self.drawn, DrawnShape):
            return f"{self.drawn.bins.size:,}"
        return " by ".join(map(str, self.drawn.rows.shape))

    def range(self, groups: Sequence[ClassGroup]) -> str:
        """Return the lowest and the highest score of some classes."""
        scores = self.drawn.scores[self.drawn.bins] if isinstance(self.drawn, DrawnShape) else self.drawn.scores
        shown = scores[..., [group.places[0] for group in groups]]
        return f"{signed(shown.min())} to {signed(shown.max())}" if shown.size else "-"


def _terms(model: Any) -> list[Term]:
    """Return columns and pairs, the most important first."""
    learned = model.classifier_
    alone, paired = learned.term_importances()
    attributes = model.scheme_.attributes
    terms = [Term(_shape(model, j), float(alone[j]), attribute.kind) for j, attribute in enumerate(attributes)]
    terms += [Term(_pair(model, place), float(moved), "pair") for place, moved in enumerate(paired)]
    return sorted(terms, key=lambda term: -term.importance)


def _shape(model: Any, j: int) -> DrawnShape:
    attribute = model.scheme_.attributes[j]
    shape = model.shape(attribute.name)
    return DrawnShape(
        name=attribute.name,
        labels=shape["bin"],
        rows=np.array(shape["rows"]),
        scores=np.column_stack([shape[f"score of {label}"] for label in model.classes_.tolist()]),
        errors=np.array(shape["standard error"]),
        n_ordered=int(model.classifier_.tables_.counts.n_ordered[j]),
        cuts=attribute.cuts if isinstance(attribute, NumericAttribute) else (),
    )


def _pair(model: Any, place: int) -> DrawnPair:
    learned = model.classifier_
    grids = learned.grids_
    columns, groups, scores = grids.described(place)
    cells = slice(*grids.firsts[place : place + 2])
    one, two = (model.scheme_.attributes[j] for j in columns)
    return DrawnPair(
        names=(one.name, two.name),
        labels=(short_group_labels(one, groups[0]), short_group_labels(two, groups[1])),
        scores=scores,
        errors=grids.learned.errors[cells].reshape(scores.shape[:2]),
        rows=learned.pair_rows_[cells].reshape(scores.shape[:2]),
    )


def _groups(model: Any) -> list[ClassGroup]:
    """Return the classes whose scores are shown: of two the second, of many the largest."""
    labels = model.classes_.tolist()
    colours = colours_by_size(model.classifier_.tables_.counts.of_class.tolist())
    groups = [
        ClassGroup(str(label), (place,), colour)
        for place, (label, colour) in enumerate(zip(labels, colours, strict=True))
        if colour != "other"
    ]
    return groups[1:] if len(labels) == 2 else groups


def _header(model: Any, title: str, groups: Sequence[ClassGroup]) -> Markup:
    counts = model.classifier_.tables_.counts.of_class
    facts = [
        counted(float(counts.sum()), "row"),
        counted(len(model.scheme_.attributes), "column"),
        *([counted(len(model.pairs_), "pair")] if model.pairs_ else []),
        counted(len(model.classes_), "class"),
    ]
    chosen = "chosen inside the training rows" if model.alpha is None else "given"
    starts = [
        part
        for group in groups
        for part in (", ", data_text(group.label, 40), f" {signed(model.start_[group.places[0]])}")
    ]
    return tag(
        "header",
        tag("h1", data_text(title)),
        tag("p", "Additive model: ", ", ".join(facts), class_="lead"),
        tag("p", f"Strength of the pull: alpha = {model.alpha_:.6g}, {chosen}", class_="lead"),
        tag("p", "Start, before any column is known: ", *starts[1:], class_="lead"),
        *_said_of_classes(model, groups),
    )


def _said_of_classes(model: Any, groups: Sequence[ClassGroup]) -> list[Markup]:
    """Return which classes are not shown, and what stands for them."""
    labels = model.classes_.tolist()
    if len(labels) == 2:
        words = ["A positive score speaks for ", data_text(labels[1], 40), ", a negative one for "]
        return [tag("p", *words, data_text(labels[0], 40), ".", class_="lead")]
    if len(labels) > len(groups):
        words = [f"The scores of the {len(groups)} largest of {len(labels):,} classes are shown."]
        return [tag("p", *words, class_="lead")]
    return []


def _overview(terms: Sequence[Term], groups: Sequence[ClassGroup]) -> Markup:
    """Return the table of all columns and pairs."""
    heads = ["Rank", "Column", "Importance", "Share", "Kind", "Bins", "Scores"]
    best = max((term.importance for term in terms), default=0.0)
    total = sum(term.importance for term in terms)
    rows = []
    for rank, term in enumerate(terms, 1):
        name = tag("a", term.name, href=f"#term-{rank}") if rank <= MOST_TERMS else term.name
        rows.append(
            [
                str(rank),
                tag("td", name, class_="text"),
                share_cell(f"{term.importance:.4f}", term.importance / best if best > 0 else 0.0, "1"),
                percent(term.importance, total),
                tag("td", term.kind, class_="kind"),
                term.size,
                term.range(groups),
            ]
        )
    more = f"The first {MOST_TERMS} of {len(terms):,} have sections of their own."
    return tag(
        "section",
        tag("h2", "Overview", id="overview"),
        table("All columns and pairs, the most important first", heads, rows, "overview terms"),
        *([tag("p", more, class_="note")] if len(terms) > MOST_TERMS else []),
    )


def _section(term: Term, groups: Sequence[ClassGroup], rank: int, terms: Sequence[Term]) -> Markup:
    """Return picture and table of a column or a pair."""
    total = sum(one.importance for one in terms)
    facts = [
        ("Importance", f"{term.importance:.4f}"),
        ("Share of all", percent(term.importance, total)),
        ("Kind", term.kind),
        ("Scores", term.range(groups)),
    ]
    drawn = term.drawn
    if isinstance(drawn, DrawnShape):
        pictures, numbers = [shape_picture(drawn, groups)], _bins(drawn, groups)
    else:
        pictures = [pair_picture(drawn, group.places[0], group.label) for group in groups]
        numbers = _cells(drawn, groups)
    return tag(
        "section",
        tag("h2", tag("span", f"{rank}", class_="rank"), " ", term.name, id=f"name-{rank}"),
        fact_list(facts),
        *(tag("figure", picture, class_="scroll", tabindex="0") for picture in pictures),
        numbers,
        tag("p", tag("a", "Back to the overview", href="#overview"), class_="back"),
        id=f"term-{rank}",
        data_rank=str(rank),
        aria_labelledby=f"name-{rank}",
    )


def _bins(shape: DrawnShape, groups: Sequence[ClassGroup]) -> Markup:
    style = "text interval" if shape.cuts else "text"
    rows = [
        [str(one), tag("td", data_text(shape.labels[one]), class_=style), *_numbers(shape, one, groups)]
        for one in shape.bins
    ]
    return _numbers_table("Bins and their scores", ["Code", "Bin"], rows, groups)


def _cells(pair: DrawnPair, groups: Sequence[ClassGroup]) -> Markup:
    places = list(np.ndindex(*pair.rows.shape))
    rows = [
        [
            data_text(pair.labels[0][i]),
            tag("td", data_text(pair.labels[1][j]), class_="text"),
            *_numbers(pair, (i, j), groups),
        ]
        for i, j in places
    ]
    return _numbers_table("Cells and their scores", [*map(data_text, pair.names)], rows, groups)


def _numbers(drawn: DrawnShape | DrawnPair, place: Any, groups: Sequence[ClassGroup]) -> list[str]:
    """Return rows, share of the rows, scores and band of a bin or a cell."""
    count = float(drawn.rows[place])
    total = float(drawn.rows.sum())
    scores = drawn.scores[place]
    return [
        rows_text(count),
        share_cell(percent(count, total), count / total if total else 0.0, "soft"),
        *(signed(scores[group.places[0]]) for group in groups),
        f"± {ERRORS * drawn.errors[place]:.3f}",
    ]


def _numbers_table(caption: str, first: list[str], rows: list[list[str]], groups: Sequence[ClassGroup]) -> Markup:
    """Return a table that opens on demand."""
    heads = [*first, "Rows", "Share of rows", *(class_head(group.label, group.colour) for group in groups), "Band"]
    notes = []
    if len(rows) > MOST_LISTED:
        notes.append(tag("p", f"The first {MOST_LISTED} of {len(rows):,} are shown.", class_="note"))
    return tag(
        "details",
        tag("summary", "All numbers"),
        table(caption, heads, rows[:MOST_LISTED], "bins"),
        *notes,
        class_="steps-frame",
    )
