"""Plots of schemes, with matplotlib; it is loaded when something is drawn."""

from __future__ import annotations

from cutwise.plots.bins import plot_bins
from cutwise.plots.compare import plot_compare
from cutwise.plots.overview import plot_relevance

__all__ = ["plot_bins", "plot_compare", "plot_relevance"]
