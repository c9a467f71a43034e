"""Tables of terms that the columns of one fit share."""

from __future__ import annotations

import threading

import numpy as np

from cutwise import kernels
from cutwise.kernels.inputs import Terms


class TermTables:
    """The last tables of terms: columns without missing values share one."""

    def __init__(self) -> None:
        self._last: dict[tuple[int, int, int], Terms] = {}
        self._lock = threading.Lock()

    def get(self, n_rows: int, n_whole: int, n_valid: int) -> Terms:
        """Return the tables for a column of counts that sum to n_rows and stand for n_whole rows."""
        with self._lock:
            terms = self._last.get((n_rows, n_whole, n_valid))
            if terms is None:
                terms = self._fill(n_rows, n_whole, n_valid)
                self._last = {(n_rows, n_whole, n_valid): terms}
            return terms

    @staticmethod
    def _fill(n_rows: int, n_whole: int, n_valid: int) -> Terms:
        make = kernels.terms
        scale = make.choose_scale(n_rows)
        expected_scale = scale * (n_rows / n_whole)
        expected = np.empty(0, dtype=np.int64)
        if n_valid:
            expected = make.fill_expected_terms(n_whole, n_valid, expected_scale)
        counts = make.fill_count_terms(n_whole, scale)
        fraction = None if n_whole == n_rows else (n_whole, expected_scale, n_whole / n_rows)
        return Terms(counts, expected, scale, n_rows, n_valid, fraction)
