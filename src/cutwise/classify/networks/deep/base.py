"""What the networks share as scikit-learn classifiers: their parameters, fit and predict."""

from __future__ import annotations

import copy
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import torch
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from cutwise.classify.networks.columns import read_cells
from cutwise.classify.networks.deep.learning import as_inputs, choose_device, learn, prepare
from cutwise.classify.predicting import PredictsProbabilities
from cutwise.estimator import TakesTables, estimator
from cutwise.scikit_learn import CallbackSupportMixin, Interval, fit_context, with_callbacks
from cutwise.validation import check_table, set_fitted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from cutwise.classify.networks.deep.learning import NetworkShape, PreparedRows
    from cutwise.classify.networks.deep.training import TrainingCourse


TEXTS = {
    "columns": """
    A number becomes the normal distribution's quantile at its place among the training rows, as in
    the authors' experiments; a missing one stands at the mean. Strings, categories and booleans become
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
        Random seed. None draws a new one each time.
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
    values. Progress is reported to scikit-learn's callbacks, an epoch each.
    """,
    "reference": """
    Gorishniy, Rubachev, Khrulkov and Babenko, "Revisiting deep learning models for tabular data",
    NeurIPS 2021.
    """,
}

# Rows that are predicted at once, which bounds the memory.
BLOCK = 1024


@estimator
class BaseNetwork(CallbackSupportMixin, TakesTables, PredictsProbabilities, BaseEstimator):
    """The base of the networks: a subclass adds parameters and says in ``make_net`` what they build."""

    _texts: ClassVar[Mapping[str, str]] = TEXTS
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "weight_decay": [Interval(Real, 0, None, closed="left")],
        "batch_size": [None, Interval(Integral, 2, None, closed="left")],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left")],
        "validation_fraction": [Interval(Real, 0, 0.5, closed="right")],
        "max_seconds": [None, Interval(Real, 0, None, closed="left")],
        "device": [str],
        "random_state": ["random_state"],
    }

    learning_rate: float = 1e-3
    weight_decay: float = 1e-5
    batch_size: int | None = None
    max_epochs: int = 200
    patience: int = 16
    validation_fraction: float = 0.2
    max_seconds: float | None = None
    device: str = "auto"
    random_state: Any = None

    def make_net(self, shape: NetworkShape) -> Any:
        """Return an untrained network for tables of a shape."""
        raise NotImplementedError

    @with_callbacks
    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Train the network.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table of numeric and nominal columns.
        y : array-like of shape (n_samples,)
            The class of each row.
        sample_weight : array-like of shape (n_samples,), optional
            A factor of each row's loss. A weight of 0 is the same as no row.

        Returns
        -------
        self
        """
        prepared = prepare(self, X, y, sample_weight)
        context = self._init_callback_context(max_subtasks=int(self.max_epochs))
        context.call_on_fit_task_begin(estimator=self)

        def report() -> None:
            step = context.subcontext(task_name="epoch").call_on_fit_task_begin(estimator=self)
            step.call_on_fit_task_end(estimator=self)

        ((net, course),) = learn(self, [prepared], report)
        context.call_on_fit_task_end(estimator=self)
        return self._finish(prepared, net, course)

    def _finish(self, prepared: PreparedRows, net: Any, course: TrainingCourse) -> Self:
        """Set the fitted attributes, all of them at once."""
        table = prepared.rows.table
        learned = {
            "classes_": prepared.rows.classes,
            "columns_": prepared.maps,
            "net_": net,
            "validation_losses_": np.array(course.losses),
            "best_epoch_": course.best_epoch,
        }
        set_fitted(self, len(table.names), table.feature_names, learned)
        return self

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102
        check_is_fitted(self)
        table = check_table(self, X, reset=False)
        inputs = as_inputs(read_cells(table.data, table.names, self.columns_), self.columns_)
        device = choose_device(self.device)
        net = self.net_ if device.type == "cpu" else copy.deepcopy(self.net_).to(device)
        numbers, codes = torch.from_numpy(inputs.numbers), torch.from_numpy(inputs.codes)
        with torch.no_grad():
            blocks = [
                net(numbers[start : start + BLOCK].to(device), codes[start : start + BLOCK].to(device))
                .double()
                .log_softmax(dim=1)
                for start in range(0, len(numbers), BLOCK)
            ]
            return np.asarray(torch.cat(blocks).cpu().numpy())

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.non_deterministic = choose_device(self.device).type != "cpu"
        return tags


def fit_many(
    model: BaseNetwork, tables: Sequence[tuple[Any, Any]], random_states: Sequence[int] | None = None
) -> list[BaseNetwork]:
    """Fit a copy of a network to each of many tables, those of one shape side by side.

    A small network leaves a GPU idle most of the time. The folds of a cross-validation have tables of
    one shape, so that their networks can be trained as one, each with its own seed, its own
    early end and its own best state. Tables of one shape have the same numbers of numeric columns,
    of categories and of classes; the others are trained after each other.

    What differs from fitting one after the other: all networks of a shape take batches of the size
    that suits the smallest of their tables, dropout draws other random numbers, and `max_seconds`
    is the time of each shape.

    Parameters
    ----------
    model : ResNetClassifier or FTTransformerClassifier
        The settings of all; it stays as it is.
    tables : sequence of (X, y)
    random_states : sequence of int, optional
        The seed of each table; the model's own by default.

    Returns
    -------
    list
        The fitted models, in the order of the tables.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import ResNetClassifier
    >>> from cutwise.classify.networks.deep import fit_many
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ResNetClassifier(d_block=32, max_epochs=30, device="cpu", random_state=0)
    >>> halves = fit_many(model, [(X[::2], y[::2]), (X[1::2], y[1::2])])
    >>> [half.predict(X[::50]).tolist() for half in halves]
    [[0, 1, 2], [0, 1, 2]]
    """
    models = [clone(model) for _ in tables]
    for place, one in enumerate(models):
        if random_states is not None:
            one.set_params(random_state=random_states[place])
        one._validate_params()  # noqa: SLF001
    prepared = [prepare(one, X, y) for one, (X, y) in zip(models, tables, strict=True)]
    shapes = {one.shape: None for one in prepared}
    for shape in shapes:
        places = [place for place, one in enumerate(prepared) if one.shape == shape]
        learned = learn(model, [prepared[place] for place in places], lambda: None)
        for place, (net, course) in zip(places, learned, strict=True):
            models[place]._finish(prepared[place], net, course)  # noqa: SLF001
    return models
