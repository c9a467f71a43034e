"""The parts of the documentation that discretizers share."""

from __future__ import annotations

_SIZES = """
    min_bin_size : int, float, dict or None, default=None
        The least number of rows in a bin, or as a float their least share of all rows.
        With sample weights, their weight. For numeric columns and groups of categories. This
        and the other limits may also be a dict by column.
    max_bins : int, dict or None, default=None
        The largest number of bins of a numeric column, or of groups of categories.
    """
_MONOTONIC = """
    monotonic : {"increasing", "decreasing", "auto"}, dict or None, default=None
        With two classes, let the rate of the event only rise or only fall from bin to bin; "auto" takes the
        direction of the column's trend.
    """
_LIMITS = """
    min_bins : int, dict or None, default=None
        The least number of bins, where a column has so many values.
    max_bin_size : int, float, dict or None, default=None
        The largest number of rows in a bin, or as a float their largest share.
    min_events : float, dict or None, default=None
        The least number of rows of the event in each bin, and of the other classes.
    max_pvalue : float, dict or None, default=None
        The level at which the rates of the event in neighbouring bins must differ.
    monotonic : str, dict or None, default=None
        The trend that the rate of the event follows from bin to bin: "increasing", "decreasing", "peak", "valley",
        "concave" or "convex"; "auto" takes the best of the first four, a turn only if it is worth it. See
        "Limits, trends and settings by column" in the user guide.
    """
TEXTS = {
    "sizes": _SIZES,
    "monotonic": _MONOTONIC,
    "constraints": _SIZES.rstrip() + _LIMITS,
    "confirm": """
    confirm : float, dict or None, default=None
        A cut is made only if the best cut of its bin would be as good by chance with at most this
        probability, such as 0.05; see "Confirmed cuts" in the user guide. None tests no cut; 1
        tests them and makes them all. A group of categories is divided only if its categories
        would differ as much by chance with at most this probability.
    max_categories : int or None, default=None
        With ``nominal="group"``, so many of the most frequent categories of a column are looked at
        one by one; the others are taken as one, which goes to a group as a whole. None for all
        categories or, with `confirm`, for those of five expected rows or more inside and outside the
        most frequent class.
    """,
    "validation": """
    validation : {"expected", "crossfit", "holdout"}, default="expected"
        Which rows are the validation part. "expected" takes the mean of J over every
        possible part of that size, in closed form: nothing is drawn at random and the
        order of rows does not matter. "crossfit" deals the rows into n_splits parts and
        holds out each in turn. "holdout" holds out one such part, as the paper does.
    n_splits : int, default=9
        The validation part is one n_splits-th of the rows.
    """,
    "levels": """
    Limits on bins are met at the end, whatever happens to the consistency. Columns take
    turns in the order of the table.
    """,
    "common": """
    columns : array-like of str or None, default=None
        The columns that ``fit`` cuts, by name, or by place where the table has no names; the others pass through
        ``transform``. None for all columns.
    special_values : list, dict or None, default=None
        Numbers such as -999 that are codes, not measurements. Each keeps a bin of its own
        after the intervals and stays out of the cutting. A list holds for all numeric
        columns; a dict gives lists by column.
    event : label or None, default=None
        The class that rates, weights of evidence and trends are about. By default the rarer of two classes; of equal
        ones the second.
    encode : {"ordinal", "onehot", "onehot-dense", "label", "woe", "rate"}, default="ordinal"
        What ``transform`` returns: codes from 0 on, 0/1 columns (sparse or not), the interval as text, the weight of
        evidence of the bin (a positive one speaks against the event) or the rate of the event in it.
    decode : {"label", "midpoint"}, default="label"
        What ``inverse_transform`` returns: the interval or the category as text; or values: the middle of the interval
        between the training values, the special value, the category.
    place : {"midpoint", "readable", "value"}, default="midpoint"
        Where in the gap between two values a cut is put: in the middle, at the shortest
        decimal, or at the lower value.
    missing : {"code", "bin"}, default="code"
        Missing values get the code -1, or a bin of their own after the last one. Unseen
        categories always get the code -1.
    nominal : {"bin", "group"} or dict, default="bin"
        Each category is a bin, or categories with like class rates share one, as far as the
        criterion and the limits say; see "Groups of categories" in the user guide. Ordered
        categories are then cut like numbers. Methods that cannot do that refuse it.
    n_jobs : int or None, default=None
        Columns worked on at the same time, in threads. The result does not depend on it.
    weights : {"count", "relative"}, default="count"
        What sample weights mean: how often each row counts, or only their ratios. See "Sample
        weights" in the user guide.
    """,
    "attributes": """
    Attributes
    ----------
    scheme_ : Scheme
        Bins, counts, scores and the search's steps, as data.
    cuts_ : list of ndarray
        The cuts of each column; empty where there is none. Bin i holds
        ``cuts[i - 1] < x <= cuts[i]``.
    classes_ : ndarray
        The class labels.
    n_bins_ : ndarray of int
        The number of bins of each column, without the one for missing values.
    bin_edges_ : ndarray of object
        For each numeric column its smallest value, the cuts and its largest value.
    feature_importances_ : ndarray of float
        How informative the bins of each column are about the class: their relevance, as shares of 1.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of them are strings.
    """,
}
