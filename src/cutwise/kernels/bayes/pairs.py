"""Pairs of attributes: rows by class for each two bins, the rows in a bin, and the mutual information of two columns.

Two columns with few codes are counted in a table for their mutual information. Where the table would have
more cells than there are rows, the rows are put in order of one column; then each of its codes is a run of
rows, and the codes of the second column are counted run by run. So a pair of columns takes O(rows) time and
memory, however many codes there are. Terms are rounded to whole multiples of 2**-52 bits, so that their sum
is exact in any order.
"""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel
from cutwise.kernels.elementary import log, log2
from cutwise.kernels.stopping import check_stop


@kernel
def count_pairs(columns, labels, weights, widths, starts, counts):
    """Add the rows of columns[attribute, row] to counts[cell, class], where a cell is two bins."""
    for u in range(columns.shape[0]):
        first = columns[u]
        for k in range(u + 1, columns.shape[0]):
            check_stop()
            second = columns[k]
            for row in range(first.size):
                cell = starts[u, k] + first[row] * widths[k] + second[row]
                counts[cell, labels[row]] += weights[row]


@kernel
def rows_in_bin(rows, j, code):
    """Return the part of rows.order[j] that holds the rows in a bin, as first and stop."""
    cell = rows.places[j] + code
    return (rows.stops[cell - 1] if code > 0 else 0), rows.stops[cell]


# A product below SMALL is too near 0 for a double: it is taken times LARGE, 2**600, whose logarithm is LOG_LARGE.
SMALL, LARGE, LOG_LARGE = 1e-180, 2.0**600, 415.88830833596717


@kernel
def begin_block(columns, cells, known_rows, smoothing, products, n_large):
    """Fill products[parent, query, class] with P(class, the parent's bin)."""
    for u in range(columns.shape[0]):
        add, total = smoothing.joint_add[u], smoothing.joint_total[u] + known_rows[u]
        for query in range(columns.shape[1]):
            if columns[u, query] >= 0:
                cell = cells.offsets[u] + columns[u, query]
                for label in range(products.shape[2]):
                    products[u, query, label] = (cells.counts[cell, label] + add) / total
                    n_large[u, query, label] = 0


@kernel
def share_pair(u, k, bins, cells, pairs, smoothing, shares):
    """Fill shares[class] with P(bin of k | class, bin of u) and P(bin of u | class, bin of k)."""
    counts, width = pairs.counts, cells.widths[k]
    of_u, of_k = np.uint64(cells.offsets[u] + bins[0]), np.uint64(cells.offsets[k] + bins[1])
    start = pairs.starts[u, k]
    both = np.uint64(start + bins[0] * width + bins[1])
    without_k = np.uint64(start + bins[0] * width + width - 1)
    without_u = np.uint64(start + (cells.widths[u] - 1) * width + bins[1])
    for label in range(np.uint64(counts.shape[1])):
        with_u = cells.counts[of_u, label] + smoothing.bin_total[k]
        with_k = cells.counts[of_k, label] + smoothing.bin_total[u]
        if width > cells.n_bins[k]:
            with_u -= counts[without_k, label]
        if cells.widths[u] > cells.n_bins[u]:
            with_k -= counts[without_u, label]
        shares[label, 0] = (counts[both, label] + smoothing.bin_add[k]) / with_u
        shares[label, 1] = (counts[both, label] + smoothing.bin_add[u]) / with_k


