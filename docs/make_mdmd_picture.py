"""Draw the picture of the page about MDmD: ``python docs/make_mdmd_picture.py``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cutwise import MDmDDiscretizer, MRmDDiscretizer
from cutwise.report.bars import PICTURE_STYLE
from cutwise.report.markup import Markup, joined, tag

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH, HEIGHT, EDGE = 720.0, 452.0, 20.0
SIDE, TOP, LEFTS = 310.0, 104.0, (44.0, 390.0)
N_SHOWN = 500
STYLE = Markup(
    ".cutwise .cut{fill:none;stroke:var(--cutwise-ink);stroke-width:2}"
    ".cutwise .round{stroke:var(--cutwise-1);stroke-width:5;stroke-linecap:round}"
    ".cutwise .square{stroke:var(--cutwise-2);stroke-width:4;stroke-linecap:square}"
)


def table() -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return two columns that are informative about the class only jointly, and two of noise."""
    X = np.random.default_rng(0).random((2000, 4))
    return X, (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)


def panel(left: float, name: str, cuts: list[NDArray[np.float64]], X: NDArray[np.float64], y: NDArray[np.bool_]) -> str:
    """Return the rows in the plane of the first two columns, with the cuts of one method."""
    bottom = TOP + SIDE
    dots = ["", ""]
    for (x0, x1), one in zip(X[:N_SHOWN, :2], y[:N_SHOWN], strict=True):
        dots[int(one)] += f"M{left + SIDE * x0:.0f} {bottom - SIDE * x1:.0f}h0"
    lines = [f"M{left + SIDE * cut:.1f} {TOP}v{SIDE}" for cut in cuts[0]]
    lines += [f"M{left} {bottom - SIDE * cut:.1f}h{SIDE}" for cut in cuts[1]]
    noise = sum(chosen.size for chosen in cuts[2:])
    told = f"cuts: {cuts[0].size} in x0, {cuts[1].size} in x1, {noise} in the noise"
    return joined(
        [
            tag("text", name, class_="strong", x=left, y=TOP - 28),
            tag("text", told, class_="soft", x=left, y=TOP - 11),
            tag("path", class_="round", d=dots[0]),
            tag("path", class_="square", d=dots[1]),
            tag("path", class_="cut", d="".join(lines)),
            tag("path", class_="lines", d=f"M{left} {TOP}h{SIDE}v{SIDE}h-{SIDE}z"),
            tag("text", "x0", class_="soft", x=left + SIDE / 2, y=bottom + 20, text_anchor="middle"),
            tag("text", "x1", class_="soft", x=left - 8, y=TOP + SIDE / 2, text_anchor="end"),
        ]
    )


def picture() -> str:
    """Return the cuts of MRmD and of MDmD side by side as an SVG image."""
    X, y = table()
    alone, together = MRmDDiscretizer().fit(X, y).cuts_, MDmDDiscretizer().fit(X, y).cuts_
    heading = "y = (x0 > 0.5) xor (x1 > 0.5), and two columns of noise"
    return tag(
        "svg",
        tag("title", "Cuts of MRmD and of MDmD on an exclusive or"),
        tag("desc", "MRmD looks at each column alone and finds only accidents; MDmD finds the two cuts at 0.5."),
        tag("style", joined([PICTURE_STYLE, STYLE])),
        tag("rect", class_="paper", x=0.5, y=0.5, width=WIDTH - 1, height=HEIGHT - 1, rx=8.0),
        tag("text", heading, class_="name", x=EDGE, y=36.0),
        panel(LEFTS[0], "MRmD: each column alone", alone, X, y),
        panel(LEFTS[1], "MDmD: all columns together", together, X, y),
        xmlns="http://www.w3.org/2000/svg",
        class_="cutwise",
        role="img",
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        width=round(WIDTH),
        height=round(HEIGHT),
    )


if __name__ == "__main__":
    Path(__file__).with_name("mdmd.svg").write_text(picture() + "\n", encoding="utf-8")
