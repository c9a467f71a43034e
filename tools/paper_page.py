"""Write the tables of docs/paper.md, accuracy.md and methods.md and the pictures anew from the journals in results/.

    python tools/paper_page.py

A page holds a block for each table, between ``<!-- table: NAME -->`` and ``<!-- end -->``; the
text around them is written by hand. The list of all differences has a page of its own. ``--check``
compares the pages with the journals; pictures are left out, they look different with each matplotlib.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from cutwise.paper import result_tables, write_figures
from cutwise.paper.evaluate import CellResult, Journal
from cutwise.paper.evaluate.journal import read_content
from cutwise.paper.formats import markdown
from cutwise.paper.own_tables import seed_table
from cutwise.paper.table import MeasuredResults
from cutwise.paper.tables import N_FOLDS

ROOT = Path(__file__).parent.parent
JOURNALS = sorted((ROOT / "results").glob("*.journal.xz"))
# The folds of other random seeds than 0.
OF_SEEDS = sorted((ROOT / "results" / "seeds").glob("*.journal.xz"))
PAGE = ROOT / "docs" / "paper.md"
OTHERS = ROOT / "docs" / "accuracy.md", ROOT / "docs" / "methods.md"
DEVIATIONS = ROOT / "docs" / "paper-deviations.md"
PICTURES = [
    f"{table}-{what}.svg" for table in ("naive-bayes", "c45", "classifiers") for what in ("ranks", "differences")
]
BLOCK = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def pages(results: list[CellResult]) -> dict[Path, str]:
    """Return what the pages should hold."""
    by_seed = {0: results, **{read_content(path).protocol["seed"]: Journal.read(path) for path in OF_SEEDS}}
    seeds = seed_table({seed: MeasuredResults(found, N_FOLDS) for seed, found in by_seed.items()})
    made = {table.name: table for table in (*result_tables(results), seeds)}

    def block(found: re.Match[str]) -> str:
        # The page has headings of its own.
        text = markdown(made[found[2]]).partition("\n\n")[2]
        return f"{found[1]}\n{text}\n{found[3]}"

    texts = {page: BLOCK.sub(block, page.read_text(encoding="utf-8")) for page in (PAGE, *OTHERS)}
    return {**texts, DEVIATIONS: markdown(made["deviations"]).replace("## ", "# ", 1)}


def draw(results: list[CellResult]) -> None:
    """Write the pictures of the page."""
    with tempfile.TemporaryDirectory() as folder:
        for path in write_figures(results, folder):
            if path.name in PICTURES:
                (PAGE.parent / f"paper-{path.name}").write_bytes(path.read_bytes())


def main() -> int:
    """Write the pages, or with --check tell whether they are what the journals give."""
    results = [result for path in JOURNALS for result in Journal.read(path)]
    if "--check" not in sys.argv:
        draw(results)
    wrong = []
    for path, text in pages(results).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    if wrong:
        print(("not as the journals give it: " if "--check" in sys.argv else "written: ") + ", ".join(wrong))
    return int(bool(wrong) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
