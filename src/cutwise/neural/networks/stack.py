"""Several networks of one form as one: their parameters lie in tensors with the network as the first axis."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

if TYPE_CHECKING:
    from collections.abc import Sequence


class SeededDropout(nn.Module):
    """Dropout that draws from a generator of its own, so that PyTorch's global one is not touched."""

    def __init__(self, rate: float, generator: Any) -> None:
        super().__init__()
        self.rate = rate
        self.generator = generator

    def forward(self, values: Any) -> Any:
        """Set some values to zero and scale the others, while the network is trained."""
        if not self.training or self.rate == 0.0:
            return values
        kept = torch.rand(values.shape, generator=self.generator, device=values.device) >= self.rate
        return values * kept / (1.0 - self.rate)


def seed_dropout(module: Any, generator: Any) -> None:
    """Let all dropout of a network draw from a generator."""
    for name, child in module.named_children():
        if isinstance(child, nn.Dropout):
            setattr(module, name, SeededDropout(child.p, generator))
        else:
            seed_dropout(child, generator)


class NetStack:
    """Networks of one form that are trained side by side; none of them knows of the others.

    Parameters
    ----------
    nets : sequence of Module
        Each takes numbers[row, column] and codes[row, column] and returns scores[row, class].
    device : device
        Where they are trained.
    seed : int
        The beginning of the random numbers of dropout.
    """

    def __init__(self, nets: Sequence[Any], device: Any, seed: int) -> None:
        self._nets = list(nets)
        self._device = device
        self._form = copy.deepcopy(self._nets[0]).to(device)
        seed_dropout(self._form, torch.Generator(device).manual_seed(seed))
        parameters, buffers = stack_module_state(self._nets)
        self._parameters = {
            name: stacked.detach().to(device, copy=True).requires_grad_() for name, stacked in parameters.items()
        }
        self._buffers = {name: stacked.to(device, copy=True) for name, stacked in buffers.items()}
        self._best = {name: stacked.detach().clone() for name, stacked in self._state().items()}
        self._call_all = vmap(self._call_one, randomness="different")

    def __len__(self) -> int:
        return len(self._nets)

    def _state(self) -> dict[str, Any]:
        return {**self._parameters, **self._buffers}

    def _call_one(self, parameters: Any, buffers: Any, numbers: Any, codes: Any) -> Any:
        return functional_call(self._form, (parameters, buffers), (numbers, codes))

    def scores(self, numbers: Any, codes: Any, *, training: bool) -> Any:
        """Return scores[net, row, class] of numbers[net, row, column] and codes[net, row, column]."""
        self._form.train(training)
        if len(self) > 1:
            return self._call_all(self._parameters, self._buffers, numbers, codes)
        # One network alone needs no detour.
        parameters = {name: stacked[0] for name, stacked in self._parameters.items()}
        buffers = {name: stacked[0] for name, stacked in self._buffers.items()}
        return self._call_one(parameters, buffers, numbers[0], codes[0])[None]

    def optimizer(self, learning_rate: float, weight_decay: float) -> Any:
        """Return AdamW for all networks; what a network wants to be free of decay is."""
        name_of = {id(parameter): name for name, parameter in self._nets[0].named_parameters()}
        groups = [
            {**group, "params": [self._parameters[name_of[id(parameter)]] for parameter in group["params"]]}
            for group in self._nets[0].parameter_groups()
        ]
        return torch.optim.AdamW(groups, lr=learning_rate, weight_decay=weight_decay)

    def keep(self, improved: Any) -> None:
        """Remember the present state of those networks for which `improved` is true."""
        places = improved.nonzero()[:, 0].to(self._device)
        with torch.no_grad():
            for name, stacked in self._state().items():
                self._best[name][places] = stacked[places]

    def best_nets(self) -> list[Any]:
        """Return the networks, each with the state that was remembered last."""
        states = {name: stacked.cpu() for name, stacked in self._best.items()}
        for place, net in enumerate(self._nets):
            net.load_state_dict({name: stacked[place] for name, stacked in states.items()})
            net.eval()
        return self._nets
