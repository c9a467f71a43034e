"""ResNet for tables, blocks of two linear layers; and FT-Transformer, whose tokens are the columns."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from rtdl_revisiting_models import FTTransformer, ResNet
from torch import nn

from cutwise.classify.networks.deep.base import BaseNetwork
from cutwise.estimator import estimator
from cutwise.scikit_learn import Interval

if TYPE_CHECKING:
    from cutwise.classify.networks.deep.learning import NetworkShape


class ResNetOfTables(nn.Module):
    """The authors' ResNet on numbers and 0/1 columns of the categories; what is missing is all 0."""

    def __init__(self, shape: NetworkShape, **settings: Any) -> None:
        super().__init__()
        self.n_codes = shape.n_codes
        d_in = shape.n_numeric + sum(shape.n_codes) - len(shape.n_codes)
        # A table whose only columns are nominal and always missing still needs an input.
        self.net = ResNet(d_in=max(d_in, 1), d_out=shape.n_classes, **settings)
        self.is_empty = d_in == 0

    def forward(self, numbers: Any, codes: Any) -> Any:
        """Return the scores[row, class]."""
        columns = [numbers[:, :0].new_zeros(len(numbers), 1)] if self.is_empty else [numbers]
        for place, n_codes in enumerate(self.n_codes):
            known = torch.arange(n_codes - 1, device=codes.device)
            columns.append((codes[:, place, None] == known).to(numbers.dtype))
        return self.net(torch.cat(columns, dim=1))

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return the parameters for the optimizer: decay for all of them."""
        return [{"params": list(self.parameters())}]


@estimator
class ResNetClassifier(BaseNetwork):
    """Classify by a residual network, as its authors propose it for tables.

    After a first linear layer of width d each block computes::

        x  <-  x + dropout2(linear(dropout1(relu(linear(batch norm(x))))))

    {columns}

    {training}

    Parameters
    ----------
    n_blocks : int, default=2
        The number of blocks.
    d_block : int, default=192
        The width d of the network.
    d_hidden_multiplier : float, default=2.0
        The width inside a block, as a multiple of d.
    dropout1 : float, default=0.15
        The rate of dropout inside a block.
    dropout2 : float, default=0.0
        The rate of dropout at the end of a block.
    learning_rate : float, default=1e-3
        The size of AdamW's steps.
    {common}

    Attributes
    ----------
    {attributes}

    See Also
    --------
    FTTransformerClassifier : A token for each column; slower.

    Notes
    -----
    {notes}

    References
    ----------
    {reference}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import ResNetClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ResNetClassifier(d_block=32, max_epochs=30, device="cpu", random_state=0).fit(X, y)
    >>> model.predict(X[::50])
    array([0, 1, 2])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_blocks": [Interval(Integral, 1, None, closed="left")],
        "d_block": [Interval(Integral, 1, None, closed="left")],
        "d_hidden_multiplier": [Interval(Real, 1, None, closed="left")],
        "dropout1": [Interval(Real, 0, 1, closed="left")],
        "dropout2": [Interval(Real, 0, 1, closed="left")],
    }

    n_blocks: int = 2
    d_block: int = 192
    d_hidden_multiplier: float = 2.0
    dropout1: float = 0.15
    dropout2: float = 0.0

    def make_net(self, shape: NetworkShape) -> Any:
        """Return an untrained network for tables of a shape."""
        return ResNetOfTables(
            shape,
            n_blocks=int(self.n_blocks),
            d_block=int(self.d_block),
            d_hidden_multiplier=float(self.d_hidden_multiplier),
            dropout1=float(self.dropout1),
            dropout2=float(self.dropout2),
        )


class FTTransformerOfTables(nn.Module):
    """The authors' FT-Transformer; a missing category adds nothing to its column's token until it is learned."""

    def __init__(self, shape: NetworkShape, **settings: Any) -> None:
        super().__init__()
        self.net = FTTransformer(
            n_cont_features=shape.n_numeric, cat_cardinalities=list(shape.n_codes), d_out=shape.n_classes, **settings
        )
        with torch.no_grad():
            for embedding in self.net.cat_embeddings.embeddings if shape.n_codes else ():
                embedding.weight[-1] = 0.0

    def forward(self, numbers: Any, codes: Any) -> Any:
        """Return the scores[row, class]."""
        return self.net(numbers if numbers.shape[1] else None, codes if codes.shape[1] else None)

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Return the parameters for the optimizer: no decay for tokens, norms and offsets."""
        groups: list[dict[str, Any]] = self.net.make_parameter_groups()
        return groups


@estimator
class FTTransformerClassifier(BaseNetwork):
    """Classify by FT-Transformer, a transformer whose tokens are the columns of the table.

    A number x of column j becomes the token ``x w_j + b_j``, a category a learned vector plus b_j. A
    token more, which stands for the row, collects in each block by attention what the others tell,
    and the classes are read off it.

    {columns}

    {training}

    Parameters
    ----------
    n_blocks : int, default=3
        The number of blocks, from 1 to 6. One block costs about a ninth of three.
    d_block : int or None, default=None
        The width of the tokens, a multiple of 8. None takes what the authors recommend for
        n_blocks: 96, 128, 192, 256, 320, 384.
    attention_dropout : float or None, default=None
        The rate of dropout in the attention. None takes the authors': 0.1 to 0.35.
    ffn_dropout : float or None, default=None
        The rate of dropout between the layers of a block. None takes the authors': 0 to 0.25.
    residual_dropout : float, default=0.0
        The rate of dropout where a block adds to its tokens.
    learning_rate : float, default=1e-4
        The size of AdamW's steps.
    {common}

    Attributes
    ----------
    {attributes}

    See Also
    --------
    ResNetClassifier : Much quicker.

    Notes
    -----
    {notes}

    References
    ----------
    {reference}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cutwise import FTTransformerClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = FTTransformerClassifier(n_blocks=1, d_block=16, learning_rate=0.01, max_epochs=20, device="cpu",
    ...                                 random_state=0)
    >>> model.fit(X, y).predict(X[::50])
    array([0, 1, 2])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_blocks": [Interval(Integral, 1, 6, closed="both")],
        "d_block": [None, Interval(Integral, 8, None, closed="left")],
        "attention_dropout": [None, Interval(Real, 0, 1, closed="left")],
        "ffn_dropout": [None, Interval(Real, 0, 1, closed="left")],
        "residual_dropout": [Interval(Real, 0, 1, closed="left")],
    }

    n_blocks: int = 3
    d_block: int | None = None
    attention_dropout: float | None = None
    ffn_dropout: float | None = None
    residual_dropout: float = 0.0
    learning_rate: float = 1e-4

    def make_net(self, shape: NetworkShape) -> Any:
        """Return an untrained network for tables of a shape."""
        settings = FTTransformer.get_default_kwargs(int(self.n_blocks))
        own = {name: getattr(self, name) for name in ("d_block", "attention_dropout", "ffn_dropout")}
        settings.update({name: value for name, value in own.items() if value is not None})
        settings["residual_dropout"] = float(self.residual_dropout)
        if settings["d_block"] % settings["attention_n_heads"]:
            message = f"d_block={self.d_block} is no multiple of 8, the number of heads. Use one such as 96 or 192."
            raise ValueError(message)
        return FTTransformerOfTables(shape, **settings)
