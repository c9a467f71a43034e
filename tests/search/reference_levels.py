"""The search by levels as one would write it on a blackboard, without hashing and without heaps."""

from __future__ import annotations

import numpy as np

from tests.kernels import reference_grouping, reference_merging


def merge_column(bins, alikeness, level):
    """Merge the bins [(last value, counts)] of a column at a level."""
    n_classes = np.count_nonzero(np.sum([counts for _, counts in bins], axis=0))
    thresholds, factors = alikeness.tables(level, n_classes)
    units = [round(min(threshold * 2.0**30, 2.0**60)) for threshold in thresholds.tolist()]
    rule = (2.0**30, units, factors.tolist())
    return reference_merging.join_pairs(bins, rule, lambda _left, _right: True, 0, len(bins))


def consistency(joint, columns):
    """Count the groups of rows that the bins of the columns make."""
    symbols = list(joint.nominal)
    for ranks, bins in zip(joint.ranks, columns, strict=True):
        starts = np.array([*reference_grouping.bin_starts([last for last, _ in bins]), 0])
        symbols.append(np.where(ranks < 0, ranks, starts[np.maximum(ranks, 0)]))
    rows = [tuple(int(column[row]) for column in symbols) for row in range(joint.n_rows)]
    weights = [1] * joint.n_rows if joint.weights is None else joint.weights.tolist()
    return reference_grouping.count_groups(rows, joint.classes.tolist(), weights)


def search(joint, alikeness, holds, levels):
    """Return the bins of each column; `holds` compares the consistency now with that at first."""
    columns = [list(enumerate(table.class_counts.tolist())) for table in joint.tables]
    cut = [j for j, table in enumerate(joint.tables) if table.n_values > 1 and np.ptp(table.by_class.labels)]
    at_first = consistency(joint, columns)

    def try_level(numbers, level):
        new = [merge_column(bins, alikeness, level) if j in numbers else bins for j, bins in enumerate(columns)]
        return new if holds(consistency(joint, new), at_first) else None

    common = 0
    while common < len(levels) and (new := try_level(cut, levels[common])) is not None:
        columns, common = new, common + 1
    place = dict.fromkeys(cut, common)
    while place:
        for j in list(place):
            new = try_level([j], levels[place[j]]) if place[j] < len(levels) else None
            if new is None:
                del place[j]
            else:
                columns, place[j] = new, place[j] + 1
    return columns
