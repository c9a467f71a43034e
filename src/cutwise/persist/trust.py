"""The types that a fitted estimator consists of, for readers that ask which ones they may make."""

from __future__ import annotations

from cutwise.registry import CLASSIFIERS, DISCRETIZERS, entries

# What estimators hold besides each other, numpy's arrays and plain values: data without any code to run.
_HELD = (
    "classify.additive.grids.PairGrids",
    "classify.additive.learning.LearnedPairs",
    "classify.additive.on_codes.AdditiveOnCodes",
    "classify.additive.on_codes.ShapeCounts",
    "classify.average.members.Member",
    "classify.bayes.pairs.PairCounts",
    "classify.bayes.tables.CellCounts",
    "classify.bayes.tables.ProbabilityTables",
    "classify.networks.columns.OneHot",
    "classify.networks.columns.Standardised",
    "classify.networks.layers.RVFLLayer",
    "classify.scorecard.on_codes.LearnedCard",
    "classify.scorecard.on_codes.ScorecardOnCodes",
    "classify.scorecard.selection.Fates",
    "classify.trees.forest.CodeTrees",
    "classify.trees.forest.ForestOnCodes",
    "classify.trees.tree.TreeColumn",
    "classify.trees.tree.TreeNodes",
    "criteria.score.Score",
    "discretize.unsupervised.FrequencyGrid",
    "kernels.inputs.BinCounts",
    "kernels.inputs.BinnedRows",
    "kernels.inputs.PairCellCounts",
    "scheme.attribute.CutTrial",
    "scheme.attribute.NominalAttribute",
    "scheme.attribute.NumericAttribute",
    "scheme.frozen.FrozenMapping",
    "scheme.scheme.Scheme",
)


def trusted_types() -> list[str]:
    """Return the names of the library's types that a file of a fitted estimator may hold.

    For ``skops.io.load(file, trusted=trusted_types())`` and MLflow's ``skops_trusted_types``. Estimators that need an
    extra are not among them.

    Returns
    -------
    list of str
        Sorted.

    Examples
    --------
    >>> "cutwise.scheme.scheme.Scheme" in trusted_types()
    True
    """
    estimators = [f"{entry.module}.{entry.name}" for entry in entries([*DISCRETIZERS, *CLASSIFIERS])]
    return sorted(f"cutwise.{name}" for name in (*estimators, *_HELD))
