"""What one bin costs under MODL, as whole numbers.

The cost of a scheme in nats is that of the number and the ends of its bins, ``log N +
log C(N + I - 1, I - 1)`` for I bins of N rows, plus a term for each bin of n rows, n_j of
them in class j out of J:

    log C(n + J - 1, J - 1) + log(n! / prod n_j!)  =  log (n + J - 1)! / (J - 1)! - sum log n_j!

Every logarithm of a factorial is multiplied by ``scale``, rounded once and kept as an int64,
so sums do not depend on the order of classes or bins. Where a row has no label, the last
label of the table says so. With N_j rows of class j, labelled or not, and m of the n rows
labelled, the bin's term becomes

    log (n + J - 1)! / (J - 1)! - log (n - m)! - sum log N_j! / (N_j - n_j)!

and the N_j are those that make it smallest.
"""

from __future__ import annotations

import math

import numpy as np

from cutwise.kernels.bins.layers import triangle
from cutwise.kernels.bins.splitting import clear_bin
from cutwise.kernels.bins.terms import TABLE_LIMIT
from cutwise.kernels.compile import kernel
from cutwise.kernels.elementary import log2, log_gamma
from cutwise.kernels.stopping import check_stop

# A table of products of two counts below this one does not overflow.
SAFE_COUNT = 1 << 31


@kernel
def choose_scale(weight, n_classes):
    """Return the power of two that keeps every sum of terms at or below 2**40.

    That is a relative precision of 1e-12, and coarse enough to hide the last bits in which
    log-gamma functions differ.
    """
    largest = max(weight, 2.0) * log2(max(weight, 2.0) + n_classes)
    return math.ldexp(1.0, 40 - int(math.ceil(log2(largest))))


@kernel
def log_factorial(rows, scale):
    """Return log(rows!) in units of 1 / scale, for any rows >= 0."""
    return np.int64(np.rint(log_gamma(rows + 1.0) * scale))


@kernel
def fill_log_factorials(largest, unit, scale):
    """Return the rounded log-factorials of 0, 1, 2, … counts.

    Fractional weights have large counts that hardly ever meet, and get no table.
    """
    size = min(largest, TABLE_LIMIT) + 1
    if unit != 1.0 and largest > TABLE_LIMIT:
        size = 0
    table = np.empty(size, dtype=np.int64)
    for count in range(size):
        table[count] = log_factorial(count * unit, scale)
    return table


@kernel
def look_up(count, terms):
    """Return the log-factorial of a count."""
    if np.uint64(count) < np.uint64(terms.counts.size):
        return terms.counts[np.uint64(count)]
    return log_factorial(count * terms.unit, terms.scale)


@kernel
def bin_term(count, terms):
    """Return log (n + J - 1)! / (J - 1)! of a bin of n rows."""
    others = terms.n_classes - 1
    if terms.unit == 1.0:
        return look_up(count + others, terms) - look_up(others, terms)
    rise = log_gamma(count * terms.unit + terms.n_classes) - terms.others
    return np.int64(np.rint(rise * terms.scale))


@kernel
def prior(n_cuts, terms):
    """Return log C(N + I - 1, I - 1), what it costs to have I - 1 cuts."""
    ways = log_gamma(terms.weight + n_cuts + 1.0) - log_gamma(n_cuts + 1.0) - log_gamma(terms.weight + 1.0)
    return np.int64(np.rint(ways * terms.scale))


@kernel
def fill_offsets(max_cuts, terms):
    """Return minus the prior of 0, 1, …, max_cuts cuts."""
    offsets = np.empty(max_cuts + 1)
    for cut in range(max_cuts + 1):
        offsets[cut] = -prior(cut, terms)
    return offsets


