"""The tuples of arrays that the searches take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# The kinds of term that caim.py knows.
PEAK, SQUARES, ENTROPY = range(3)
# The losses whose curvature boxed.py knows.
LOG, SQUARED, MIXED = range(3)
# The shapes that shaped.py knows, and the second difference of rates up to which they lie on a straight line.
FREE, RISING, ONE_PEAK, CONCAVE = range(4)
STRAIGHT = 1e-12
# The rule of ties: scores within this distance of each other are equal, and the first, or leftmost, is taken.
TIE_RELATIVE, TIE_ABSOLUTE = 1e-9, 1e-12


def margin_of(score: float) -> float:
    """Return how far another score must be from this one to differ from it."""
    return TIE_RELATIVE * abs(score) + TIE_ABSOLUTE


class LabelledRows(NamedTuple):
    """Rows by value and class: the entries of value u are starts[u] to starts[u + 1]."""

    starts: NDArray[np.int64]
    labels: NDArray[np.int32]
    counts: NDArray[np.int64]
    n_labels: int


class RowsByPart(NamedTuple):
    """Rows by value and part. Searches take None where no split is given.

    A part whose slot is not negative is judged as a validation part; rows_by_part[slot]
    is its number of rows.
    """

    starts: NDArray[np.int64]
    labels: NDArray[np.int32]
    counts: NDArray[np.int64]
    slots: NDArray[np.int64]
    rows_by_part: NDArray[np.int64]


class TermLookup(NamedTuple):
    """Tables of terms (see terms.py) and what is needed to compute one that they lack.

    n_rows is the sum of all counts. Expected terms are those of n_rows rows, n_valid of them
    in the validation part. With fractional weights a count is no number of rows: `fraction`
    then says of how many rows the expected terms are, at which scale, and how many rows a
    count stands for. `beyond` is the scale if the tables lack a term, else None: a search that
    need not compute any is compiled without it and is faster.
    """

    counts: NDArray[np.int64]
    expected: NDArray[np.int64]
    scale: float
    n_rows: int
    n_valid: int
    fraction: tuple[int, float, float] | None
    beyond: float | None


class ClassTerms(NamedTuple):
    """Of which kind the terms of class counts are, and what they are made of (see caim.py, blocks.py).

    SQUARES needs the rows of each class in the column, ENTROPY the table of count terms, its scale and, where the table
    may end too early, the scale once more (see `TermLookup`).
    """

    kind: int
    class_rows: NDArray[np.int64]
    by_count: NDArray[np.int64]
    scale: float
    beyond: float | None


class SearchBounds(NamedTuple):
    """What a scheme must satisfy.

    At most max_cuts cuts; no bin with a count below min_count; the share of the class
    `riser` never falls from bin to bin (-1: no such class).
    """

    max_cuts: int
    min_count: int
    riser: int

    @property
    def restrict(self) -> bool:
        """Whether there are more bounds than that on the number of cuts."""
        return self.min_count > 1 or self.riser >= 0


class RowsBeside(NamedTuple):
    """The rows of the rising class, and all rows, of the bins to the left and to the right of one; 0 for none."""

    low_risers: int
    low_rows: int
    high_risers: int
    high_rows: int


class SplitRoom(NamedTuple):
    """What a greedy search works with (see splitting.py).

    The bins with the scores of their best gaps, the steps, the weights of schemes of 0, 1, 2, … cuts, the counts on
    both sides of a gap by class and by judged part, the number of cuts with gain and loss, and the distance
    beyond which no two scores are a tie.
    """

    bins: NDArray[np.int64]
    uppers: NDArray[np.float64]
    steps: NDArray[np.int64]
    weights: NDArray[np.float64]
    by_class: NDArray[np.int64]
    by_part: NDArray[np.int64]
    sums: NDArray[np.int64]
    apart: float


class CellGroups(NamedTuple):
    """Groups of rows with the same key: joint cells, or joint cells of one class (see joint.py).

    ``keys[g]`` is the key of group g, ``rows[g]`` its first row and ``counts[g]`` its
    weight; ``slots`` is the hash table that finds it. The arrays have room for as many
    groups as there are rows.
    """

    slots: NDArray[np.int32]
    keys: NDArray[np.uint64]
    rows: NDArray[np.int32]
    counts: NDArray[np.int64]


class GroupedRows(NamedTuple):
    """Rows in joint cells and in entries, which are cells taken apart by class.

    ``by_part[cell, part]`` counts the rows of the parts that are judged, and
    ``rows_by_part`` those of the whole table; both are empty where no split is given.
    """

    cells: CellGroups
    entries: CellGroups
    cell_of_row: NDArray[np.int32]
    entry_of_row: NDArray[np.int32]
    by_part: NDArray[np.int64]
    rows_by_part: NDArray[np.int64]


class FactorialTerms(NamedTuple):
    """Rounded log-factorials (see modl.py) of a column whose rows weigh `weight` in all.

    A count of one weighs `unit`; n_classes is the number of classes that are present, and others
    the log-factorial, not rounded, of all of them but one.
    """

    counts: NDArray[np.int64]
    unit: float
    scale: float
    n_classes: int
    others: float
    weight: float


class DiffusionGrid(NamedTuple):
    """Cells of a line (see chance/diffusion.py): where they are, their shares at rest, and the rates up and down."""

    places: NDArray[np.float64]
    rest: NDArray[np.float64]
    up: NDArray[np.float64]
    down: NDArray[np.float64]


class EdgeBuckets(NamedTuple):
    """Where to search among the edges of a grid: bucket b holds the edges starts[b] to starts[b + 1].

    A bucket is a range of equal width: of the values if `linear`, else of the whole numbers that
    their bits make, which suits values of very different size. It is `crowded` if some bucket holds many
    edges.
    """

    starts: NDArray[np.int32]
    linear: bool
    crowded: bool
    origin: float
    scale: float
    low_key: np.uint64
    shift: np.uint64


class BinnedRows(NamedTuple):
    """Training rows: bins[row, attribute], the class of each row, its weight, and an index.

    A missing value is in the bin n_bins[attribute]. The rows in bin b of attribute j are
    order[j, first] to order[j, stops[places[j] + b] - 1], where first is the stop of the bin
    before, or 0.
    """

    bins: NDArray[np.int32]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64]
    order: NDArray[np.int32]
    places: NDArray[np.int64]
    stops: NDArray[np.int64]


class BinCounts(NamedTuple):
    """Rows by bin and class, for each attribute.

    Attribute j has n_bins[j] bins. Its width is one more if some training row lacks it: the
    last bin then holds the missing values. Bin b of attribute j is row offsets[j] + b of
    counts[cell, class], in which missing values are not counted.
    """

    n_bins: NDArray[np.int64]
    widths: NDArray[np.int64]
    offsets: NDArray[np.int64]
    counts: NDArray[np.float64]


class PairCellCounts(NamedTuple):
    """Rows by two bins and class, for each pair of attributes u < k.

    Bin a of u with bin b of k is row starts[u, k] + a * widths[k] + b of counts[cell, class].
    """

    starts: NDArray[np.int64]
    counts: NDArray[np.float64]


class SmoothingTerms(NamedTuple):
    """What is added to counts, for each attribute.

    P(bin | class) = (count + bin_add) / (rows + bin_total), and
    P(bin, class) = (count + joint_add) / (rows + joint_total).
    """

    bin_add: NDArray[np.float64]
    bin_total: NDArray[np.float64]
    joint_add: NDArray[np.float64]
    joint_total: NDArray[np.float64]


class JumpGrid(NamedTuple):
    """The cells and jumps of an additive model, see jumps.py.

    The cells of column j begin at cell_starts[j], n_ordered[j] of them in order; its jumps begin at jump_starts[j],
    one for each cut between ordered cells and one for each other cell. means[k] is the share of the
    rows beyond a cut, among those with a value.
    """

    cell_starts: NDArray[np.int64]
    n_ordered: NDArray[np.int64]
    jump_starts: NDArray[np.int64]
    means: NDArray[np.float64]
