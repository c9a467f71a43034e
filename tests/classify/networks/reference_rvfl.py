"""The network on a blackboard: plain formulas, no shortcuts. Used by tests only."""

from __future__ import annotations

import numpy as np


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def weighted_ridge(D, Y, weights, c):
    """(I/c + D'WD)^-1 D'WY, by the inverse."""
    W = np.diag(weights)
    return np.linalg.inv(np.eye(D.shape[1]) / c + D.T @ W @ D) @ D.T @ W @ Y


def network(X, codes, n_classes, draws, c, *, confidence=False, prune=0.0):
    """The probabilities of the training rows, with ReLU; draws holds (W, b) of each layer."""
    Y = np.eye(n_classes)[codes]
    n = len(X)
    H, omega, total, norms = X, np.ones(n), 0.0, []
    for draw in draws:
        W, b = draw(H.shape[1])
        A = np.maximum(H @ W + b, 0)
        spread = A.std(axis=0, ddof=1)
        A = (A - A.mean(axis=0)) / np.where(spread > 0, spread, 1)
        D = np.column_stack([X, A, np.ones(n)])
        beta = weighted_ridge(D, Y, omega, c)
        p = softmax(D @ beta)
        total = total + p / len(draws)
        rows = beta[X.shape[1] : -1]
        norm = np.sqrt((rows**2).sum(axis=1))
        norms.append(norm)
        left = sorted(np.argsort(norm)[int(prune * len(norm)) :])
        H = np.column_stack([X, A[:, left]])
        if confidence:
            omega = 1 - p[np.arange(n), codes]
            omega = omega / omega.mean()
    return total, norms
