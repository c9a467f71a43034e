"""The kernels of the joint cells as one would write them on a blackboard.

A row is a tuple of codes; `rows` is a list of them, beside the lists of classes, counts and
parts (-1 for a part that is not judged).
"""

from __future__ import annotations

import itertools
from collections import Counter

from cutwise.kernels import reference

ALL_BITS = 2**64 - 1


def mix(column, code):
    """Return the mixed bits of a code of a column."""
    bits = (column * 0x9E3779B97F4A7C15 + code * 0xD1342543DE82EF95) & ALL_BITS
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & ALL_BITS
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & ALL_BITS
    return bits ^ (bits >> 31)


def key_of(codes):
    """Return the key of a row."""
    return sum(mix(column, code) for column, code in enumerate(codes)) & ALL_BITS


def expected_loss(count, terms):
    """Return the expected divergence term, on a line between whole numbers of rows."""
    n_whole, _, per_count = terms.fraction or (terms.n_rows, terms.scale, 1.0)
    rows = min(count * per_count, n_whole)
    below = min(int(rows), n_whole - 1)
    low, high = (reference_expected(k, terms) for k in (below, below + 1))
    return low + round((rows - below) * (high - low))


def reference_expected(rows, terms):
    """Return the term of a whole number of rows."""
    return int(terms.expected[rows]) if terms.n_valid else 0


def loss_of(count, valid, rows_by_part, terms):
    """Return the divergence term of a cell with `valid` rows in each judged part."""
    if not rows_by_part:
        return expected_loss(count, terms)
    return reference.split_term(count, valid, rows_by_part, terms.n_rows, terms.scale)


def sums_of(rows, classes, counts, parts, rows_by_part, terms):  # noqa: PLR0917
    """Return the relevance sum, up to a constant, and the divergence sum of the cells."""
    cells, entries, valid = Counter(), Counter(), Counter()
    for i, row in enumerate(rows):
        cells[row] += counts[i]
        entries[row, classes[i]] += counts[i]
        if parts:
            valid[row, parts[i]] += counts[i]
    gain = sum(reference.count_term(count, terms.scale) for count in entries.values())
    gain -= sum(reference.count_term(count, terms.scale) for count in cells.values())
    loss = 0
    for cell, count in cells.items():
        in_part = [valid[cell, part] for part in range(len(rows_by_part))]
        loss += loss_of(count, in_part, rows_by_part, terms)
    return gain, loss


def merged(rows, column, left, right):
    """Return the rows with one code of a column replaced by another."""
    return [(*row[:column], left if row[column] == right else row[column], *row[column + 1 :]) for row in rows]


def cut_at(rows, ranks, gap):
    """Return the rows with one more code: whether the value lies beyond a gap."""
    return [(*row, rank > gap) if rank >= 0 else (*row, None) for row, rank in zip(rows, ranks, strict=True)]


def score_pairs(rows, classes, counts, parts, rows_by_part, terms):  # noqa: PLR0917
    """Return relevance less divergence of every pair of columns, and of each alone."""
    scores = {}
    for i, j in itertools.product(range(len(rows[0])), repeat=2):
        gain, loss = sums_of([(row[i], row[j]) for row in rows], classes, counts, parts, rows_by_part, terms)
        scores[i, j] = gain - loss
    return scores
