"""What scikit-learn keeps to itself or has only in some versions, in one place; versions from 1.6 on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sklearn
from scipy import sparse
from sklearn.base import _fit_context as fit_context
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    InvalidParameterError,
    Options,
    RealNotInt,
    StrOptions,
    make_constraint,
)
from sklearn.utils._set_output import _get_output_config as get_output_config
from sklearn.utils.validation import _check_feature_names_in as check_feature_names_in
from sklearn.utils.validation import validate_data

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from sklearn.base import BaseEstimator

__all__ = [
    "HAS_CALLBACKS",
    "CallbackSupportMixin",
    "HasMethods",
    "Interval",
    "InvalidParameterError",
    "Options",
    "RealNotInt",
    "StrOptions",
    "check_columns",
    "check_feature_names_in",
    "fit_context",
    "get_output_config",
    "has_callbacks",
    "make_constraint",
    "sparse_result",
    "with_callbacks",
]

_IS_1_9 = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9)

HAS_CALLBACKS = _IS_1_9
"""Whether estimators can tell callbacks how far they are."""

if HAS_CALLBACKS:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
else:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands where scikit-learn has no callbacks: nobody is told of a fit."""

        def set_callbacks(self, *callbacks: Any) -> None:
            """Say what callbacks need.

            Parameters
            ----------
            *callbacks : callback
                None can be set.
            """
            raise NotImplementedError(
                f"Callbacks need scikit-learn 1.9 or newer, and this is {sklearn.__version__}. "
                "Leave them out, or upgrade scikit-learn."
            )

        def _init_callback_context(self, **_: Any) -> _Untold:
            return _Untold()

    def with_callbacks(method: Callable[..., Any]) -> Callable[..., Any]:
        """Return the method as it is."""
        return method


def has_callbacks(estimator: Any) -> bool:
    """Return whether somebody is told how far an estimator is."""
    return bool(getattr(estimator, "_skl_callbacks", ()))


class _Untold:
    """A task of a fit that nobody is told of."""

    def subcontext(self, **_: Any) -> Self:
        return self

    def call_on_fit_task_begin(self, **_: Any) -> Self:
        return self

    def call_on_fit_task_end(self, **_: Any) -> None:
        pass


class _Header:
    """The names of a table's columns, as scikit-learn before 1.9 asks for them."""

    def __init__(self, names: Sequence[Any]) -> None:
        self._names = names
        self.shape = (0, len(names))

    def __dataframe__(self) -> Self:  # the name of the interchange protocol
        return self

    def column_names(self) -> Sequence[Any]:
        return self._names


def check_columns(estimator: BaseEstimator, table: Any, names: Sequence[Any], *, reset: bool) -> None:
    """Set or compare an estimator's number and names of columns, whatever library holds the table.

    Versions before 1.9 look for names in ways that some tables, such as those of polars 2, do not know. The names would
    be lost, and with them the check that a table has the columns of the one before in their order.

    Parameters
    ----------
    estimator : BaseEstimator
        Gets ``n_features_in_`` and ``feature_names_in_``, or has them.
    table : table
    names : sequence
        The names of its columns; they count if all of them are strings.
    reset : bool
        Whether to set or to compare.
    """
    validate_data(estimator, table if _IS_1_9 else _Header(names), reset=reset, skip_check_array=True)


def sparse_result(array: sparse.csr_array) -> sparse.csr_array | sparse.csr_matrix:
    """Return a sparse array as the class that scikit-learn is set to return; a matrix in versions without a choice."""
    wants_array = sklearn.get_config().get("sparse_interface") == "sparray"
    return array if wants_array else sparse.csr_matrix(array)
