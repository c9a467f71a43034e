"""The kernels as one would write them on a blackboard: the oracle of the tests.

Nothing here is fast, shares code with the compiled kernels, or is used outside the tests.
Exponentials and logarithms take the same operations in the same order as the compiled ones.
Counts are lists: class_counts[value][class] and part_counts[value][judged part].
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb

LN_2 = Fraction("0.693147180559945309417232121458176568076")
HIGH = float(Fraction(math.floor(LN_2 * 2**41), 2**41))
LOW = float(LN_2 - Fraction(HIGH))


def in_powers(x, terms):
    """Return terms[0] + terms[1] x + …, even and odd powers each by themselves."""
    square = x * x
    even, odd = terms[-1], terms[-2]
    for term in terms[-3::-2]:
        even = even * square + term
    for term in terms[-4::-2]:
        odd = odd * square + term
    return even + odd * x


def exp(x):
    """Return e to the power of a number."""
    if x < -745.0:
        return 0.0
    x = min(x, 709.0)
    k = round(x * float(1 / LN_2))
    r = (x - k * HIGH) - k * LOW
    tail = in_powers(r, [1.0 / math.factorial(i) for i in range(2, 15)])
    return math.ldexp(1.0 + (r + r * r * tail), k)


def log_parts(x):
    """Return e and log(m) with x = m * 2**e and m near 1."""
    m, e = math.frexp(x)
    m, e = 2.0 * m, e - 1
    if m > math.sqrt(2.0):
        m, e = 0.5 * m, e + 1
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    return e, f - s * (f - 2.0 * z * in_powers(z, [1.0 / i for i in range(3, 25, 2)]))


def log(x):
    """Return the natural logarithm."""
    if x == 0.0 or math.isinf(x):
        return -math.inf if x == 0.0 else x
    e, rest = log_parts(x)
    return e * HIGH + (e * LOW + rest)


def log2(x):
    """Return the logarithm to the base 2."""
    e, rest = log_parts(x)
    return e + rest * float(1 / LN_2)


def log_gamma(x):
    """Return the logarithm of (x - 1)!."""
    if x <= 23.0 and x == math.floor(x):
        return log(float(math.factorial(max(int(x) - 1, 0))))
    product = 1.0
    if x < 10.0:
        ends = x * (x + 7.0)
        product, x = (ends * (ends + 6.0)) * ((ends + 10.0) * (ends + 12.0)), x + 8.0
    # Bernoulli numbers B2, B4, … over 2 * 1, 4 * 3, …
    series = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400]
    tail = series[-1]
    for term in series[-2::-1]:
        tail = tail * ((1.0 / x) * (1.0 / x)) + term
    found = (x - 0.5) * log(x) - x + (0.9189385332046728 + tail * (1.0 / x))
    return found if product == 1.0 else found - log(product)


def choose_scale(n_rows):
    """Return the largest power of two that keeps scale * n_rows log2 n_rows at or below 2**51."""
    largest = n_rows * log2(n_rows) if n_rows > 2 else 2.0
    return 2.0 ** (51 - math.ceil(log2(largest)))


def count_term(count, scale):
    """Return count log2 count in units of 1 / scale."""
    return round(count * log2(count) * scale) if count > 1 else 0


def share_term(rows, valid, n_rows, n_valid):
    """Return a bin's share of the Jensen-Shannon divergence in bits."""
    if n_valid in (0, n_rows):
        return 0.0
    train_share, valid_share = (rows - valid) / (n_rows - n_valid), valid / n_valid
    middle = 0.5 * (train_share + valid_share)

    def distance(share):
        return 0.5 * share * log2(share / middle) if share > 0 else 0.0

    return distance(train_share) + distance(valid_share)


def split_term(rows, valid_by_part, rows_by_part, n_rows, scale):
    """Return n_rows times a bin's mean share over the judged parts, in units of 1 / scale."""
    shares = [share_term(rows, v, n_rows, n) for v, n in zip(valid_by_part, rows_by_part, strict=True)]
    total = 0.0
    for share in shares:
        total += share
    return round(total / len(shares) * n_rows * scale)


def expected_share(rows, n_rows, n_valid):
    """Return a bin's share of the divergence, averaged over every split, with exact weights."""
    splits = comb(n_rows, n_valid)
    total = 0.0
    for valid in range(min(rows, n_valid) + 1):
        ways = comb(rows, valid) * comb(n_rows - rows, n_valid - valid)
        total += float(Fraction(ways, splits)) * share_term(rows, valid, n_rows, n_valid)
    return total


def assign_code(value, cuts, missing_code):
    """Return the number of cuts below a value."""
    return missing_code if math.isnan(value) else sum(cut < value for cut in cuts)


