"""Tables of what goes beyond the paper: classifiers of raw tables, and bins of all columns chosen together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutwise.paper.evaluate.statistics import average_ranks, best_counts
from cutwise.paper.evaluate.summary import MethodPair
from cutwise.paper.evaluate.wilcoxon import (
    DECIMALS,
    critical_rank_sum,
    rank_sum_p_values,
    rank_sums,
    signed_rank_test,
)
from cutwise.paper.halves import DEVELOPMENT
from cutwise.paper.table import ResultColumn, ResultTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cutwise.paper.table import MeasuredResults, Value

_OWN = ("cutwise", "cutwise-exportable", "additive-pairs", "additive")
_YARDSTICKS = ("average", "forest", "forest-500", "boosting", "boosting-tuned", "resnet", "ftt")
_BAYES = (MethodPair("mrmd", "rnb"), MethodPair("mrmd", "nb"))
_FOREST, _EBM = MethodPair("none", "forest"), MethodPair("none", "ebm")
_SEEDED = ("cutwise", "additive-pairs", "additive", "forest")
_JOINT = ("joint", "joint-nb", "mrmd", "emd", "mdlp")
_ON_BINS = {"nb": "naive Bayes", "rnb": "RNB", "aode": "AODE", "plr": "preconditioned LR"}
# The sets of the table of joint bins: all, and the two halves.
_HALVES = {"all": (True, False), "development half": (True,), "other half": (False,)}

_COLUMNS = (
    ResultColumn("method", style="text"),
    ResultColumn("accuracy"),
    ResultColumn("log loss", digits=3),
    ResultColumn("accuracy, development half"),
    ResultColumn("accuracy, other half"),
    ResultColumn("average rank"),
    ResultColumn("wins", digits=0),
    ResultColumn("rank sum over the forest", digits=1),
    ResultColumn("p", digits=4, style="chance"),
)


def raw_table(measured: MeasuredResults) -> ResultTable:
    """Return the library's classifiers of raw tables beside others."""
    methods = [*(MethodPair("none", name) for name in (*_OWN, *_YARDSTICKS)), *_BAYES]
    return _compared("raw-tables", "Classifiers of raw tables", measured, methods)


def ebm_table(measured: MeasuredResults) -> ResultTable:
    """Return the same on the data sets on which the explainable boosting machine was measured."""
    methods = [MethodPair("none", name) for name in (*_OWN, "ebm", "forest")]
    return _compared("ebm", "Beside the explainable boosting machine", measured, methods, needed=(_FOREST, _EBM))


def ebm_duel_table(measured: MeasuredResults) -> ResultTable:
    """Return how each of the library's classifiers differs from the explainable boosting machine on the same sets."""
    methods = [MethodPair("none", name) for name in (*_OWN, "forest")]
    datasets = _complete(measured, [*methods, _EBM])
    rows = [(method.classifier, *_duel(measured, datasets, method, _EBM)) for method in methods if datasets]
    columns = (ResultColumn("method less EBM", style="text"), *_DUEL)
    note = f"Over {len(datasets)} data sets. {_WHAT_DUEL}"
    return ResultTable("ebm-duels", "Differences from EBM", columns, tuple(rows), notes=(note,))


def _complete(measured: MeasuredResults, methods: Sequence[MethodPair]) -> list[str]:
    """Return the data sets for which all of the methods have figures."""
    return [each for each in measured.datasets if all(measured.complete(each, method) for method in methods)]


_DUEL = (
    ResultColumn("difference", "accuracy", style="signed"),
    ResultColumn("higher on", "accuracy", digits=0),
    ResultColumn("lower on", "accuracy", digits=0),
    ResultColumn("p", "accuracy", digits=4, style="chance"),
    ResultColumn("difference", "log loss", digits=3, style="signed"),
    ResultColumn("lower on", "log loss", digits=0),
    ResultColumn("higher on", "log loss", digits=0),
    ResultColumn("p", "log loss", digits=4, style="chance"),
)
_WHAT_DUEL = (
    "Difference: that of the means. Higher and lower: the number of data sets; the others are equal. p: two-sided, of "
    "Wilcoxon's test."
)


