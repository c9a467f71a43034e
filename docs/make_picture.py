"""Draw the picture of the README: ``python docs/make_picture.py``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sklearn.datasets import load_iris

from cutwise import MRmDDiscretizer
from cutwise.report import attribute_picture

COLUMN = "petal length (cm)"


def picture() -> str:
    """Return the bins of one column of the iris table as an SVG image."""
    data = load_iris()
    place = data.feature_names.index(COLUMN)
    scheme = MRmDDiscretizer(place="readable").fit(data.data[:, [place]], data.target_names[data.target]).scheme_
    return attribute_picture(replace(scheme.attributes[0], name=COLUMN), scheme.classes)


if __name__ == "__main__":
    Path(__file__).with_name("picture.svg").write_text(picture() + "\n", encoding="utf-8")
