"""The kernels on pairs of attributes do what their plain twins say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutwise import kernels
from cutwise.classify.bayes.pairs import bytes_of_pairs, count_pairs
from cutwise.classify.bayes.tables import count_sample
from tests.classify.bayes import reference_pairs as reference
from tests.classify.bayes.coded_tables import coded_tables, plain_rows, queries_for


def counted(coded, max_bytes=2**20):
    return count_pairs(coded.sample, count_sample(coded.sample), max_bytes)


@given(coded_tables())
def test_pair_counts(coded):
    """Every two bins, the missing ones too."""
    pair_counts = counted(coded)
    cells, pairs = pair_counts.cells, pair_counts.pairs
    rows = np.where(coded.codes < 0, coded.n_bins, coded.codes)
    assert cells.widths.tolist() == np.maximum(rows.max(axis=0) + 1, coded.n_bins).tolist()
    assert pairs.counts.nbytes == bytes_of_pairs(cells.widths, coded.n_classes)
    for u, k in np.argwhere(np.triu(np.ones((coded.n_bins.size,) * 2), k=1)):
        for a in range(cells.widths[u]):
            for b in range(cells.widths[k]):
                both = (rows[:, u] == a) & (rows[:, k] == b)
                expected = np.bincount(coded.labels[both], coded.weights[both], coded.n_classes)
                cell = pairs.starts[u, k] + a * cells.widths[k] + b
                assert pairs.counts[cell].tolist() == expected.tolist()


@given(coded_tables(max_rows=30))
def test_information(coded):
    """Few codes are counted in a table, many codes (for so few rows) run by run."""
    columns = np.vstack([coded.codes.T, coded.labels.astype(np.int32)])
    n_codes = np.append(coded.n_bins, coded.n_classes)
    bits = kernels.bayes.pairs.pair_information(columns, n_codes, coded.weights)
    plain = [[None if code < 0 else code for code in column] for column in columns.tolist()]
    for first in range(len(columns)):
        for second in range(len(columns)):
            expected = 0.0 if first == second else reference.information(plain[first], plain[second], coded.weights)
            assert bits[first, second] == pytest.approx(expected, abs=1e-13)
    assert (bits == bits.T).all()


@given(coded_tables(max_rows=30), st.randoms())
def test_information_is_the_same_for_every_order(coded, random):
    order = list(range(len(coded.labels)))
    random.shuffle(order)
    columns = np.vstack([coded.codes.T, coded.labels.astype(np.int32)])
    n_codes = np.append(coded.n_bins, coded.n_classes)
    expected = kernels.bayes.pairs.pair_information(columns, n_codes, coded.weights)
    columns[-1] = coded.n_classes - 1 - columns[-1]
    shuffled = kernels.bayes.pairs.pair_information(columns[:, order].copy(), n_codes, coded.weights[order])
    assert shuffled.tolist() == expected.tolist()


@given(coded_tables(), st.data())
def test_agreement(coded, data):
    """Sums over pairs and sums over rows are those of the rows' numbers of common codes."""
    pair_counts = counted(coded)
    queries = pair_counts.known_codes(queries_for(data.draw, coded.n_bins))
    shape = (*queries.shape, coded.n_classes)
    by_pairs = np.zeros((len(queries), coded.n_classes)), np.zeros(shape), np.zeros(shape)
    by_rows = np.zeros((len(queries), coded.n_classes)), np.zeros(shape), np.zeros(shape)
    kernels.bayes.pairs.agree_by_pairs(queries, pair_counts.cells, pair_counts.pairs, *by_pairs)
    kernels.bayes.pairs.agree_by_rows(queries, pair_counts.cells, counted(coded, -1).rows, *by_rows)
    table, labels, weights = coded.plain
    for i, query in enumerate(plain_rows(queries)):
        agreed = np.array(reference.lazy_weights(table, query, offset=0)) * weights
        for c in range(coded.n_classes):
            in_class = np.array(labels) == c
            assert by_pairs[0][i, c] == by_rows[0][i, c] == agreed[in_class].sum()
            for j, code in enumerate(query):
                known = [code is not None and row[j] is not None for row in table]
                alike = [code is not None and row[j] == code for row in table]
                assert by_pairs[1][i, j, c] == by_rows[1][i, j, c] == agreed[in_class & known].sum()
                assert by_pairs[2][i, j, c] == by_rows[2][i, j, c] == agreed[in_class & alike].sum()


@given(coded_tables())
def test_rows_in_bins(coded):
    """The index finds the rows of every bin, the missing ones too, in their order."""
    rows = counted(coded, -1).rows
    for j, code in np.ndindex(coded.n_bins.size, int(coded.n_bins.max()) + 1):
        if code < coded.n_bins[j] or (rows.bins[:, j] == code).any():
            first, stop = kernels.bayes.pairs.rows_in_bin(rows, j, code)
            assert rows.order[j, first:stop].tolist() == np.flatnonzero(rows.bins[:, j] == code).tolist()
