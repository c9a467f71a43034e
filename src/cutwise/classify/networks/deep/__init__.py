"""Networks that learn by gradients, built on their authors' package and PyTorch; they need an extra."""

from __future__ import annotations

try:
    import rtdl_revisiting_models  # noqa: F401
    import torch  # noqa: F401
except ImportError as error:
    message = (
        "ResNetClassifier and FTTransformerClassifier need PyTorch and rtdl_revisiting_models, "
        'which come with pip install "cutwise[networks]".'
    )
    raise ImportError(message) from error

from cutwise.classify.networks.deep.base import fit_many
from cutwise.classify.networks.deep.ft_transformer import FTTransformerClassifier
from cutwise.classify.networks.deep.resnet import ResNetClassifier

__all__ = ["FTTransformerClassifier", "ResNetClassifier", "fit_many"]
