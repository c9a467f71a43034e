"""A small paper: the modules that the command line asks, without data or methods."""

from __future__ import annotations

import sys
from types import ModuleType

from cutwise.evaluate import Task
from tests.evaluate import fake_work


def tasks(datasets, plan, repeats, n_folds):
    """Return tasks in the way of the registry."""
    discretizers = dict.fromkeys(discretizer for discretizer, _ in plan)
    return [
        Task(dataset, name, repeat, fold, tuple(classifier for other, classifier in plan if other == name))
        for dataset in datasets
        for name in discretizers
        for repeat in range(repeats)
        for fold in range(n_folds)
    ]


def write_tables(results, into, formats):
    into.mkdir(exist_ok=True)
    paths = [into / f"table.{name}" for name in formats]
    for path in paths:
        path.write_text(repr(results))
    return paths


def modules(plan=(("mrmd", "nb"), ("mrmd", "rnb"), ("mdlp", "nb"))):
    """Return the modules by name."""
    contents = {
        "cutwise.paper.registry": {"PLAN": list(plan), "QUICK": ("iris",), "SEED": 0, "N_FOLDS": 2, "tasks": tasks},
        "cutwise.paper.tables": {"write_tables": write_tables},
        "cutwise.datasets": {"names": lambda: ["iris", "wine"]},
        "cutwise.evaluate.measure": {"measure": fake_work.work},
    }
    found = {}
    for name, content in contents.items():
        found[name] = ModuleType(name)
        vars(found[name]).update(content)
    return found


def install(plan):
    """Put the modules in place of the real ones."""
    sys.modules.update(modules(plan))
