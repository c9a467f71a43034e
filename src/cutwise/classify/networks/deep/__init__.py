"""Networks that learn by gradients, built on their authors' package and PyTorch; they need an extra."""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

try:
    import rtdl_revisiting_models  # noqa: F401
    import torch  # noqa: F401
except ImportError as error:
    message = (
        "ResNetClassifier and FTTransformerClassifier need PyTorch and rtdl_revisiting_models, "
        'which come with pip install "cutwise[networks]".'
    )
    raise ImportError(message) from error

_HOMES = {"fit_many": "base", **homes("classify.networks.deep", extras=True)}
__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
