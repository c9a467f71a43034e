"""What the kernels of losses do, in plain Python: row by row."""

from __future__ import annotations

import numpy as np


def weight_of(weights, row):
    return weights[row] if len(weights) else 1.0


def log_rows(scores, labels, weights):
    total, slopes = 0.0, np.empty(scores.shape)
    for row, label in enumerate(labels):
        p = np.exp(scores[row]) / np.exp(scores[row]).sum()
        total -= weight_of(weights, row) * np.log(p[label])
        slopes[row] = weight_of(weights, row) * (p - np.eye(p.size)[label])
    return total, slopes


def squared_rows(scores, labels, weights):
    total, slopes = 0.0, np.empty(scores.shape)
    for row, label in enumerate(labels):
        p = np.exp(scores[row]) / np.exp(scores[row]).sum()
        r = np.eye(p.size)[label] - p
        total += weight_of(weights, row) * (r @ r) / 2
        slopes[row] = -weight_of(weights, row) * p * (r - r @ p)
    return total, slopes


def mixed_rows(scores, labels, weights, mixing, published):
    total, slope, slopes = 0.0, 0.0, np.empty(scores.shape)
    for row, label in enumerate(labels):
        weight = weight_of(weights, row)
        p, s = (np.exp(half) / np.exp(half).sum() for half in np.split(scores[row], 2))
        r = np.eye(p.size)[label] - (1 - mixing) * p - mixing * s
        total += weight * (r @ r) / 2
        slope -= weight * (r @ (s - p))
        by_class = r * s * (1 - s) if published else s * (r - r @ s)
        slopes[row] = -weight * np.concatenate([(1 - mixing) * p * (r - r @ p), mixing * by_class])
    return total, slope, slopes