def _duel(measured: MeasuredResults, datasets: Sequence[str], first: MethodPair, second: MethodPair) -> list[Value]:
    """Return by how much, and on how many data sets, the first method is better and worse, with the chance of that."""
    found = [(measured.complete(each, first), measured.complete(each, second)) for each in datasets]
    both = [(one, other) for one, other in found if one and other]
    cells: list[Value] = []
    for name, better in (("accuracy", 1.0), ("log_loss", -1.0)):
        differences = np.array([getattr(one, name) - getattr(other, name) for one, other in both])
        gains = better * np.round(differences, DECIMALS)
        chance = signed_rank_test(gains).p_value
        cells += [float(differences.mean()), int((gains > 0).sum()), int((gains < 0).sum()), chance]
    return cells


def _compared(
    name: str,
    title: str,
    measured: MeasuredResults,
    methods: Sequence[MethodPair],
    needed: Sequence[MethodPair] = (_FOREST,),
) -> ResultTable:
    """Return the methods with figures, the best accuracy first, on the data sets that all of them have."""
    there = [method for method in methods if any(measured.complete(dataset, method) for dataset in measured.datasets)]
    datasets = _complete(measured, there)
    if len(there) < 2 or not datasets or any(method not in there for method in needed):
        return ResultTable(name, title, _COLUMNS, (), notes=("There are too few figures to compare.",))
    found = [[measured.complete(each, method) for method in there] for each in datasets]
    accuracy = np.array([[one.accuracy for one in row if one] for row in found])
    losses = np.array([[one.log_loss for one in row if one] for row in found])
    is_development = np.array([each in DEVELOPMENT for each in datasets])
    ranks, wins, forest = average_ranks(accuracy), best_counts(accuracy), there.index(_FOREST)
    sums, chances = rank_sums(accuracy)[:, forest], rank_sum_p_values(accuracy)[:, forest]
    rows = [
        (
            there[k].classifier if there[k].discretizer == "none" else str(there[k]),
            float(accuracy[:, k].mean()),
            float(losses[:, k].mean()),
            *(_mean(accuracy[half, k]) for half in (is_development, ~is_development)),
            float(ranks[k]),
            int(wins[k]),
            *(("", "") if k == forest else (float(sums[k]), float(chances[k]))),
        )
        for k in np.argsort(-accuracy.mean(axis=0), kind="stable").tolist()
    ]
    return ResultTable(name, title, _COLUMNS, tuple(rows), notes=_notes(len(datasets), int(is_development.sum())))


def _notes(n: int, n_development: int) -> tuple[str, ...]:
    critical = critical_rank_sum(n)
    level = "none is significant" if critical is None else f"{critical} and more are significant"
    means = (
        f"Means over {n} data sets, {n_development} of the development half. Equal methods share the mean of their "
        "ranks, and each of them wins."
    )
    sums = (
        "Rank sum over the forest: of Wilcoxon's test, over the data sets on which the method is more accurate than "
        f"the forest of 100 trees; at the two-sided level 0.05 sums of {level}. p is two-sided."
    )
    return means, sums


def seed_table(by_seed: Mapping[int, MeasuredResults]) -> ResultTable:
    """Return the library's classifiers and the forest with folds that other random seeds have dealt."""
    datasets = sorted({each for measured in by_seed.values() for each in measured.datasets})
    columns = (
        ResultColumn("seed", digits=0),
        *(ResultColumn(name, of, digits) for of in _SEEDED for name, digits in _PAIR),
        ResultColumn("rank sum over the forest", _SEEDED[0], digits=1),
    )
    rows = [
        (
            seed,
            *(mean for name in _SEEDED for mean in _means(measured, datasets, MethodPair("none", name))),
            _sum_over_forest(measured, datasets, MethodPair("none", _SEEDED[0])),
        )
        for seed, measured in sorted(by_seed.items())
    ]
    note = f"Means over {len(datasets)} data sets, ten folds each."
    return ResultTable("seeds", "Other random seeds", columns, tuple(rows), notes=(note,))


def _sum_over_forest(measured: MeasuredResults, datasets: Sequence[str], method: MethodPair) -> float | None:
    """Return Wilcoxon's rank sum of a method over the forest, None unless both have figures for every data set."""
    found = [(measured.complete(each, method), measured.complete(each, _FOREST)) for each in datasets]
    accuracy = [(one.accuracy, other.accuracy) for one, other in found if one and other]
    return float(rank_sums(np.array(accuracy))[0, 1]) if len(accuracy) == len(found) else None


