"""The tuning of RVFL with all candidates of one size side by side, in doubles, on a GPU.

It learns the same layers as cutwise.classify.networks.tuning; sums in another order may tip a row whose classes
are all but equal.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import torch

from cutwise.classify.networks import tuning
from cutwise.classify.networks.layers import FLAT, degrees_of_freedom, random_draw

ACTIVATIONS = {"selu": torch.selu, "relu": torch.relu, "sigmoid": torch.sigmoid}
# Candidates whose design matrices have so many doubles are learned at once, which bounds the memory.
AT_ONCE = 40_000_000


@contextmanager
def tune_on(device: str | None):
    """Let RVFLClassifier(tune=True) judge its candidates on a device; None for numpy."""
    usual = tuning.best_of
    if device is not None:
        tuning.best_of = lambda *given, **named: best_of(*given, **named, device=device)
    try:
        yield
    finally:
        tuning.best_of = usual


def best_of(candidates, folds, seed, *, fewest_layers, device):
    """Return the candidate, and its number of layers, that is right most often; of equal ones the first."""
    scores = accuracies(candidates, folds, seed, device)
    best, best_score = candidates[0], -np.inf
    for candidate, by_layers in zip(candidates, scores, strict=True):
        for n_layers in range(fewest_layers, candidate.n_layers + 1):
            if by_layers[n_layers - 1] > best_score + 1e-9:
                best, best_score = replace(candidate, n_layers=n_layers), float(by_layers[n_layers - 1])
    return best, best_score


def accuracies(candidates, folds, seed, device) -> np.ndarray:
    """Return the accuracy[candidate, number of layers - 1]."""
    right = np.zeros((len(candidates), candidates[0].n_layers))
    for size in sorted({candidate.n_hidden for candidate in candidates}):
        places = [place for place, candidate in enumerate(candidates) if candidate.n_hidden == size]
        for fold in folds:
            n_rows, n_features = fold.learned.features.shape
            step = max(1, AT_ONCE // (n_rows * (n_features + size + 1)))
            for first in range(0, len(places), step):
                some = places[first : first + step]
                right[some] += right_by_layers([candidates[place] for place in some], fold, seed, device)
    return right / sum(fold.judged.weights.sum() for fold in folds)


def right_by_layers(candidates, fold, seed, device) -> np.ndarray:
    """Return the weight of the rows told rightly, [candidate, number of layers - 1]."""
    first = candidates[0]
    if first.weighting not in {None, "confidence"}:
        message = f"weighting={first.weighting!r} is not known here. Use 'confidence' or None."
        raise ValueError(message)
    on_device = {"dtype": torch.float64, "device": device}
    X, X_test = (torch.as_tensor(s.features, **on_device) for s in (fold.learned, fold.judged))
    codes, codes_test = (torch.as_tensor(s.codes, device=device) for s in (fold.learned, fold.judged))
    sample_weight = torch.as_tensor(fold.learned.weights, **on_device)
    weight_test = torch.as_tensor(fold.judged.weights, **on_device)
    Y = torch.eye(fold.learned.n_classes, **on_device)[codes]
    c = torch.tensor([candidate.c for candidate in candidates], **on_device)
    n = len(candidates)
    X, X_test = X.expand(n, *X.shape), X_test.expand(n, *X_test.shape)
    ones, ones_test = torch.ones(n, X.shape[1], 1, **on_device), torch.ones(n, X_test.shape[1], 1, **on_device)
    inputs, inputs_test, weights = X, X_test, torch.ones(n, X.shape[1], **on_device)
    draw, total, right = random_draw(first.n_hidden, seed), 0.0, []
    for place in range(first.n_layers):
        drawn, offsets = (torch.as_tensor(part, **on_device) for part in draw(place, inputs.shape[2]))
        hidden = activate(candidates, inputs @ drawn + offsets)
        hidden_test = activate(candidates, inputs_test @ drawn + offsets)
        if first.renormalise:
            mean, std = moments(hidden, sample_weight)
            hidden, hidden_test = (hidden - mean) / std, (hidden_test - mean) / std
        design = torch.cat([X, hidden, ones], dim=2)
        outputs = ridge(design, Y, sample_weight * weights, c)
        said = (torch.cat([X_test, hidden_test, ones_test], dim=2) @ outputs).softmax(dim=2)
        total = total + said
        right.append((total.argmax(dim=2) == codes_test).double() @ weight_test)
        if first.weighting is not None:
            p_true = (design @ outputs).softmax(dim=2)[:, torch.arange(codes.numel(), device=device), codes]
            weights = next_weights(p_true, sample_weight)
        kept = strongest(outputs[:, X.shape[2] : -1], first.prune)
        inputs = torch.cat([X, hidden.gather(2, kept[:, None].expand(-1, X.shape[1], -1))], dim=2)
        inputs_test = torch.cat([X_test, hidden_test.gather(2, kept[:, None].expand(-1, X_test.shape[1], -1))], dim=2)
    return torch.stack(right, dim=1).cpu().numpy()


def activate(candidates, sums):
    """Apply to each candidate's sums its own activation."""
    return torch.stack(
        [ACTIVATIONS[candidate.activation](own) for candidate, own in zip(candidates, sums, strict=True)]
    )


def moments(columns, sample_weight):
    """Return mean and deviation of each column, as column_moments does."""
    total = float(sample_weight.sum())
    mean = (sample_weight @ columns / total)[:, None]
    std = (sample_weight @ (columns - mean) ** 2 / degrees_of_freedom(total)).sqrt()
    low, high = columns.amin(dim=1), columns.amax(dim=1)
    std[high - low <= FLAT * torch.maximum(low.abs(), high.abs())] = 1.0
    return mean, std[:, None]


def ridge(design, targets, weights, c):
    """Return the coefficients, as cutwise.classify.networks.layers does: by rows or by columns, whichever are fewer."""
    roots = weights.sqrt()[:, :, None]
    scaled, goal = design * roots, targets * roots
    _, n_rows, n_columns = design.shape
    by_columns = n_columns <= n_rows
    square = scaled.mT @ scaled if by_columns else scaled @ scaled.mT
    square.diagonal(dim1=1, dim2=2).add_(1.0 / c[:, None])
    factor, failed = torch.linalg.cholesky_ex(square)
    right_side = scaled.mT @ goal if by_columns else goal
    solution = torch.cholesky_solve(right_side, factor)
    for place in failed.nonzero()[:, 0].tolist():
        solution[place] = torch.linalg.lstsq(square[place].cpu(), right_side[place].cpu(), driver="gelsd").solution
    return solution if by_columns else scaled.mT @ solution


def next_weights(p_true, sample_weight):
    """Return the weights by confidence, of mean 1."""
    found = 1.0 - p_true
    mean = found @ sample_weight / sample_weight.sum()
    return torch.where(mean[:, None] > 0.0, found / mean[:, None], torch.ones_like(found))


def strongest(outputs, prune: float):
    """Return the neurons that are left, [candidate, neuron], as cutwise.classify.networks.layers does."""
    norms = outputs.norm(dim=2)
    n_dropped = int(prune * norms.shape[1] + 1e-9)
    largest = norms.amax(dim=1, keepdim=True)
    ranks = torch.where(largest > 0.0, (norms / largest * 1e9).round(), norms).argsort(dim=1, stable=True)
    return ranks[:, n_dropped:].sort(dim=1).values
