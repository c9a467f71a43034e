"""The texts that the documentation of all classifiers shares, each in one place."""

from __future__ import annotations

TEXTS = {
    "laplace": """
    smoothing : {"laplace", "m"}, default="laplace"
        How probabilities are estimated, see `alpha`.
    """,
    "m": """
    smoothing : {"m", "laplace"}, default="m"
        How probabilities are estimated, see `alpha`.
    """,
    "common": """
    alpha : float, default=1.0
        The strength of the smoothing. "laplace": `alpha` is added to the count of every
        bin, and the classes have their shares in the training rows. "m": `alpha` rows are
        added to each class, spread evenly over the bins, and to the table, spread evenly
        over the classes.
    n_bins : int, array-like of int or None, default=None
        The number of bins of each attribute; None for the largest code seen and one.
    weights : {"count", "relative"}, default="count"
        What sample weights mean: how often each row counts, or only their ratios. See "Sample
        weights" in the user guide.
    """,
    "smooth_classes": """
    alpha : float, default=1.0
        The strength of the smoothing. "laplace": `alpha` is added to the count of every bin and
        of every class. "m": `alpha` rows are added to each class, spread evenly over the
        bins, and to the table, spread evenly over the classes.
    n_bins : int, array-like of int or None, default=None
        The number of bins of each attribute; None for the largest code seen and one.
    weights : {"count", "relative"}, default="count"
        What sample weights mean: how often each row counts, or only their ratios. See "Sample
        weights" in the user guide.
    """,
    "attributes": """
    classes_ : ndarray
        The class labels.
    n_bins_ : ndarray of int
        The number of bins of each attribute.
    tables_ : Tables
        Counts and log-probabilities, by cell (a bin of an attribute) and class.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if all of them are texts.
    """,
}