def joint_table(measured: MeasuredResults) -> ResultTable:
    """Return the classifiers on bins that were chosen for all columns together, and on those of single columns."""
    columns = (
        ResultColumn("bins", style="text"),
        *(ResultColumn(name, of, digits) for of in _ON_BINS.values() for name, digits in _PAIR),
        ResultColumn("cuts", digits=1),
    )
    pairs = [MethodPair(bins, classifier) for bins in _JOINT for classifier in _ON_BINS]
    there = [pair for pair in pairs if any(measured.complete(each, pair) for each in measured.datasets)]
    datasets = _complete(measured, there)
    rows: list[tuple[Value, ...]] = []
    for bins in _JOINT if MethodPair("joint", "nb") in there and datasets else ():
        cells: list[Value] = [bins]
        for classifier in _ON_BINS:
            cells += _means(measured, datasets, MethodPair(bins, classifier))
        cuts = [spread.mean for each in datasets if (spread := measured.cuts(each, MethodPair(bins, "nb")))]
        rows.append((*cells, _mean(cuts) if len(cuts) == len(datasets) else None))
    note = f"Means over the {len(datasets)} data sets that all have; cuts are those of all attributes together."
    return ResultTable("joint", "Bins of all columns together", columns, tuple(rows), notes=(note,))


def joint_duel_table(measured: MeasuredResults) -> ResultTable:
    """Return how pruned joint bins differ from those of EMD and of MRmD, with each classifier."""
    columns = (
        ResultColumn("joint-nb less", style="text"),
        ResultColumn("with", style="text"),
        ResultColumn("data sets", style="text"),
        *_DUEL,
    )
    rows: list[tuple[Value, ...]] = []
    for other, classifier in ((bins, name) for bins in ("emd", "mrmd") for name in _ON_BINS):
        pair = MethodPair("joint-nb", classifier), MethodPair(other, classifier)
        datasets = _complete(measured, pair)
        for title, kinds in _HALVES.items():
            chosen = [each for each in datasets if (each in DEVELOPMENT) in kinds]
            if chosen:
                sets = f"{title}, {len(chosen)}"
                rows.append((other, _ON_BINS[classifier], sets, *_duel(measured, chosen, *pair)))
    return ResultTable(
        "joint-duels", "Differences of joint bins from others", columns, tuple(rows), notes=(_WHAT_DUEL,)
    )


def joint_half_table(measured: MeasuredResults) -> ResultTable:
    """Return the accuracies on joint bins and on others for both halves of the data sets."""
    halves = [(name, kinds[0]) for name, kinds in _HALVES.items() if len(kinds) == 1]
    names = {**_ON_BINS, "c45": "C4.5"}
    columns = (
        ResultColumn("bins", style="text"),
        *(ResultColumn(half, of, 1) for of in names.values() for half, _ in halves),
        *(ResultColumn(half, "cuts", 0) for half, _ in halves),
    )
    rows: list[tuple[Value, ...]] = []
    for bins in ("mrmd", "emd", "joint", "joint-nb"):
        means: list[Value] = [bins]
        for classifier in names:
            datasets = _complete(measured, [MethodPair(bins, classifier)])
            is_whole = len(datasets) == len(measured.datasets) > 0
            for _, is_development in halves:
                chosen = [each for each in datasets if (each in DEVELOPMENT) is is_development]
                means.append(_means(measured, chosen, MethodPair(bins, classifier))[0] if is_whole else None)
        for _, is_development in halves:
            chosen = [each for each in measured.datasets if (each in DEVELOPMENT) is is_development]
            cuts = [spread.mean for each in chosen if (spread := measured.cuts(each, MethodPair(bins, "nb")))]
            means.append(_mean(cuts) if len(cuts) == len(chosen) else None)
        rows.append(tuple(means))
    title = "Accuracies on joint bins and on others, by halves of the data sets"
    note = "A figure is missing unless all data sets have it; cuts are those of all attributes together."
    return ResultTable("joint-halves", title, columns, tuple(rows), notes=(note,))


_PAIR = (("accuracy", 2), ("log loss", 3))


def _means(measured: MeasuredResults, datasets: Sequence[str], method: MethodPair) -> tuple[Value, Value]:
    """Return the accuracy and the log loss of a method, None unless it has figures for every data set."""
    found = [measured.complete(each, method) for each in datasets]
    whole = [one for one in found if one is not None]
    if len(whole) < len(found):
        return None, None
    return _mean([one.accuracy for one in whole]), _mean([one.log_loss for one in whole])


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None
