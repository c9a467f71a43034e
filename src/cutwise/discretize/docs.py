"""The texts that the documentation of all discretizers shares, each in one place."""

from __future__ import annotations

TEXTS = {
    "sizes": """
    min_bin_size : int, float or None, default=None
        The least number of rows in a bin, or as a float their least share of all rows.
        With sample weights, their weight. For numeric columns.
    max_bins : int or None, default=None
        The largest number of bins of a numeric column.
    """,
    "constraints": """
    min_bin_size : int, float or None, default=None
        The least number of rows in a bin, or as a float their least share of all rows.
        With sample weights, their weight. For numeric columns.
    max_bins : int or None, default=None
        The largest number of bins of a numeric column.
    monotonic : {"auto", "increasing", "decreasing"} or None, default=None
        With two classes, let the rate of the second class only rise or only fall from bin
        to bin; "auto" takes the direction that scores higher.
    """,
    "common": """
    special_values : list, dict or None, default=None
        Numbers such as -999 that are codes, not measurements. Each keeps a bin of its own
        after the intervals and stays out of the cutting. A list holds for all numeric
        columns; a dict gives lists by column.
    encode : {"ordinal", "onehot", "onehot-dense", "label"}, default="ordinal"
        What ``transform`` returns: codes from 0 on, 0/1 columns (sparse or not), or the
        interval as text.
    place : {"midpoint", "readable", "value"}, default="midpoint"
        Where in the gap between two values a cut is put: in the middle, at the shortest
        decimal, or at the lower value.
    missing : {"code", "bin"}, default="code"
        Missing values get the code -1, or a bin of their own after the last one. Unseen
        categories always get the code -1.
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
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of them are texts.
    """,
}
