"""A small paper in place of the real one: the command line without data or methods."""

from __future__ import annotations

import functools
import importlib

from cutwise.paper.evaluate import CellTask
from tests.paper.evaluate import fake_work

PLAN = {"mrmd": ("nb", "rnb"), "mdlp": ("nb",)}


def tasks(datasets, plan=None, repeats=1, *, usual):
    """Return tasks in the way of the registry."""
    plan = usual if plan is None else plan
    return [
        CellTask(dataset, name, repeat, fold, classifiers)
        for dataset in datasets
        for name, classifiers in plan.items()
        for repeat in range(repeats)
        for fold in range(2)
    ]


def write_tables(results, into, formats):
    into.mkdir(exist_ok=True)
    paths = [into / f"table.{name}" for name in formats]
    for path in paths:
        path.write_text(repr(results))
    return paths


def write_figures(results, into):
    path = into / "ranks.svg"
    path.write_text("")
    return [path]


def changes(plan=PLAN):
    """Return (module, name, value) for each thing to replace."""
    return [
        ("cutwise.paper.registry", "tasks", functools.partial(tasks, usual=plan)),
        ("cutwise.paper.registry", "work", lambda protocol: fake_work.work),
        ("cutwise.paper.registry", "QUICK", ("iris",)),
        ("cutwise.paper.registry", "NOT_QUICK", ()),
        ("cutwise.paper.tables", "write_tables", write_tables),
        ("cutwise.paper.figures", "write_figures", write_figures),
        ("cutwise.paper.datasets", "names", lambda: ["iris", "wine"]),
        ("cutwise.paper.datasets.loading", "check_present", lambda names: None),
    ]


def install(plan, replace=setattr):
    """Put the small paper in place of the real one."""
    for module, name, value in changes(plan):
        replace(importlib.import_module(module), name, value)
