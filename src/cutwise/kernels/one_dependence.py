"""Scores of the averaged one-dependence estimators (A1DE).

One attribute at a time is the parent: its bin and the class are given, and the bins of all
other attributes are independent of each other. A query's score for a class is the
logarithm of the sum of P(class, parent's bin) * product of P(bin | class, parent's bin)
over the parents whose bin is frequent enough.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.pairs import pair_cell, rows_in_bin

# A product below this is taken over as a logarithm, before it becomes too small for a double.
SMALL = 1e-200


@kernel
def meet_by_pairs(u, x, cells, pairs, both, lost):
    """Copy the rows with the parent's bin and the query's bin (both), or no bin (lost), of each attribute."""
    for k in range(x.size):
        if k == u or x[k] < 0:
            continue
        cell = pair_cell(u, x[u], k, x[k], cells.widths, pairs.starts)
        for label in range(both.shape[1]):
            both[k, label] = pairs.counts[cell, label]
        if cells.widths[k] > cells.n_bins[k]:
            cell = pair_cell(u, x[u], k, cells.n_bins[k], cells.widths, pairs.starts)
            for label in range(both.shape[1]):
                lost[k, label] = pairs.counts[cell, label]


@kernel
def meet_by_rows(u, x, cells, rows, both, lost):
    """Count the same as meet_by_pairs by going through the training rows with the parent's bin."""
    for k in range(x.size):
        for label in range(both.shape[1]):
            both[k, label] = 0
            lost[k, label] = 0
    first, stop = rows_in_bin(rows, u, x[u])
    for i in range(first, stop):
        row = np.uint64(rows.order[u, i])
        label = rows.labels[row]
        for k in range(x.size):
            code = rows.bins[row, k]
            if code == x[k]:
                both[k, label] += rows.weights[row]
            elif code == cells.n_bins[k]:
                lost[k, label] += rows.weights[row]


@kernel
def score_parent(u, x, with_bin, n_known, both, lost, smoothing, products, out):
    """Fill out[class] with the logarithm of P(class, bins of the query) if attribute u is the parent.

    with_bin holds the rows of each class with the parent's bin; products is room for one number a class.
    """
    for label in range(out.size):
        products[label] = (with_bin[label] + smoothing.joint_add[u]) / (n_known + smoothing.joint_total[u])
        out[label] = 0.0
    for k in range(x.size):
        if k == u or x[k] < 0:
            continue
        add, total = smoothing.bin_add[k], smoothing.bin_total[k]
        smallest = 1.0
        for label in range(out.size):
            share = (both[k, label] + add) / (with_bin[label] - lost[k, label] + total)
            products[label] *= share
            smallest = min(smallest, products[label])
        if smallest < SMALL:
            for label in range(out.size):
                out[label] += np.log(products[label])
                products[label] = 1.0
    for label in range(out.size):
        out[label] += np.log(products[label])


@kernel
def add_up(terms, n_terms, scores):
    """Fill scores[class] with the logarithm of the sum of exp(terms[term, class])."""
    for label in range(scores.size):
        largest = -np.inf
        for term in range(n_terms):
            largest = max(largest, terms[term, label])
        total = 0.0
        for term in range(n_terms):
            total += np.exp(terms[term, label] - largest)
        scores[label] = largest + np.log(total)


@kernel
def score_queries(queries, cells, pairs, rows, known_rows, smoothing, min_count, scores, n_parents):
    """Fill scores[query, class] and the number of parents of each query.

    Rows are counted if there are any; otherwise the pairs are looked up. known_rows[j] is the number of
    rows that have attribute j. A parent's bin has at least min_count rows. A query without
    a parent gets no score.
    """
    n_attributes = queries.shape[1]
    n_classes = scores.shape[1]
    both = np.zeros((n_attributes, n_classes))
    lost = np.zeros((n_attributes, n_classes))
    terms = np.empty((n_attributes, n_classes))
    products = np.empty(n_classes)
    for query in range(queries.shape[0]):
        x = queries[query]
        found = 0
        for u in range(n_attributes):
            if x[u] < 0:
                continue
            with_bin = cells.counts[cells.offsets[u] + x[u]]
            if with_bin.sum() < min_count:
                continue
            if rows.labels.size > 0:
                meet_by_rows(u, x, cells, rows, both, lost)
            else:
                meet_by_pairs(u, x, cells, pairs, both, lost)
            score_parent(u, x, with_bin, known_rows[u], both, lost, smoothing, products, terms[found])
            found += 1
        n_parents[query] = found
        if found > 0:
            add_up(terms, found, scores[query])
