"""Many small networks at once: what one device can train side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import clone

from cutwise.neural.networks.learning import learn, prepare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutwise.neural.networks.base import BaseNetwork


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
    >>> from cutwise.neural.networks import fit_many
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
