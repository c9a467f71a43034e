"""The texts that the documentation of the networks shares, each in one place."""

from __future__ import annotations

TEXTS = {
    "columns": """
    A number becomes the normal distribution's quantile at its place among the training rows, as in
    the authors' experiments; a missing one stands at the mean. Texts, categories and booleans become
    codes; what is missing or was never seen has a code of its own. All of it is learned from
    the training rows.
    """,
    "training": """
    A stratified part of the training rows is split off to judge the network after each epoch by
    its mean -ln P(true class). Training ends when that has not fallen for `patience` epochs,
    and the best state is kept. With too few rows to split, all rows learn and judge.
    """,
    "common": """
    weight_decay : float, default=1e-5
        How strongly AdamW pulls weights to zero.
    batch_size : int or None, default=None
        The number of rows of a step. None takes a quarter of the rows, from 16 to 256.
    max_epochs : int, default=200
        The largest number of passes through the rows.
    patience : int, default=16
        How many epochs without improvement end the training.
    validation_fraction : float, default=0.2
        The share of the rows that judge: one in 1 / validation_fraction, rounded.
    max_seconds : float or None, default=None
        The time after which no further epoch begins; the best state so far is kept.
    device : str, default="auto"
        Where to compute: "cpu", "cuda" or any name that PyTorch knows. "auto" takes a GPU
        if there is one.
    random_state : int, RandomState instance or None, default=None
        The beginning of the random numbers. None takes another one each time.
    """,
    "attributes": """
    classes_ : ndarray
        The class labels.
    net_ : Module
        The trained network, in the memory of the CPU.
    columns_ : list
        How each column becomes inputs.
    validation_losses_ : ndarray
        The mean loss of the rows that judge, after each epoch; empty if there is but one class.
    best_epoch_ : int
        The epoch whose state was kept, from 1; 0 for the untrained network.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if the table had names.
    """,
    "notes": """
    On a CPU the same seed and number of threads give the same network; a GPU may add numbers in
    another order from run to run. PyTorch's and numpy's global random numbers are left as they were.

    A weight of a row is a factor of its loss. It differs from a row that stands there twice in
    how the rows are dealt into batches and parts; the quantiles of the columns do not know of weights.

    Infinite values are refused in ``fit``. In ``predict`` they stand at the edge of the training
    values. Progress is told to scikit-learn's callbacks, an epoch each.
    """,
    "reference": """
    Gorishniy, Rubachev, Khrulkov and Babenko, "Revisiting deep learning models for tabular data",
    NeurIPS 2021.
    """,
}
