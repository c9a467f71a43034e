"""Draw the schemes of all methods side by side: ``python docs/make_methods_picture.py``."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import cutwise
from cutwise.report.bars import PICTURE_STYLE
from cutwise.report.markup import Markup, joined, tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.discretize import BaseDiscretizer

WIDTH, ROW, LEFT, RIGHT, TOP, BOTTOM = 760.0, 30.0, 150.0, 30.0, 96.0, 40.0
YOUNGEST, OLDEST = 18, 79
SETTINGS = {"EMD": {"random_state": 0}}


def methods() -> list[BaseDiscretizer]:
    """Return every method in the order of the guide, with the settings that it shows."""
    names = ["MRmD", "MaxRelevance", "MDLP", "CAIM", "CACC", "Ameva", "ChiMerge", "Chi2", "ModifiedChi2"]
    names += ["ExtendedChi2", "CADD", "MODL", "EMD", "MDmD", "Joint"]
    names += ["EqualWidth", "EqualFrequency", "FixedFrequency", "PKID"]
    return [getattr(cutwise, f"{name}Discretizer")(**SETTINGS.get(name, {})) for name in names]


def toy() -> tuple[np.ndarray, np.ndarray]:
    """Return the table of the guide: ages, and who is ill."""
    rng = np.random.default_rng(4)
    age = rng.integers(18, 80, 300)
    ill = rng.random(300) < np.select([age < 35, age < 60], [0.1, 0.7], 0.4)
    return age[:, None], np.where(ill, "ill", "well")


def place(age: float) -> float:
    """Return where an age is on the page."""
    return LEFT + (age - YOUNGEST) / (OLDEST - YOUNGEST) * (WIDTH - LEFT - RIGHT)


def bins(cuts: Sequence[float], rates: Sequence[float], top: float) -> list[Markup]:
    """Return the bins of one scheme as boxes; the more are ill, the stronger the colour."""
    edges = [YOUNGEST, *cuts, OLDEST]
    return [
        tag(
            "rect",
            x=place(low) + 0.5,
            y=top,
            width=max(place(high) - place(low) - 1.0, 0.5),
            height=ROW - 10,
            class_="fill-1",
            fill_opacity=0.08 + 0.92 * rate,
        )
        for (low, high), rate in zip(pairwise(edges), rates, strict=True)
    ]


def method_row(method: BaseDiscretizer, top: float) -> Markup:
    """Return the name of a method and its bins."""
    attribute = method.fit(*toy()).scheme_["x0"]
    rates = [counts[0] / max(sum(counts), 1) for counts in attribute.class_counts]
    name = type(method).__name__.removesuffix("Discretizer")
    label = tag("text", name, x=LEFT - 12, y=top + 15, text_anchor="end")
    return tag("g", label, *bins(attribute.cuts, rates, top))


def truth(top: float) -> Markup:
    """Return the rates from which the table was drawn."""
    label = tag("text", "the truth", x=LEFT - 12, y=top + 15, text_anchor="end", class_="strong")
    return tag("g", label, *bins([34.5, 59.5], [0.1, 0.7, 0.4], top))


def axis(top: float) -> list[Markup]:
    """Return the ages below the schemes."""
    return [
        tag("text", str(age), x=place(age), y=top + 16, text_anchor="middle", class_="soft")
        for age in range(20, 80, 10)
    ]


def picture() -> str:
    """Return the picture as an SVG image."""
    rows = [method_row(method, TOP + ROW * i) for i, method in enumerate(methods(), start=1)]
    height = TOP + ROW * (len(rows) + 1) + BOTTOM
    head = [
        tag("text", "Who is ill? One column, 300 rows, every method", x=24, y=36, class_="name"),
        tag("text", "Bins of age; the stronger the colour, the more rows of a bin are ill.", x=24, y=60, class_="soft"),
    ]
    return tag(
        "svg",
        tag("title", "The bins that every method finds in the same column"),
        tag("style", PICTURE_STYLE),
        tag("rect", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=8, class_="paper"),
        joined([*head, truth(TOP), *rows, *axis(height - BOTTOM)]),
        class_="cutwise",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:g} {height:g}",
        width=WIDTH,
        height=height,
        role="img",
    )


if __name__ == "__main__":
    Path(__file__).with_name("methods.svg").write_text(picture() + "\n", encoding="utf-8")
