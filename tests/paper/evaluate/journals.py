"""Results, and journals of them, for tests."""

from __future__ import annotations

import zlib

from hypothesis import strategies as st

from cutwise.paper.evaluate import CellResult, Journal, ResultCell

PROTOCOL = {"n_folds": 10, "seed": 7}


def result_of(number, error=""):
    """Return one of many results."""
    cell = ResultCell(f"set-{number % 3}", "mrmd", "nb", 0, number)
    if error:
        return CellResult(cell, error=error, seconds=0.5)
    return CellResult(
        cell, n_rows=10, n_correct=number % 11, log_loss=number / 7, n_cuts=number, seconds=1 / (number + 1)
    )


FIVE = [result_of(0), result_of(1), result_of(2, "it broke"), result_of(3), result_of(4)]


def sorted_by_cell(results):
    return sorted(results, key=lambda result: result.cell)


def write(path, results):
    with Journal(path, PROTOCOL) as journal:
        for result in results:
            journal.append(result)


def signed(text):
    """Return a line whose checksum is right."""
    return b"%s %08x\n" % (text, zlib.crc32(text))


_COUNTS = st.integers(0, 2**70)
_FIGURES = st.floats(allow_nan=False, allow_infinity=False)
CELLS = st.builds(ResultCell, st.text(), st.text(), st.text(), _COUNTS, _COUNTS)
RESULTS = st.builds(
    lambda cell, n_wrong, n_correct, log_loss, n_cuts, seconds: CellResult(
        cell, n_wrong + n_correct, n_correct, log_loss, n_cuts, seconds
    ),
    *(CELLS, st.integers(1, 10**9), _COUNTS, _FIGURES, _COUNTS, _FIGURES),
)
FAILURES = st.builds(
    lambda cell, error, seconds: CellResult(cell, error=error, seconds=seconds),
    *(CELLS, st.text("abc é…", min_size=1, max_size=99).map(lambda text: " ".join(f"x {text}".split())), _FIGURES),
)
