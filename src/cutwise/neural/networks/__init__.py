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

from cutwise.neural.networks.ft_transformer import FTTransformerClassifier
from cutwise.neural.networks.many import fit_many
from cutwise.neural.networks.resnet import ResNetClassifier

__all__ = ["FTTransformerClassifier", "ResNetClassifier", "fit_many"]