@kernel
def multiply_pair(u, k, columns, cells, pairs, smoothing, shares, products, n_large):
    """Multiply the products of the parents u and k by the shares of each other's bins.

    There is room for the shares of as many cells as there may be queries. Those of a grid with fewer cells than queries
    are computed once.
    """
    first, second = columns[u], columns[k]
    n_bins = cells.n_bins[k]
    n_cells = cells.n_bins[u] * n_bins
    is_grid = n_cells <= first.size
    if is_grid:
        for cell in range(n_cells):
            share_pair(u, k, (cell // n_bins, cell % n_bins), cells, pairs, smoothing, shares[cell])
    of_u, of_k, large_u, large_k = products[u], products[k], n_large[u], n_large[k]
    for query in range(np.uint64(first.size)):
        bin_of_u, bin_of_k = first[query], second[query]
        if bin_of_u < 0 or bin_of_k < 0:
            continue
        cell = np.uint64(bin_of_u * n_bins + bin_of_k)
        if not is_grid:
            share_pair(u, k, (bin_of_u, bin_of_k), cells, pairs, smoothing, shares[0])
            cell = np.uint64(0)
        for label in range(np.uint64(shares.shape[1])):
            product_u = of_u[query, label] * shares[cell, label, 0]
            product_k = of_k[query, label] * shares[cell, label, 1]
            if product_u < SMALL:
                product_u *= LARGE
                large_u[query, label] += 1
            if product_k < SMALL:
                product_k *= LARGE
                large_k[query, label] += 1
            of_u[query, label] = product_u
            of_k[query, label] = product_k


@kernel
def score_by_pairs(columns, cells, pairs, known_rows, smoothing, min_count, n_in_block, scores, n_parents):
    """Fill scores[query, class] and the number of parents of each query from the table of pairs.

    columns[j, query] is the bin of attribute j, known_rows[j] the number of rows that have attribute j. A parent's bin
    has at least min_count rows. A query without a parent gets no score.
    """
    n_attributes, n_classes = columns.shape[0], scores.shape[1]
    products = np.empty((n_attributes, n_in_block, n_classes))
    n_large = np.empty((n_attributes, n_in_block, n_classes), dtype=np.int32)
    shares = np.empty((n_in_block, n_classes, 2))
    terms = np.empty((n_attributes, n_classes))
    n_large_of = np.empty((n_attributes, n_classes), dtype=np.int32)
    for start in range(0, columns.shape[1], n_in_block):
        check_stop()
        block = columns[:, start : start + n_in_block]
        begin_block(block, cells, known_rows, smoothing, products, n_large)
        for u in range(n_attributes):
            for k in range(u + 1, n_attributes):
                multiply_pair(u, k, block, cells, pairs, smoothing, shares, products, n_large)
        for query in range(block.shape[1]):
            found = 0
            for u in range(n_attributes):
                code = block[u, query]
                if code >= 0 and cells.counts[cells.offsets[u] + code].sum() >= min_count:
                    for label in range(n_classes):
                        terms[found, label] = products[u, query, label]
                        n_large_of[found, label] = n_large[u, query, label]
                    found += 1
            n_parents[start + query] = found
            if found > 0:
                add_up(terms, n_large_of, found, scores[start + query])


@kernel
def add_up(terms, n_large, n_terms, scores):
    """Fill scores[class] with the logarithm of the sum of terms[term, class], each to be divided by LARGE so often."""
    for label in range(scores.size):
        fewest = n_large[0, label]
        for term in range(1, n_terms):
            fewest = min(fewest, n_large[term, label])
        total = 0.0
        for term in range(n_terms):
            # Any that are divided by LARGE twice more are too small to count.
            if n_large[term, label] == fewest:
                total += terms[term, label]
            elif n_large[term, label] == fewest + 1:
                total += terms[term, label] / LARGE
        scores[label] = log(total) - fewest * LOG_LARGE


@kernel
def meet_by_rows(u, x, cells, rows, both, lost):
    """Count, of the rows with the parent's bin, those with the query's bin (both) or none (lost) of each attribute."""
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
def score_parent(u, x, with_bin, n_known, both, lost, smoothing, products, n_large):
    """Fill products[class] with P(class, bins of the query) if attribute u is the parent, n_large[class] times LARGE.

    with_bin holds the rows of each class with the parent's bin.
    """
    for label in range(products.size):
        product = (with_bin[label] + smoothing.joint_add[u]) / (n_known + smoothing.joint_total[u])
        n_large[label] = 0
        for k in range(x.size):
            if k != u and x[k] >= 0:
                product *= (both[k, label] + smoothing.bin_add[k]) / (
                    with_bin[label] - lost[k, label] + smoothing.bin_total[k]
                )
                if product < SMALL:
                    product *= LARGE
                    n_large[label] += 1
        products[label] = product


@kernel
def score_by_rows(queries, cells, rows, known_rows, smoothing, min_count, scores, n_parents):
    """Fill the same arrays as score_by_pairs from the rows with the parent's bin."""
    n_attributes, n_classes = queries.shape[1], scores.shape[1]
    both = np.empty((n_attributes, n_classes))
    lost = np.empty((n_attributes, n_classes))
    terms = np.empty((n_attributes, n_classes))
    n_large = np.empty((n_attributes, n_classes), dtype=np.int32)
    for query in range(queries.shape[0]):
        x = queries[query]
        found = 0
        for u in range(n_attributes):
            if x[u] < 0:
                continue
            with_bin = cells.counts[cells.offsets[u] + x[u]]
            if with_bin.sum() >= min_count:
                meet_by_rows(u, x, cells, rows, both, lost)
                rest = with_bin, known_rows[u], both, lost, smoothing
                score_parent(u, x, *rest, terms[found], n_large[found])
                found += 1
        n_parents[query] = found
        if found > 0:
            add_up(terms, n_large, found, scores[query])


@kernel
def agree_at_all(x, cells, everyone):
    """Add up, over the attributes, the rows of each class that agree with a query."""
    for j in range(x.size):
        if x[j] >= 0:
            for label in range(everyone.size):
                everyone[label] += cells.counts[cells.offsets[j] + x[j], label]


@kernel
def add_pair(u, k, queries, cells, pairs, known, alike):
    """Add the rows that agree with the queries on both u and k, and take off those that lack one of the two."""
    counts = pairs.counts
    start, width = pairs.starts[u, k], cells.widths[k]
    lacks_u = cells.widths[u] > cells.n_bins[u]
    lacks_k = width > cells.n_bins[k]
    u, k = np.uint64(u), np.uint64(k)
    for query in range(np.uint64(queries.shape[0])):
        bin_of_u, bin_of_k = queries[query, u], queries[query, k]
        if bin_of_u < 0 or bin_of_k < 0:
            continue
        both = np.uint64(start + bin_of_u * width + bin_of_k)
        without_k = np.uint64(start + bin_of_u * width + width - 1)
        without_u = np.uint64(start + (cells.widths[u] - 1) * width + bin_of_k)
        for label in range(np.uint64(counts.shape[1])):
            alike[query, u, label] += counts[both, label]
            alike[query, k, label] += counts[both, label]
            if lacks_u:
                known[query, u, label] -= counts[without_u, label]
            if lacks_k:
                known[query, k, label] -= counts[without_k, label]


@kernel
def agree_by_pairs(queries, cells, pairs, everyone, known, alike):
    """Fill everyone[query, class], known[query, attribute, class] and alike[query, attribute, class].

    The rows with the same bins of two attributes agree on both: sums over the table of
    pairs are sums of s, and no training row is looked at. All three are zeros before.
    """
    n_attributes = queries.shape[1]
    for query in range(queries.shape[0]):
        x = queries[query]
        agree_at_all(x, cells, everyone[query])
        for j in range(n_attributes):
            if x[j] >= 0:
                for label in range(everyone.shape[1]):
                    alike[query, j, label] = cells.counts[cells.offsets[j] + x[j], label]
                    known[query, j, label] = everyone[query, label]
    for u in range(n_attributes):
        for k in range(u + 1, n_attributes):
            add_pair(u, k, queries, cells, pairs, known, alike)


@kernel
def add_agreeing(rows, j, code, agreed, sign, sums):
    """Add to sums[class] the weight of each row in a bin, as often as the row agrees."""
    first, stop = rows_in_bin(rows, j, code)
    for i in range(first, stop):
        row = np.uint64(rows.order[j, i])
        sums[rows.labels[row]] += sign * agreed[row] * rows.weights[row]


@kernel
def note_agreeing(x, rows, step, agreed):
    """Add a step to agreed[row] for every attribute on which the row agrees with a query."""
    for j in range(x.size):
        if x[j] >= 0:
            first, stop = rows_in_bin(rows, j, x[j])
            for i in range(first, stop):
                agreed[np.uint64(rows.order[j, i])] += step


@kernel
def agree_by_rows(queries, cells, rows, everyone, known, alike):
    """Fill the same three arrays from the rows in the query's bins."""
    agreed = np.zeros(rows.labels.size)
    for query in range(queries.shape[0]):
        x = queries[query]
        agree_at_all(x, cells, everyone[query])
        note_agreeing(x, rows, 1.0, agreed)
        for j in range(x.size):
            if x[j] < 0:
                continue
            for label in range(everyone.shape[1]):
                known[query, j, label] = everyone[query, label]
            add_agreeing(rows, j, x[j], agreed, 1.0, alike[query, j])
            if cells.widths[j] > cells.n_bins[j]:
                add_agreeing(rows, j, cells.n_bins[j], agreed, -1.0, known[query, j])
        note_agreeing(x, rows, -1.0, agreed)


GRID = 2.0**52


@kernel
def order_by_code(codes, n_codes, order, ends):
    """Put the rows in order of their codes; those of code v end before ends[v]. Missing ones are left out."""
    for code in range(n_codes + 1):
        ends[code] = 0
    for row in range(codes.size):
        if codes[row] >= 0:
            ends[codes[row] + 1] += 1
    for code in range(n_codes):
        ends[code + 1] += ends[code]
    for row in range(codes.size):
        if codes[row] >= 0:
            order[ends[codes[row]]] = row
            ends[codes[row]] += 1


@kernel
def count_known(codes, weights, order, n_rows, counts):
    """Count the given rows by code and return how many have one; counts must be zeros."""
    total = 0.0
    for i in range(n_rows):
        row = order[i]
        if codes[row] >= 0:
            counts[codes[row]] += weights[row]
            total += weights[row]
    return total


@kernel
def term_of(count, in_first, in_second, total):
    """Return what a pair of codes adds to the mutual information, as a whole number of units."""
    return np.int64(np.rint(count / total * log2(count * total / (in_first * in_second)) * GRID))


@kernel
def information_by_table(first, second, n_first, n_second, weights, table, by_first, by_second):
    """Return the mutual information, in bits, of two columns. The three arrays are zeros, and are left so."""
    total = 0.0
    for row in range(first.size):
        if first[row] >= 0 and second[row] >= 0:
            table[np.uint64(first[row] * n_second + second[row])] += weights[row]
    for a in range(n_first):
        for b in range(n_second):
            count = table[a * n_second + b]
            by_first[a] += count
            by_second[b] += count
            total += count
    units = np.int64(0)
    for a in range(n_first):
        for b in range(n_second):
            count = table[a * n_second + b]
            if count > 0:
                units += term_of(count, by_first[a], by_second[b], total)
            table[a * n_second + b] = 0.0
        by_first[a] = 0.0
    for b in range(n_second):
        by_second[b] = 0.0
    return max(units, 0) / GRID


@kernel
def information_by_runs(codes, weights, order, ends, n_codes, by_code, in_run):
    """Return the mutual information, in bits, of the column in order and the column `codes`.

    by_code and in_run are zeros, as long as there are codes, and are left so.
    """
    n_rows = ends[n_codes - 1]
    total = count_known(codes, weights, order, n_rows, by_code)
    units = np.int64(0)
    start = np.int64(0)
    for run in range(n_codes):
        stop = ends[run]
        in_both = 0.0
        for i in range(start, stop):
            row = order[i]
            if codes[row] >= 0:
                in_run[codes[row]] += weights[row]
                in_both += weights[row]
        for i in range(start, stop):
            code = codes[order[i]]
            if code >= 0 and in_run[code] > 0:
                units += term_of(in_run[code], in_both, by_code[code], total)
                in_run[code] = 0.0
        start = stop
    for i in range(n_rows):
        if codes[order[i]] >= 0:
            by_code[codes[order[i]]] = 0.0
    return max(units, 0) / GRID


@kernel
def pair_information(columns, n_codes, weights):
    """Return the mutual information bits[column, column] of any two columns[column, row].

    A negative code is missing: a pair is judged by the rows that have both. Weights are
    positive, and their sums are exact. The diagonal is 0.
    """
    n_columns, n_rows = columns.shape
    most = np.int64(1)
    for column in range(n_columns):
        most = max(most, n_codes[column])
    order = np.empty(n_rows, dtype=np.int64)
    ends = np.empty(most + 1, dtype=np.int64)
    by_code = np.zeros(most)
    in_run = np.zeros(most)
    table = np.zeros(n_rows)
    bits = np.zeros((n_columns, n_columns))
    for first in range(n_columns):
        n_first = n_codes[first]
        order_by_code(columns[first], n_first, order, ends)
        for second in range(first + 1, n_columns):
            check_stop()
            column = columns[second]
            if n_first * n_codes[second] <= n_rows:
                found = information_by_table(
                    columns[first], column, n_first, n_codes[second], weights, table, by_code, in_run
                )
            else:
                found = information_by_runs(column, weights, order, ends, n_first, by_code, in_run)
            bits[first, second] = found
            bits[second, first] = found
    return bits
