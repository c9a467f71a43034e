"""RVFL: random hidden neurons, learned outputs, layer upon layer.

The random weights of a network are not written to JSON. They are drawn again from the seed, which takes a
network of the default size from more than 14 million characters to some 220,000.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from functools import partial
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from cutwise.classify.networks.columns import (
    ColumnMap,
    OneHot,
    Standardised,
    as_matrix,
    choose_seed,
    learn_columns,
    read_cells,
    read_training_cells,
)
from cutwise.classify.networks.layers import (
    ACTIVATIONS,
    SCHEMES,
    LayerRows,
    RVFLLayer,
    RVFLSettings,
    ensemble_log_probabilities,
    random_draw,
    train_layers,
)
from cutwise.classify.networks.tuning import tune
from cutwise.classify.predicting import PredictsProbabilities
from cutwise.errors import ModelError
from cutwise.estimator import Choices, TakesTables, estimator
from cutwise.persist import ClassifierModel, LearnedField
from cutwise.persist.fields import POSITIVE, as_categories
from cutwise.persist.strict import as_count, as_variant, require
from cutwise.scikit_learn import Interval, fit_context
from cutwise.threads import interruptible
from cutwise.validation import check_table, read_rows, set_fitted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

# A file may ask for this many random weights, 512 MiB of them.
MAX_DRAWN = 2**26
NUMERIC = {
    "centre": LearnedField(),
    "half": LearnedField(low=0.0),
    "mean": LearnedField(),
    "std": LearnedField(low=POSITIVE),
}
COLUMN_KEYS = {"numeric": tuple(NUMERIC), "nominal": ("categories", "most_frequent")}


class NetworkModel(ClassifierModel):
    """The base of the networks of random layers that are written to JSON."""

    _learned: ClassVar[Mapping[str, LearnedField] | None] = {
        "seed_": LearnedField(kind="count"),
        "best_score_": LearnedField(low=0.0, optional=True),
        "c": LearnedField(low=POSITIVE),
        "activation": LearnedField(kind="text", choices=tuple(ACTIVATIONS)),
        "mean": LearnedField(("layers", "hidden")),
        "std": LearnedField(("layers", "hidden"), low=POSITIVE),
        "outputs": LearnedField(("layers", "regressors", "classes")),
        "kept": LearnedField(("layers", "kept"), kind="count"),
    }

    seed_: int
    best_score_: float | None
    best_params_: dict[str, Any]
    columns_: list[ColumnMap]
    layers_: list[RVFLLayer]

    def _write_columns(self) -> list[Any]:
        return [_write_column(column, f"columns[{j}]") for j, column in enumerate(self.columns_)]

    @classmethod
    def _read_columns(cls, data: list[Any], where: str) -> list[ColumnMap]:
        return [_read_column(item, f"columns[{j}]", where) for j, item in enumerate(data)]

    def _set_columns(self, columns: list[ColumnMap]) -> None:
        self.columns_ = columns

    def _fits_codes(self, n_bins: Sequence[int]) -> bool:
        are_numbers = all(isinstance(column, Standardised) for column in self.columns_)
        return are_numbers and len(self.columns_) == len(n_bins)

    def _get_learned(self) -> dict[str, Any]:
        layers = self.layers_
        learned = {
            "seed_": self.seed_,
            "best_score_": self.best_score_,
            "c": self.best_params_["c"],
            "activation": self.best_params_["activation"],
            **{
                name: np.stack([getattr(layer, name) for layer in layers])
                for name in ("mean", "std", "outputs", "kept")
            },
        }
        for layer, again in zip(layers, _draw_layers(learned, self.columns_), strict=True):
            same = np.array_equal(layer.inputs, again.inputs) and np.array_equal(layer.offsets, again.offsets)
            require(same, "'layers_' has other random weights than 'seed_' gives, so it cannot be written to JSON.")
        return learned

    def _set_learned(self, learned: dict[str, Any]) -> None:
        layers = _draw_layers(learned, self.columns_)
        self.seed_ = learned["seed_"]
        self.best_score_ = learned["best_score_"]
        self.best_params_ = {
            "n_layers": len(layers),
            "n_hidden": layers[0].offsets.size,
            "c": learned["c"],
            "activation": learned["activation"],
        }
        self.layers_ = layers


def _write_column(column: ColumnMap, name: str) -> dict[str, Any]:
    if isinstance(column, OneHot):
        return {
            "kind": "nominal",
            "categories": list(column.categories),
            "most_frequent": column.most_frequent,
        }
    numbers = asdict(column)
    return {
        "kind": "numeric",
        **{key: field.write(numbers[key], f"{name}.{key}", {}) for key, field in NUMERIC.items()},
    }


def _read_column(data: object, name: str, where: str) -> ColumnMap:
    column = as_variant(data, COLUMN_KEYS, f"{where}: {name!r}")
    if column["kind"] == "numeric":
        return Standardised(**{key: field.read(column[key], f"{name}.{key}", {}) for key, field in NUMERIC.items()})
    categories = as_categories(column["categories"], f"{where}: '{name}.categories'")
    place = as_count(column["most_frequent"], f"{where}: '{name}.most_frequent'")
    require(
        place < max(len(categories), 1), f"{where}: '{name}.most_frequent' is {place} of {len(categories)} categories."
    )
    return OneHot(categories, place)


def _draw_layers(learned: dict[str, Any], columns: Sequence[ColumnMap]) -> list[RVFLLayer]:
    """Return the layers with their random weights, or refuse them."""
    n_features = sum(column.n_numbers for column in columns)
    (n_layers, n_hidden), n_kept = learned["mean"].shape, learned["kept"].shape[1]
    n_regressors = n_features + n_hidden + 1
    found = learned["outputs"].shape[1]
    require(min(n_layers, n_hidden) > 0, "'mean' must have at least one layer and one neuron.")
    require(found == n_regressors, f"'outputs' has {found} entries where there must be {n_regressors}.")
    _check_kept(learned["kept"], n_hidden)
    n_drawn = n_hidden * (n_layers * n_features + (n_layers - 1) * n_kept)
    require(n_drawn <= MAX_DRAWN, f"The network has {n_drawn:,} random weights, at most {MAX_DRAWN:,} can be read.")
    draw = random_draw(n_hidden, learned["seed_"])
    drawn = [draw(place, n_features + (n_kept if place else 0)) for place in range(n_layers)]
    return [
        RVFLLayer(*weights, learned["activation"], mean, std, outputs, kept)
        for weights, mean, std, outputs, kept in zip(
            drawn, learned["mean"], learned["std"], learned["outputs"], learned["kept"], strict=True
        )
    ]


def _check_kept(kept: Any, n_hidden: int) -> None:
    if kept.size and int(kept.max()) >= n_hidden:
        message = f"'kept' names neuron {kept.max()} of {n_hidden}."
        raise ModelError(message)
    require(bool((np.diff(kept, axis=1) > 0).all()), "'kept' must ascend in each layer, each neuron once.")


# Rows that are predicted at once, which bounds the memory.
BLOCK = 8192


@estimator
class RVFLClassifier(NetworkModel, TakesTables, PredictsProbabilities, BaseEstimator):
    """Classify by an ensemble deep RVFL network with weighting and pruning.

    Each layer makes hidden neurons of random weights and learns, in one ridge regression, a
    classifier on the features and these neurons together; the next layer sees the features and
    the neurons, and the probabilities of all layers are averaged. Nothing is learned by
    gradients, so a fit is a few systems of linear equations. (RVFL: random vector functional
    link; the weighted and pruned network is known as WPedRVFL or PWedRVFL.)

    For the standardised features X and the last layer's neurons A, layer l computes::

        A  <-  standardised act([X, A kept] W + b),    W from U(-1, 1), b from U(0, 1)
        D   =  [X, A, 1]
        β   =  (I/c + DᵀΩD)⁻¹ DᵀΩY,                    Y: 0/1 columns of the classes
        p_l =  softmax(D β)

    Ω holds the weights of the rows. It is uniform in the first layer; later `weighting` lets
    rows count more that the layer before predicted badly. `prune` hides from the next layer the
    neurons with the smallest rows of β.

    **What is a reconstruction.** The network without weighting and pruning follows its authors'
    program. The article about weighting and pruning was not at hand in full: the formulas of the
    four weightings, and the norm of β's rows as the rank for pruning, are reconstructions. The
    article also tunes a scale and a shift of the standardised neurons, which are 1 and 0 here.

    Numeric columns are standardised (n - 1 in the deviation; a constant column becomes 0).
    Strings, categories and booleans become a 0/1 column for each category. A missing number
    becomes the column's mean, a missing or unseen category the most frequent one. Means,
    deviations and categories come from the training rows only.

    Parameters
    ----------
    n_layers : int, default=4
        The number of layers.
    n_hidden : int, default=512
        The number of hidden neurons of each layer.
    c : float, default=0.03125
        The inverse of the ridge penalty; smaller means simpler.
    activation : {"selu", "relu", "sigmoid"}, default="selu"
        What a hidden neuron does with its sum.
    weighting : {"confidence", "errors", "margin", "samme"} or None, default="confidence"
        How much a row weighs in the next layer: 1 - p of its own class; 2 if it was
        misclassified, else 1; exp(-margin), the margin being its p minus the largest other
        p; the weights of SAMME boosting, which grow from layer to layer. Each is scaled to
        mean 1. With "samme" few wrong rows may outweigh all others; as the layers are
        averaged alike, the network may then be worse than its first layer.
    prune : float, default=0.1
        The fraction of the hidden neurons that the next layer does not see.
    renormalise : bool, default=True
        Whether hidden neurons are standardised by their mean and deviation on the training
        rows.
    tune : bool, default=False
        Whether n_layers, n_hidden, c and activation are chosen by accuracy in a stratified
        4-fold cross-validation of the training rows; their own values do not matter then.
        The first stage tries 3 sizes, 7 penalties and 3 activations with 3 layers, the
        second 5 sizes and 5 penalties around the best with 2 to 10 layers. Together they
        learn 1,756 layers, some 440 times as many as a fit with the default four.
    random_state : int, RandomState instance or None, default=None
        Random seed. None draws a new one each time.

    Attributes
    ----------
    classes_ : ndarray
        The class labels.
    layers_ : list of RVFLLayer
        The random weights, the learned coefficients and the kept neurons of each layer.
    best_params_ : dict
        The n_layers, n_hidden, c and activation of the network.
    best_score_ : float or None
        The accuracy of these in the inner cross-validation; None if nothing was tuned.
    columns_ : list
        How each column becomes numbers.
    seed_ : int
        The random seed, from which the random weights can be drawn again.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if the table had names.

    Notes
    -----
    The same seed gives the same network. Renaming the classes permutes the probabilities, and the
    order of the rows does not matter, both up to rounding; with tune=True the order decides which
    rows are dealt into which fold, and a weight of 2 differs from the row twice in just that.

    Infinite values are refused in ``fit``. In ``predict`` they, and values more than 1e9
    deviations from the mean, stand at 1e9 deviations.

    A layer costs O(min(p, n)² max(p, n)) for n rows and p = features + n_hidden + 1. The work is
    done by the linear algebra behind numpy, in its own threads; where many fits run side by side,
    one thread each (the environment variable OPENBLAS_NUM_THREADS=1) can be several times faster.

    The defaults were chosen by 5-fold cross-validation on 17 of the data sets of the paper on MRmD, of
    151 to 2,310 rows. There "confidence", "margin" and no weighting came out alike: a mean accuracy
    of 77.8, 77.9 and 77.9 %.

    References
    ----------
    Shi, Katuwal, Suganthan and Tanveer, "Random vector functional link neural network based
    ensemble deep learning", Pattern Recognition 117, 2021.

    Shi, Hu, Suganthan and Katuwal, "Weighting and pruning based ensemble deep random vector
    functional link network for tabular data classification", Pattern Recognition 132, 2022.

    Examples
    --------
    >>> from cutwise import RVFLClassifier
    >>> X = [[0, "red"], [1, "red"], [2, "blue"], [9, "blue"], [10, None], [11, "blue"]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> model = RVFLClassifier(n_hidden=20, random_state=0).fit(X, y)
    >>> model.predict([[1.5, "red"], [10.5, "green"]])
    array(['low', 'high'], dtype='<U4')
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_layers": [Interval(Integral, 1, None, closed="left")],
        "n_hidden": [Interval(Integral, 1, None, closed="left")],
        "c": [Interval(Real, 0, sys.float_info.max, closed="right")],
        "activation": [Choices(*ACTIVATIONS)],
        "weighting": [None, Choices(*SCHEMES)],
        "prune": [Interval(Real, 0, 1, closed="left")],
        "renormalise": ["boolean"],
        "tune": ["boolean"],
        "random_state": ["random_state"],
    }

    n_layers: int = 4
    n_hidden: int = 512
    c: float = 0.03125
    activation: str = "selu"
    weighting: str | None = "confidence"
    prune: float = 0.1
    renormalise: bool = True
    tune: bool = False
    random_state: Any = None

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: D102
        rows = read_rows(self, X, y, sample_weight)
        table, classes, codes, weights = rows.table, rows.classes, rows.codes, rows.row_weights
        cells = read_training_cells(table.data, table.names)
        settings, score, seed = self._settings(), None, choose_seed(self.random_state)
        if self.tune:
            settings, score = interruptible(partial(tune, seed=seed), cells, codes, weights, classes.size, settings)
        maps = learn_columns(cells, weights)
        draw = random_draw(settings.n_hidden, seed)
        sample = LayerRows(as_matrix(cells, maps), codes, weights, classes.size)
        layers = interruptible(train_layers, sample, settings, draw)

        learned = {
            "classes_": classes,
            "columns_": maps,
            "best_params_": {name: getattr(settings, name) for name in ("n_layers", "n_hidden", "c", "activation")},
            "best_score_": score,
            "seed_": seed,
            "layers_": layers,
        }
        set_fitted(self, len(table.names), table.feature_names, learned)
        return self

    def _settings(self) -> RVFLSettings:
        return RVFLSettings(
            n_layers=int(self.n_layers),
            n_hidden=int(self.n_hidden),
            c=float(self.c),
            activation=self.activation,
            weighting=self.weighting,
            prune=float(self.prune),
            renormalise=bool(self.renormalise),
        )

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        check_is_fitted(self)
        table = check_table(self, X, reset=False)
        cells = read_cells(table.data, table.names, self.columns_)
        n_rows = cells.values[0].size
        blocks = [np.arange(start, min(start + BLOCK, n_rows)) for start in range(0, n_rows, BLOCK)]
        return np.vstack(
            [ensemble_log_probabilities(self.layers_, as_matrix(cells.rows(rows), self.columns_)) for rows in blocks]
        )