def place_codes(codes, firsts, n_bins, none):
    """Return the cells of a row of codes, behind cell 0."""
    columns = zip(codes, firsts, n_bins, strict=True)
    return [0, *(first + code if code in range(size) else none for code, first, size in columns)]


def merge_runs(runs):
    """Return (value, run) pairs in order."""
    return sorted((value, number) for number, run in enumerate(runs) for value in run)


def pack_runs(values, starts, stops):
    """Return the values of the runs one after another, and where each run then starts."""
    runs = [list(values[start:stop]) for start, stop in zip(starts, stops, strict=True)]
    bounds = [sum(map(len, runs[:k])) for k in range(len(runs) + 1)]
    return [value for run in runs for value in run], bounds


def count_rows(pairs, label_of_run):
    """Return the distinct values and for each the rows by label, {label: count}."""
    table = {}
    for value, run in pairs:
        by_label = table.setdefault(value, {})
        by_label[label_of_run[run]] = by_label.get(label_of_run[run], 0) + 1
    return sorted(table), [dict(sorted(table[value].items())) for value in sorted(table)]


def bins_of(table, gaps):
    """Return the rows of a table [value][label], added up bin by bin."""
    edges = [0, *(gap + 1 for gap in sorted(gaps)), len(table)]
    return [[sum(column) for column in zip(*table[start:stop], strict=True)] for start, stop in pairwise(edges)]


def sums_of(gaps, class_counts, divergence_term, scale):
    """Return the relevance and divergence sums of a scheme; divergence_term takes a bin's values."""
    edges = [0, *(gap + 1 for gap in sorted(gaps)), len(class_counts)]
    relevance = divergence = 0
    for counts, start, stop in zip(bins_of(class_counts, gaps), edges, edges[1:], strict=False):
        relevance += sum(count_term(count, scale) for count in counts) - count_term(sum(counts), scale)
        divergence += divergence_term(start, stop)
    return relevance, divergence


def margin(psi):
    """Return how far another score must be from psi to differ from it."""
    return 1e-9 * abs(psi) + 1e-12


def fits(class_counts, gaps, min_count, riser):
    """Return whether every bin is large enough and the share of the class `riser` never falls (-1: may do)."""
    bins = bins_of(class_counts, gaps)
    if len(bins) > 1 and min(map(sum, bins)) < min_count:
        return False
    return riser < 0 or all(left[riser] * sum(right) <= right[riser] * sum(left) for left, right in pairwise(bins))


def add_cuts(class_counts, divergence_term, n_rows, scale, n_d, bounds):
    """Return the greedy search's steps [(gap, gain, loss)], the number accepted, and the reason to stop."""
    whole_gain, whole_loss = sums_of([], class_counts, divergence_term, scale)
    unit = n_rows * scale
    gaps, steps, psi = [], [], 0.0
    while True:
        free = [gap for gap in range(len(class_counts) - 1) if gap not in gaps]
        if not free or len(gaps) >= bounds.max_cuts:
            return steps, len(gaps), "limit" if free else "all_cut"
        free = [gap for gap in free if fits(class_counts, [*gaps, gap], bounds.min_count, bounds.riser)]
        if not free:
            return steps, len(gaps), "no_room"
        weight = exp(-(len(gaps) + 1) / n_d)
        tried = []
        for gap in free:
            gain, loss = sums_of([*gaps, gap], class_counts, divergence_term, scale)
            gain, loss = gain - whole_gain, loss - whole_loss
            tried.append(((weight * gain - loss) / unit, gap, gain, loss))
        best = max(score for score, *_ in tried)
        new_psi, gap, gain, loss = next(trial for trial in tried if trial[0] >= best - margin(best))
        steps.append((gap, gain, loss))
        if new_psi - psi <= margin(new_psi):
            return steps, len(gaps), "no_gain"
        gaps.append(gap)
        psi = new_psi


def best_psi(class_counts, divergence_term, n_rows, scale, n_d, bounds):
    """Return the highest Psi of any scheme within the bounds, by trying them all."""
    whole_gain, _ = sums_of([], class_counts, divergence_term, scale)
    unit = n_rows * scale
    best = 0.0
    for n_cuts in range(1, min(len(class_counts) - 1, bounds.max_cuts) + 1):
        for gaps in combinations(range(len(class_counts) - 1), n_cuts):
            if not fits(class_counts, gaps, bounds.min_count, bounds.riser):
                continue
            gain, loss = sums_of(list(gaps), class_counts, divergence_term, scale)
            best = max(best, (exp(-n_cuts / n_d) * (gain - whole_gain) - loss) / unit)
    return best
