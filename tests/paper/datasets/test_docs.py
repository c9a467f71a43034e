"""The table of the sets in the docs is that of the catalogue."""

from __future__ import annotations

from pathlib import Path

from cutwise.paper import datasets

PAGE = Path(__file__).parents[3] / "docs" / "datasets.md"
HEAD = "| name | about | rows | numeric | nominal | classes | missing | copy of | OpenML | UCI | licence |"


def line(about):
    licence = "CC BY 4.0" if about.licence.startswith("CC BY 4.0") else "—"
    cells = (
        about.name, about.description, about.n_rows, about.n_numeric, len(about.nominal), about.n_classes,
        about.n_missing, about.origin, about.openml or "—", about.uci or "—", licence,
    )  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def table():
    return "\n".join(
        [HEAD, "|---|---|" + "---:|" * 5 + "---|---:|---:|---|", *map(line, map(datasets.describe, datasets.names()))]
    )


def differences():
    known = map(datasets.describe, datasets.names())
    return "\n".join(f"- {about.name}: {about.paper_differs}" for about in known if about.paper_differs)


def test_the_page_has_the_table_of_the_catalogue():
    text = PAGE.read_text(encoding="utf-8")
    assert table() in text
    assert differences() in text
