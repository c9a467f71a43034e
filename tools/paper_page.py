"""Write the tables of docs/paper.md anew from the journals in results/.

    python tools/paper_page.py

The page holds a block for each table, between ``<!-- table: NAME -->`` and ``<!-- end -->``; the
text around them is written by hand. The list of all differences has a page of its own.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from cutwise.evaluate import Journal
from cutwise.paper import tables
from cutwise.paper.markdown import markdown

ROOT = Path(__file__).parent.parent
JOURNALS = sorted((ROOT / "results").glob("*.journal.xz"))
PAGE = ROOT / "docs" / "paper.md"
DEVIATIONS = ROOT / "docs" / "paper-deviations.md"
BLOCK = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def pages() -> dict[Path, str]:
    """Return what the pages should hold."""
    results = [result for path in JOURNALS for result in Journal.read(path)]
    made = {table.name: table for table in tables(results)}

    def block(found: re.Match[str]) -> str:
        # The page has headings of its own.
        text = markdown(made[found[2]]).partition("\n\n")[2]
        return f"{found[1]}\n{text}\n{found[3]}"

    text = BLOCK.sub(block, PAGE.read_text(encoding="utf-8"))
    return {PAGE: text, DEVIATIONS: markdown(made["deviations"]).replace("## ", "# ", 1)}


def main() -> int:
    """Write the pages, or with --check tell whether they are what the journals give."""
    wrong = []
    for path, text in pages().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    if wrong:
        print(("not as the journals give it: " if "--check" in sys.argv else "written: ") + ", ".join(wrong))
    return int(bool(wrong) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
