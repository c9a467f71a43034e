"""What all discretizers share: reading a table, learning its columns, encoding."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.callback import CallbackSupportMixin, with_callbacks

from cutwise.counts import PLACES
from cutwise.discretize.attributes import learn_attribute, read_and_count
from cutwise.discretize.docs import TEXTS
from cutwise.discretize.encoder import ENCODINGS, SchemeEncoder
from cutwise.discretize.validate import check_nominal, check_special_values
from cutwise.errors import TableError
from cutwise.estimator import Choices, SharedParameters
from cutwise.scheme import Attribute, NumericAttribute, Scheme
from cutwise.table import read_columns
from cutwise.threads import in_threads
from cutwise.validation import WEIGHTS, set_fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from cutwise.counts import RowGroups
    from cutwise.discretize.attributes import CountedColumn, Method
    from cutwise.validation import CheckedRows

# The scheme holds them in another form, or they do not decide where the cuts are.
_NOT_RECORDED = ("cuts", "others", "special_values", "encode", "place", "missing", "n_jobs", "random_state")
_LIMITS = ("min_bin_size", "max_bins", "monotonic")


@dataclass(eq=False, repr=False, kw_only=True)
class BaseDiscretizer(SharedParameters, CallbackSupportMixin, SchemeEncoder):
    """The base of the discretizers.

    A discretizer is a dataclass: its fields are the parameters, to which a subclass adds
    its own. It sets ``method_name``, adds its own checks to ``_parameter_constraints``, and
    in its ``_fit`` calls ``_learn`` with one Method for each column.
    """

    method_name: ClassVar[str]
    # Fitted attributes that ``fit`` does not set, but other ways to learn do.
    _of_other_ways: ClassVar[tuple[str, ...]] = ()

    _texts: ClassVar[Mapping[str, str]] = TEXTS
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "special_values": [None, "array-like", dict],
        "encode": [Choices(*ENCODINGS)],
        "place": [Choices(*PLACES)],
        "missing": [Choices("code", "bin")],
        "n_jobs": [None, Integral],
        "weights": [Choices(*WEIGHTS)],
    }

    special_values: Any = None
    encode: str = "ordinal"
    place: Any = "midpoint"
    missing: Any = "code"
    n_jobs: int | None = None
    weights: str = "count"

    @with_callbacks
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the cuts.

        Parameters
        ----------
        X : table or array-like of shape (n_samples, n_features)
            A numpy array or a pandas, polars or pyarrow table. Numeric columns are cut;
            texts, categories and booleans become one bin for each category.
        y : array-like of shape (n_samples,)
            The class of each row.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts. A weight of 2 is the same as the row twice, a weight
            of 0 the same as no row.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Learn from rows; the parameters are checked already."""
        raise NotImplementedError

    def _learn(
        self, rows: CheckedRows, groups: RowGroups, methods: Sequence[Method], parameters: dict[str, Any]
    ) -> Self:
        """Learn every column, each with its own method."""
        attributes = self._learn_columns(rows, groups, methods)
        return self._finish(rows, attributes, methods[0].criterion.name, parameters)

    def _finish(
        self,
        rows: CheckedRows,
        attributes: Sequence[Attribute],
        criterion: str,
        parameters: dict[str, Any],
        **learned: Any,
    ) -> Self:
        """Make the scheme and set the fitted attributes, all of them at once."""
        scheme = self._make_scheme(rows.classes, attributes, criterion, parameters)
        learned |= {"classes_": rows.classes, **from_scheme(scheme)}
        set_fitted(self, rows.table.n_features, rows.table.feature_names, learned, self._of_other_ways)
        return self

    def _make_scheme(
        self, classes: NDArray[Any], attributes: Sequence[Attribute], criterion: str, parameters: dict[str, Any]
    ) -> Scheme:
        check_nominal(self, attributes)
        return Scheme(
            method=self.method_name,
            criterion=criterion,
            parameters={**parameters, "place": self.place},
            classes=plain_labels(classes),
            attributes=tuple(attributes),
            missing=self.missing,
        )

    def _learn_columns(self, rows: CheckedRows, groups: RowGroups, methods: Sequence[Method]) -> list[Attribute]:
        readers = read_columns(rows.table.data, rows.table.names)
        counters = [partial(read_and_count, read, groups) for read in readers]
        return self._learn_counted(rows.table.names, counters, methods)

    def _learn_counted(
        self, names: Sequence[str], counters: Sequence[Callable[[], CountedColumn]], methods: Sequence[Method]
    ) -> list[Attribute]:
        """Learn every column from its counts; these are asked for one at a time."""
        special = check_special_values(self.special_values, names)
        context = self._init_callback_context(max_subtasks=len(counters))
        context.call_on_fit_task_begin(estimator=self)
        tasks = (
            (count, method, self.place, values)
            for count, method, values in zip(counters, methods, special, strict=True)
        )
        attributes = []
        with closing(in_threads(learn_attribute, tasks, self.n_jobs)) as results:
            for _ in counters:
                step = context.subcontext(task_name="column").call_on_fit_task_begin(estimator=self)
                attributes.append(next(results))
                step.call_on_fit_task_end(estimator=self)
        context.call_on_fit_task_end(estimator=self)
        return attributes

    def _set_scheme(self, scheme: Scheme) -> None:
        """Set the scheme and what is derived from it."""
        self.__dict__.update(from_scheme(scheme))

    def _settings(self) -> dict[str, Any]:
        """Return the parameters that decide the result, for the scheme; limits and weights only if they are set."""
        settings = self.get_params(deep=False)
        for name in _NOT_RECORDED:
            settings.pop(name, None)
        if self.weights == "count":
            del settings["weights"]
        return {name: _plain(value) for name, value in settings.items() if name not in _LIMITS or value is not None}

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def from_scheme(scheme: Scheme) -> dict[str, Any]:
    """Return the scheme and what is derived from it, by the names of the fitted attributes."""
    attributes = scheme.attributes
    edges = np.empty(len(attributes), dtype=object)
    edges[:] = [_bin_edges(attribute) for attribute in attributes]
    return {
        "scheme_": scheme,
        "cuts_": [np.array(getattr(attribute, "cuts", ()), dtype=np.float64) for attribute in attributes],
        "n_bins_": np.array([attribute.n_bins for attribute in attributes], dtype=np.int64),
        "bin_edges_": edges,
    }


def _bin_edges(attribute: Attribute) -> NDArray[np.float64]:
    """Return the ends of the bins, from the smallest to the largest training value."""
    if not isinstance(attribute, NumericAttribute):
        return np.empty(0)
    low = -np.inf if attribute.minimum is None else attribute.minimum
    high = np.inf if attribute.maximum is None else attribute.maximum
    return np.array([low, *attribute.cuts, high])


def plain_labels(classes: NDArray[Any]) -> tuple[Any, ...]:
    """Return class labels as Python texts, numbers or booleans."""
    labels = classes.tolist()
    for label in labels:
        if not isinstance(label, str | bool | int | float):
            message = (
                f"The class label {label!r} of type {type(label).__name__} is neither text, number nor boolean. "
                "Turn the target y into one of them."
            )
            raise TableError(message)
    return tuple(str(label) if isinstance(label, str) else label for label in labels)


def _plain(value: Any) -> Any:
    """Return numpy's numbers and booleans as Python's."""
    return value.item() if isinstance(value, np.generic) else value