@kernel
def fill_scores(table, terms, min_count):
    """Return minus the term of every possible bin, minus infinity for bins below min_count."""
    n_values = table.starts.size - 1
    scores = np.empty(triangle(n_values + 1))
    by_label = np.zeros(table.n_labels, dtype=np.int64)
    of_label = np.zeros(table.n_labels, dtype=np.int64)
    for stop in range(1, n_values + 1):
        check_stop()
        count = 0
        classes = 0
        of_label[:] = 0
        for start in range(stop - 1, -1, -1):
            for entry in range(table.starts[start], table.starts[start + 1]):
                label = table.labels[entry]
                by_label[label] += table.counts[entry]
                now = look_up(by_label[label], terms)
                classes += now - of_label[label]
                of_label[label] = now
                count += table.counts[entry]
            at = triangle(stop) + start
            scores[at] = classes - bin_term(count, terms)
            if count < min_count and stop - start < n_values:
                scores[at] = -np.inf
        clear_bin(0, stop, table, by_label)
    return scores


@kernel
def share_out(by_label, count, n_labelled, shares):
    """Fill shares with the N_j: how many of a bin's rows each class would have.

    They maximise the sum of log N_j! / (N_j - n_j)!, in which the next row brings class j
    ``log (N_j + 1) / (N_j + 1 - n_j)``: most where ``n_j / (N_j + 1)`` is largest. Handing out
    seats by that rule is the method of D'Hondt, and so is rounding ``n_j * t`` down for any
    t; the t below hands out about as many seats as there are rows. Of classes that come
    equally close, the one with fewer labelled rows is served first, last when taken from.
    """
    n_classes = 0
    for label in range(shares.size):
        if by_label[label] > 0:
            n_classes += 1
    given = 0
    for label in range(shares.size):
        if count < SAFE_COUNT:
            shares[label] = by_label[label] * (2 * count + n_classes) // (2 * n_labelled)
        else:
            shares[label] = int(by_label[label] * ((count + 0.5 * n_classes) / n_labelled))
        given += shares[label]
    while given != count:
        step = 1 if given < count else -1
        # The seat that is next to be given, or the last one that was.
        seat = 1 if step == 1 else 0
        chosen = -1
        for label in range(shares.size):
            if by_label[label] == 0:
                continue
            if chosen < 0:
                chosen = label
                continue
            here = float(by_label[label]) * (shares[chosen] + seat) * step
            there = float(by_label[chosen]) * (shares[label] + seat) * step
            if here > there or (here == there and (by_label[label] - by_label[chosen]) * step < 0):
                chosen = label
        shares[chosen] += step
        given += step


@kernel
def unlabelled_term(by_label, count, terms, shares):
    """Return the term of a bin some of whose rows, the last label, are unlabelled."""
    n_labelled = count - by_label[shares.size]
    total = bin_term(count, terms) - look_up(count - n_labelled, terms)
    if n_labelled == 0:
        return total
    if terms.unit == 1.0:
        share_out(by_label, count, n_labelled, shares)
        for label in range(shares.size):
            if by_label[label] > 0:
                total -= look_up(shares[label], terms) - look_up(shares[label] - by_label[label], terms)
        return total
    # Parts of rows can be shared out in proportion.
    for label in range(shares.size):
        if by_label[label] > 0:
            labelled = by_label[label] * terms.unit
            share = labelled * (count / n_labelled)
            total -= log_factorial(share, terms.scale) - log_factorial(max(share - labelled, 0.0), terms.scale)
    return total


@kernel
def fill_unlabelled_scores(table, terms, min_count, min_labelled):
    """Do as fill_scores where the last label of the table stands for rows without one.

    Bins with fewer than min_labelled labelled rows are forbidden, too.
    """
    n_values = table.starts.size - 1
    scores = np.empty(triangle(n_values + 1))
    by_label = np.zeros(table.n_labels, dtype=np.int64)
    shares = np.zeros(table.n_labels - 1, dtype=np.int64)
    for stop in range(1, n_values + 1):
        check_stop()
        count = 0
        for start in range(stop - 1, -1, -1):
            for entry in range(table.starts[start], table.starts[start + 1]):
                by_label[table.labels[entry]] += table.counts[entry]
                count += table.counts[entry]
            at = triangle(stop) + start
            scores[at] = -unlabelled_term(by_label, count, terms, shares)
            too_few = count < min_count or count - by_label[shares.size] < min_labelled
            if too_few and stop - start < n_values:
                scores[at] = -np.inf
        clear_bin(0, stop, table, by_label)
    return scores
