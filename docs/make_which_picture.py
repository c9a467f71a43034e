"""Draw the questions that lead to a discretizer: ``python docs/make_which_picture.py``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cutwise.report.bars import PICTURE_STYLE
from cutwise.report.markup import Markup, joined, tag

WIDTH, TOP, STEP, BOX = 760.0, 92.0, 78.0, 54.0
LEFT, QUESTION_WIDTH, ANSWER_LEFT, ANSWER_WIDTH = 24.0, 352.0, 452.0, 284.0


class Branch(NamedTuple):
    """A question of two lines, and the methods to take if the answer is yes."""

    question: tuple[str, str]
    methods: str
    why: str


BRANCHES = (
    Branch(
        ("Are the cuts prescribed,", "or agreed on already?"),
        "FixedCuts, FixedScheme",
        "kept whatever the rows say",
    ),
    Branch(
        ("Is there no class,", "or must it not be looked at?"),
        "EqualFrequency, PKID",
        "EqualWidth only without outliers",
    ),
    Branch(
        ("Are columns informative about", "the class only jointly?"),
        "MDmD",
        "all columns cut at once",
    ),
    Branch(
        ("Should a column stay uncut", "unless its signal is beyond doubt?"),
        "MODL, MDLP",
        "MODL uses unlabelled rows too",
    ),
    Branch(
        ("Do you want about as many bins", "as there are classes?"),
        "CAIM, CACC, Ameva",
        "few bins, many classes",
    ),
    Branch(
        ("Do the columns settle the class,", "and should few of them remain?"),
        "ModifiedChi2, ExtendedChi2, Chi2",
        "not for noisy classes",
    ),
    Branch(
        ("Should training errors decide,", "even if it takes minutes?"),
        "EMD",
        "a genetic search, with a seed",
    ),
)
LAST = Branch(("None of these?", ""), "MRmD", "bins that hold on new data")


def box(left: float, top: float, width: float, lines: tuple[str, str], style: str) -> Markup:
    """Return a box with one or two lines, the first in bold if the box is an answer."""
    shown = [line for line in lines if line]
    first = top + BOX / 2 + 4 - 9 * (len(shown) - 1)
    texts = [
        tag("text", line, x=left + 16, y=first + 18 * row, class_=_text_style(style, row))
        for row, line in enumerate(shown)
    ]
    frame = tag("rect", x=left, y=top, width=width, height=BOX, rx=8, class_=style, **_fill(style))
    return tag("g", frame, *texts)


def _text_style(style: str, row: int) -> str:
    """Return the style of a line: the names of methods stand out, what is said of them is soft."""
    if style == "paper":
        return ""
    return "soft" if row else "strong"


def _fill(style: str) -> dict[str, float]:
    """Return how strong the colour of a box is."""
    return {} if style == "paper" else {"fill_opacity": 0.16}


def arrow_right(x: float, y: float, end: float, word: str) -> Markup:
    """Return a line to the right with its head, and the answer that it stands for."""
    line = tag("path", d=f"M{x:g} {y:g}H{end:g}m-6 -4l6 4l-6 4", class_="lines")
    return tag("g", line, tag("text", word, x=(x + end) / 2, y=y - 6, class_="soft", text_anchor="middle"))


def arrow_down(x: float, y: float, end: float, word: str) -> Markup:
    """Return a line down with its head, and the answer that it stands for."""
    line = tag("path", d=f"M{x:g} {y:g}V{end:g}m-4 -6l4 6l4 -6", class_="lines")
    return tag("g", line, tag("text", word, x=x + 12, y=(y + end) / 2 + 4, class_="soft"))


def branch(place: int, each: Branch) -> list[Markup]:
    """Return a question with its answer and the ways on."""
    top = TOP + STEP * place
    return [
        box(LEFT, top, QUESTION_WIDTH, each.question, "paper"),
        arrow_right(LEFT + QUESTION_WIDTH, top + BOX / 2, ANSWER_LEFT - 2, "yes"),
        box(ANSWER_LEFT, top, ANSWER_WIDTH, (each.methods, each.why), "fill-1"),
        arrow_down(LEFT + 40, top + BOX, top + STEP - 2, "no"),
    ]


def picture() -> str:
    """Return the picture as an SVG image."""
    top = TOP + STEP * len(BRANCHES)
    height = top + BOX + 24
    parts = [part for place, each in enumerate(BRANCHES) for part in branch(place, each)]
    head = [
        tag("text", "Which discretizer?", x=LEFT, y=38, class_="name"),
        tag("text", "Ask from top to bottom; the first yes decides.", x=LEFT, y=62, class_="soft"),
    ]
    last = [
        box(LEFT, top, QUESTION_WIDTH, LAST.question, "paper"),
        arrow_right(LEFT + QUESTION_WIDTH, top + BOX / 2, ANSWER_LEFT - 2, ""),
        box(ANSWER_LEFT, top, ANSWER_WIDTH, (LAST.methods, LAST.why), "fill-3"),
    ]
    return tag(
        "svg",
        tag("title", "Questions that lead to a discretizer"),
        tag("style", PICTURE_STYLE),
        tag("rect", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=8, class_="paper"),
        joined([*head, *parts, *last]),
        class_="cutwise",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:g} {height:g}",
        width=WIDTH,
        height=height,
        role="img",
    )


if __name__ == "__main__":
    Path(__file__).with_name("which.svg").write_text(picture() + "\n", encoding="utf-8")
