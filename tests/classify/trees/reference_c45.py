"""C4.5 as one would write it on a blackboard: recursion over lists of rows.

A row is (cells, label, weight); a cell is a number, a code, or None. sizes[a] is the number of
codes of attribute a, None for numbers. A node is a dictionary.
"""

from __future__ import annotations

from itertools import pairwise
from math import log2, sqrt
from statistics import NormalDist

SMALL = 1e-6


def entropy(weights):
    """Return the information of a distribution, times its weight."""
    total = sum(weights)
    return -sum(w * log2(w / total) for w in weights if w > 0)


def by_class(rows, n_classes):
    return [sum(w for _, label, w in rows if label == c) for c in range(n_classes)]


def total_of(rows):
    return sum(w for *_, w in rows)


def branch(node, row):
    cell = row[0][node["attribute"]]
    if cell is None or node["threshold"] is None:
        return cell
    return int(cell > node["threshold"])


def send(node, rows):
    """Return the rows of each branch; those without a value go everywhere."""
    out = [[row for row in rows if branch(node, row) == b] for b in range(node["n_branches"])]
    sizes = [total_of(part) for part in out]
    known = sum(sizes)
    shares = [size / known for size in sizes] if known else [1 / len(sizes)] * len(sizes)
    for cells, label, weight in (row for row in rows if branch(node, row) is None):
        for part, share in zip(out, shares, strict=True):
            if share > SMALL:
                part.append((cells, label, weight * share))
    return out


def score(rows, split, n_classes):
    """Return the gain and the information of a split."""
    total = total_of(rows)
    known = [row for row in rows if branch(split, row) is not None]
    parts = [[row for row in known if branch(split, row) == b] for b in range(split["n_branches"])]
    inside = sum(entropy(by_class(part, n_classes)) for part in parts)
    gain = (entropy(by_class(known, n_classes)) - inside) / total
    return gain, entropy([*map(total_of, parts), total - total_of(known)]) / total


