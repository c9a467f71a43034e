"""What scikit-learn keeps to itself, in one place: its private names are imported here and nowhere else."""

from sklearn.base import _fit_context as fit_context
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils import _safe_indexing as safe_indexing
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
from sklearn.utils.validation import _num_samples as num_samples

__all__ = [
    "CallbackSupportMixin",
    "HasMethods",
    "Interval",
    "InvalidParameterError",
    "Options",
    "RealNotInt",
    "StrOptions",
    "check_feature_names_in",
    "fit_context",
    "get_output_config",
    "make_constraint",
    "num_samples",
    "safe_indexing",
    "with_callbacks",
]
