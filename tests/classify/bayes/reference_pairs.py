"""AIWNB and AODE in plain Python, as one would write them on a blackboard.

A table is a list of rows of codes (None for a missing value), `labels` are whole numbers,
`weights` one number a row.
"""

from __future__ import annotations

import math


def estimate(count, rows, n_values, smoothing, alpha):
    """Return the smoothed share of `count` in `rows` for one of n_values values."""
    add = alpha if smoothing == "laplace" else alpha / n_values
    return (count + add) / (rows + add * n_values)


def information(first, second, weights):
    """Return the mutual information of two columns in bits, from the rows that have both."""
    rows = [(a, b, w) for a, b, w in zip(first, second, weights, strict=True) if a is not None and b is not None]
    total = sum(w for _, _, w in rows)
    bits = 0.0
    for a, b in {(a, b) for a, b, _ in rows}:
        both = sum(w for x, y, w in rows if (x, y) == (a, b))
        in_first = sum(w for x, _, w in rows if x == a)
        in_second = sum(w for _, y, w in rows if y == b)
        bits += both / total * math.log2(both * total / (in_first * in_second))
    return bits


def attribute_weights(table, labels, weights):
    """Return the weights of the attributes of AIWNB."""
    columns = list(zip(*table, strict=True))
    m = len(columns)
    relevance = [information(column, labels, weights) for column in columns]
    redundancy = [
        sum(information(columns[j], columns[k], weights) for k in range(m) if k != j) / max(m - 1, 1) for j in range(m)
    ]

    def over_mean(values):
        mean = sum(values) / m
        return [value / mean if mean > 1e-12 else 0.0 for value in values]

    return [1 / (1 + math.exp(r - d)) for d, r in zip(over_mean(relevance), over_mean(redundancy), strict=True)]


def eager_weights(table, weights, n_bins):
    """Return the weights of the instances of eager AIWNB: frequent values weigh more."""
    columns = list(zip(*table, strict=True))

    def share(j, value):
        if value is None:
            return 1.0
        known = [w for x, w in zip(columns[j], weights, strict=True) if x is not None]
        alike = [w for x, w in zip(columns[j], weights, strict=True) if x == value]
        return n_bins[j] * sum(alike) / sum(known)

    return [sum(share(j, value) for j, value in enumerate(row)) for row in table]


def lazy_weights(table, query, offset=1.0):
    """Return the weights of the instances of lazy AIWNB: those that agree with the query weigh more."""
    return [offset + sum(a is not None and a == b for a, b in zip(row, query, strict=True)) for row in table]


def normalised(scores):
    """Return exp(scores) divided by their sum."""
    largest = max(scores)
    values = [math.exp(score - largest) for score in scores]
    return [value / sum(values) for value in values]


def is_known(query, j, table):
    """Tell whether a row of the table has the query's bin of attribute j."""
    return query[j] is not None and any(row[j] == query[j] for row in table)


def weighted_bayes(table, labels, weights, query, *, n_bins, n_classes, factors, smoothing, alpha=1.0):
    """Return the posterior of naive Bayes with weighted rows, attribute j to the power of factors[j]."""
    rows = list(zip(table, labels, weights, strict=True))
    scores = []
    for c in range(n_classes):
        in_class = sum(w for _, label, w in rows if label == c)
        score = math.log(estimate(in_class, sum(weights), n_classes, smoothing, alpha))
        for j in range(len(query)):
            if is_known(query, j, table):
                known = sum(w for row, label, w in rows if label == c and row[j] is not None)
                alike = sum(w for row, label, w in rows if label == c and row[j] == query[j])
                score += factors[j] * math.log(estimate(alike, known, n_bins[j], smoothing, alpha))
        scores.append(score)
    return normalised(scores)


def aode(table, labels, weights, query, *, n_bins, n_classes, smoothing, alpha, min_count):
    """Return the posterior of the averaged one-dependence estimators; None if there is no parent."""
    rows = list(zip(table, labels, weights, strict=True))
    known = [j for j in range(len(query)) if is_known(query, j, table)]
    parents = [u for u in known if sum(w for row, _, w in rows if row[u] == query[u]) >= min_count]
    if not parents:
        return None
    sums = [0.0] * n_classes
    for u in parents:
        total = sum(w for row, _, w in rows if row[u] is not None)
        for c in range(n_classes):
            given = [(row, w) for row, label, w in rows if label == c and row[u] == query[u]]
            product = estimate(sum(w for _, w in given), total, n_classes * n_bins[u], smoothing, alpha)
            for k in known:
                if k != u:
                    alike = sum(w for row, w in given if row[k] == query[k])
                    there = sum(w for row, w in given if row[k] is not None)
                    product *= estimate(alike, there, n_bins[k], smoothing, alpha)
            sums[c] += product
    return [value / sum(sums) for value in sums]
