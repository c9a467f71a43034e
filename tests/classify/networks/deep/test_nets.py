"""The networks themselves: the numbers of their parameters, and what is free of decay."""

from __future__ import annotations

import pytest
import torch

from cutwise import FTTransformerClassifier, ResNetClassifier
from cutwise.classify.networks.deep.learning import NetworkShape
from cutwise.classify.networks.deep.training import NetStack


def n_parameters(net):
    return sum(parameter.numel() for parameter in net.parameters())


@pytest.mark.parametrize(
    ("model", "shape", "expected"),
    [
        (FTTransformerClassifier(), NetworkShape(4, (), 3), 893_763),
        (FTTransformerClassifier(n_blocks=1, d_block=96), NetworkShape(4, (), 3), 76_003),
        (FTTransformerClassifier(), NetworkShape(2, (3, 4), 2), 894_530),
        (ResNetClassifier(), NetworkShape(4, (), 3), 298_755),
        # A category's column of 0 and 1 is an input like a number; the missing one has none.
        (ResNetClassifier(), NetworkShape(1, (3, 2), 3), 298_755),
    ],
)
def test_numbers_of_parameters(model, shape, expected):
    assert n_parameters(model.make_net(shape)) == expected


def test_authors_settings_by_the_number_of_blocks():
    for n_blocks, width in enumerate((96, 128, 192, 256, 320, 384), 1):
        net = FTTransformerClassifier(n_blocks=n_blocks).make_net(NetworkShape(1, (), 2)).net
        assert net.cls_embedding.weight.numel() == width
        attention = net.backbone.blocks[0]["attention"]
        assert attention.dropout.p == pytest.approx(0.05 + 0.05 * n_blocks)
        assert net.backbone.blocks[0]["ffn"].dropout.p == pytest.approx(0.05 * n_blocks - 0.05)


def test_tokens_norms_and_offsets_do_not_decay():
    net = FTTransformerClassifier(n_blocks=2, d_block=8).make_net(NetworkShape(2, (3,), 2))
    optimizer = NetStack([net], torch.device("cpu"), 0).optimizer(1e-3, 0.5)
    decayed, free = (sum(p.numel() for p in group["params"]) for group in optimizer.param_groups)
    assert [group["weight_decay"] for group in optimizer.param_groups] == [0.5, 0.0]
    assert decayed + free == n_parameters(net)
    named = dict(net.named_parameters())
    norms = sum(p.numel() for name, p in named.items() if "_normalization.weight" in name)
    tokens = sum(p.numel() for name, p in named.items() if "embedding" in name and not name.endswith(".bias"))
    assert free == norms + tokens + sum(p.numel() for name, p in named.items() if name.endswith(".bias"))


def test_a_width_that_heads_cannot_share():
    with pytest.raises(ValueError, match="d_block=20 is no multiple of 8"):
        FTTransformerClassifier(d_block=20).make_net(NetworkShape(1, (), 2))


def test_unknown_categories_add_nothing():
    shape = NetworkShape(1, (3,), 2)
    resnet = ResNetClassifier(d_block=8).make_net(shape).eval()
    first = resnet.net.input_projection
    numbers, unknown = torch.ones(1, 1), torch.tensor([[2]])
    seen = []
    first.register_forward_hook(lambda _module, given, _out: seen.append(given[0]))
    resnet(numbers, unknown)
    assert seen[0].tolist() == [[1.0, 0.0, 0.0]]
    tokens = FTTransformerClassifier(d_block=8).make_net(shape).net.cat_embeddings
    assert torch.equal(tokens(unknown)[0, 0], tokens.bias[0])
