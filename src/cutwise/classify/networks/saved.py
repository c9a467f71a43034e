"""What is written about a network: how columns become numbers, the seed and what the layers learned.

The random weights are not written. They are drawn again from the seed, which takes a network of the
default size from more than 14 million characters to some 220,000.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cutwise.classify.networks.columns import ColumnMap, OneHot, Standardised
from cutwise.classify.networks.layers import ACTIVATIONS, RVFLLayer, random_draw
from cutwise.errors import ModelError
from cutwise.persist import ClassifierModel, LearnedField
from cutwise.persist.fields import POSITIVE, as_categories
from cutwise.persist.strict import as_count, as_variant, require

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# A text may ask for this many random weights, 512 MiB of them.
MAX_DRAWN = 2**26
NUMERIC = {
    "centre": LearnedField(),
    "half": LearnedField(low=0.0),
    "mean": LearnedField(),
    "std": LearnedField(low=POSITIVE),
}
COLUMN_KEYS = {"numeric": tuple(NUMERIC), "nominal": ("categories", "most_frequent")}


class NetworkModel(ClassifierModel):
    """The base of the networks of random layers that are written to JSON."""

    _learned: ClassVar[Mapping[str, LearnedField] | None] = {
        "seed_": LearnedField(kind="count"),
        "best_score_": LearnedField(low=0.0, optional=True),
        "c": LearnedField(low=POSITIVE),
        "activation": LearnedField(kind="text", choices=tuple(ACTIVATIONS)),
        "mean": LearnedField(("layers", "hidden")),
        "std": LearnedField(("layers", "hidden"), low=POSITIVE),
        "outputs": LearnedField(("layers", "regressors", "classes")),
        "kept": LearnedField(("layers", "kept"), kind="count"),
    }

    seed_: int
    best_score_: float | None
    best_params_: dict[str, Any]
    columns_: list[ColumnMap]
    layers_: list[RVFLLayer]

    def _write_columns(self) -> list[Any]:
        return [_write_column(column, f"columns[{j}]") for j, column in enumerate(self.columns_)]

    @classmethod
    def _read_columns(cls, data: list[Any], where: str) -> list[ColumnMap]:
        return [_read_column(item, f"columns[{j}]", where) for j, item in enumerate(data)]

    def _set_columns(self, columns: list[ColumnMap]) -> None:
        self.columns_ = columns

    def _fits_codes(self, n_bins: Sequence[int]) -> bool:
        are_numbers = all(isinstance(column, Standardised) for column in self.columns_)
        return are_numbers and len(self.columns_) == len(n_bins)

    def _get_learned(self) -> dict[str, Any]:
        layers = self.layers_
        learned = {
            "seed_": self.seed_,
            "best_score_": self.best_score_,
            "c": self.best_params_["c"],
            "activation": self.best_params_["activation"],
            **{
                name: np.stack([getattr(layer, name) for layer in layers])
                for name in ("mean", "std", "outputs", "kept")
            },
        }
        for layer, again in zip(layers, _draw_layers(learned, self.columns_), strict=True):
            same = np.array_equal(layer.inputs, again.inputs) and np.array_equal(layer.offsets, again.offsets)
            require(same, "'layers_' has other random weights than 'seed_' gives, so it cannot be written to JSON.")
        return learned

    def _set_learned(self, learned: dict[str, Any]) -> None:
        layers = _draw_layers(learned, self.columns_)
        self.seed_ = learned["seed_"]
        self.best_score_ = learned["best_score_"]
        self.best_params_ = {
            "n_layers": len(layers),
            "n_hidden": layers[0].offsets.size,
            "c": learned["c"],
            "activation": learned["activation"],
        }
        self.layers_ = layers


def _write_column(column: ColumnMap, name: str) -> dict[str, Any]:
    if isinstance(column, OneHot):
        return {
            "kind": "nominal",
            "categories": list(column.categories),
            "most_frequent": column.most_frequent,
        }
    numbers = asdict(column)
    return {
        "kind": "numeric",
        **{key: field.write(numbers[key], f"{name}.{key}", {}) for key, field in NUMERIC.items()},
    }


def _read_column(data: object, name: str, where: str) -> ColumnMap:
    column = as_variant(data, COLUMN_KEYS, f"{where}: {name!r}")
    if column["kind"] == "numeric":
        return Standardised(**{key: field.read(column[key], f"{name}.{key}", {}) for key, field in NUMERIC.items()})
    categories = as_categories(column["categories"], f"{where}: '{name}.categories'")
    place = as_count(column["most_frequent"], f"{where}: '{name}.most_frequent'")
    require(
        place < max(len(categories), 1), f"{where}: '{name}.most_frequent' is {place} of {len(categories)} categories."
    )
    return OneHot(categories, place)


def _draw_layers(learned: dict[str, Any], columns: Sequence[ColumnMap]) -> list[RVFLLayer]:
    """Return the layers with their random weights, or refuse them."""
    n_features = sum(column.n_numbers for column in columns)
    (n_layers, n_hidden), n_kept = learned["mean"].shape, learned["kept"].shape[1]
    n_regressors = n_features + n_hidden + 1
    found = learned["outputs"].shape[1]
    require(min(n_layers, n_hidden) > 0, "'mean' must have at least one layer and one neuron.")
    require(found == n_regressors, f"'outputs' has {found} entries where there must be {n_regressors}.")
    _check_kept(learned["kept"], n_hidden)
    n_drawn = n_hidden * (n_layers * n_features + (n_layers - 1) * n_kept)
    require(n_drawn <= MAX_DRAWN, f"The network has {n_drawn:,} random weights, at most {MAX_DRAWN:,} can be read.")
    draw = random_draw(n_hidden, learned["seed_"])
    drawn = [draw(place, n_features + (n_kept if place else 0)) for place in range(n_layers)]
    return [
        RVFLLayer(*weights, learned["activation"], mean, std, outputs, kept)
        for weights, mean, std, outputs, kept in zip(
            drawn, learned["mean"], learned["std"], learned["outputs"], learned["kept"], strict=True
        )
    ]


def _check_kept(kept: Any, n_hidden: int) -> None:
    if kept.size and int(kept.max()) >= n_hidden:
        message = f"'kept' names neuron {kept.max()} of {n_hidden}."
        raise ModelError(message)
    require(bool((np.diff(kept, axis=1) > 0).all()), "'kept' must ascend in each layer, each neuron once.")