class C45:
    def __init__(self, rows, sizes, n_classes, **settings):
        defaults = {"min_leaf": 2, "min_gap": 0.0, "mdl": True, "collapse": True, "prune": True, "raising": True}
        self.__dict__ |= defaults | {"confidence": 0.25} | settings
        self.sizes, self.n_classes, self.all_rows = sizes, n_classes, rows
        limit = 0.3 * total_of(rows)
        self.in_average = [size is None or size < limit - SMALL for size in sizes]
        if not any(self.in_average):
            self.in_average = [True] * len(sizes)
        self.root = self.grow(rows)
        if self.collapse:
            self.collapse_node(self.root)
        if self.prune:
            self.prune_node(self.root)

    def numeric_split(self, rows, a):
        """Return the best threshold of an attribute as (gain, ratio, split), or None."""
        total = total_of(rows)
        known = sorted((row for row in rows if row[0][a] is not None), key=lambda row: row[0][a])
        min_side = max(min(0.1 * total_of(known) / self.n_classes, 25), self.min_leaf)
        best, n_cuts, found = 0.0, 0, None
        for i, (low, high) in enumerate(pairwise(row[0][a] for row in known)):
            sides = total_of(known[: i + 1]), total_of(known[i + 1 :])
            if low == high or high - low <= self.min_gap or min(sides) < min_side - SMALL:
                continue
            n_cuts += 1
            split = {"attribute": a, "threshold": low, "n_branches": 2}
            gain, information = score(rows, split, self.n_classes)
            if gain > best + SMALL:
                best, found = gain, (split, information, low / 2 + high / 2)
        if found is None:
            return None
        split, information, middle = found
        gain = best - self.mdl * log2(n_cuts) / total
        if gain <= SMALL:
            return None
        values = [row[0][a] for row in self.all_rows if row[0][a] is not None]
        split["threshold"] = max(value for value in values if value <= middle)
        return gain, gain / information, split

    def nominal_split(self, rows, a):
        split = {"attribute": a, "threshold": None, "n_branches": self.sizes[a]}
        parts = [[row for row in rows if row[0][a] == b] for b in range(self.sizes[a])]
        if sum(total_of(part) >= self.min_leaf - SMALL for part in parts) < 2:
            return None
        gain, information = score(rows, split, self.n_classes)
        gain = gain if gain * total_of(rows) > SMALL else 0.0
        return gain, gain / information, split

    def best_split(self, rows):
        weights = by_class(rows, self.n_classes)
        if sum(weights) < 2 * self.min_leaf - SMALL or sum(weights) - max(weights) <= SMALL:
            return None
        splits = [
            self.numeric_split(rows, a) if size is None else self.nominal_split(rows, a)
            for a, size in enumerate(self.sizes)
        ]
        gains = [split[0] for split, counts in zip(splits, self.in_average, strict=True) if split and counts]
        best, picked = 0.0, None
        for gain, ratio, split in filter(None, splits) if gains else ():
            if gain >= sum(gains) / len(gains) - 1e-3 and ratio > best + SMALL:
                best, picked = ratio, split
        return picked

    def grow(self, rows):
        node = {"rows": rows, "attribute": None, "children": []}
        split = self.best_split(rows)
        if split:
            node |= split
            node["children"] = [self.grow(part) for part in send(split, rows)]
        return node

    def wrong(self, rows):
        weights = by_class(rows, self.n_classes)
        return sum(weights) - max(weights)

    def leaves(self, node):
        return [leaf for child in node["children"] for leaf in self.leaves(child)] if node["children"] else [node]

    def collapse_node(self, node):
        if not node["children"]:
            return
        if sum(self.wrong(leaf["rows"]) for leaf in self.leaves(node)) >= self.wrong(node["rows"]) - 1e-3:
            node |= {"children": [], "attribute": None}
        for child in node["children"]:
            self.collapse_node(child)

    def estimate(self, rows):
        total = total_of(rows)
        return self.wrong(rows) + added_errors(total, self.wrong(rows), self.confidence) if total > SMALL else 0.0

    def estimate_tree(self, node, rows=None):
        """Return the estimated errors of a subtree, with its own or with other rows."""
        if not node["children"]:
            return self.estimate(node["rows"] if rows is None else rows)
        parts = [None] * len(node["children"]) if rows is None else send(node, rows)
        return sum(self.estimate_tree(*pair) for pair in zip(node["children"], parts, strict=True))

    def prune_node(self, node):
        if not node["children"]:
            return
        for child in node["children"]:
            self.prune_node(child)
        sizes = [round(total_of(child["rows"]), 6) for child in node["children"]]
        largest = node["children"][max(range(len(sizes)), key=lambda b: (sizes[b], b))]
        as_branch = self.estimate_tree(largest, node["rows"]) if self.raising else float("inf")
        as_leaf, as_tree = self.estimate(node["rows"]), self.estimate_tree(node)
        if as_leaf <= as_tree + 0.1 + SMALL and as_leaf <= as_branch + 0.1 + SMALL:
            node |= {"children": [], "attribute": None}
        elif as_branch <= as_tree + 0.1 + SMALL:
            self.raise_rows(largest, node["rows"])
            node.update(largest)
            self.prune_node(node)

    def raise_rows(self, node, rows):
        node["rows"] = rows
        if node["children"]:
            for child, part in zip(node["children"], send(node, rows), strict=True):
                self.raise_rows(child, part)

    def shares(self, cells):
        """Return the share of each class for one row."""
        return self.node_shares(self.root, cells)

    def node_shares(self, node, cells):
        weights = by_class(node["rows"], self.n_classes)
        own = [w / sum(weights) for w in weights]
        if not node["children"]:
            return own
        at = branch(node, (cells, None, 1.0))
        sizes = [total_of(child["rows"]) for child in node["children"]]
        if at is not None:
            missing_branch = at >= len(sizes) or sizes[at] == 0
            return own if missing_branch else self.node_shares(node["children"][at], cells)
        out = [0.0] * self.n_classes
        for child, size in zip(node["children"], sizes, strict=True):
            if size:
                shares = self.node_shares(child, cells)
                out = [a + size / sum(sizes) * b for a, b in zip(out, shares, strict=True)]
        return out


def added_errors(total, wrong, confidence):
    z = NormalDist().inv_cdf(1 - confidence)
    if wrong < 1:
        none = total * (1 - confidence ** (1 / total))
        return none if wrong == 0 else none + wrong * (added_errors(total, 1, confidence) - none)
    if wrong + 0.5 >= total:
        return max(total - wrong, 0)
    f = (wrong + 0.5) / total
    upper = f + z * z / (2 * total) + z * sqrt(f / total - f * f / total + z * z / (4 * total * total))
    return total * upper / (1 + z * z / total) - wrong
