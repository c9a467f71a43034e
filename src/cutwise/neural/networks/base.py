"""What the networks share as scikit-learn classifiers: their parameters, fit and predict."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import torch
from sklearn.base import BaseEstimator, _fit_context
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from cutwise.fitting import SharedParameters, check_table, set_fitted
from cutwise.neural.classifier import NeuralClassifier
from cutwise.neural.columns import read_cells
from cutwise.neural.networks.docs import TEXTS
from cutwise.neural.networks.inputs import as_inputs
from cutwise.neural.networks.learning import choose_device, learn, prepare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from cutwise.neural.networks.inputs import Shape
    from cutwise.neural.networks.learning import Prepared
    from cutwise.neural.networks.training import Course

# Rows that are predicted at once, which bounds the memory.
BLOCK = 1024


@dataclass(eq=False, repr=False, kw_only=True)
class BaseNetwork(SharedParameters, CallbackSupportMixin, NeuralClassifier, BaseEstimator):
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

    def make_net(self, shape: Shape) -> Any:
        """Return an untrained network for tables of a shape."""
        raise NotImplementedError

    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
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

    def _finish(self, prepared: Prepared, net: Any, course: Course) -> Self:
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

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: D102 - the base tells it
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
