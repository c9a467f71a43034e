"""Choose cells by patterns of names."""

from __future__ import annotations

import difflib
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from cutwise.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cutwise.evaluate.cells import Task


def choose(tasks: Iterable[Task], patterns: Sequence[str]) -> list[Task]:
    """Return tasks reduced to the cells that fit at least one pattern.

    Parameters
    ----------
    tasks : iterable of Task
    patterns : sequence of str
        ``dataset/discretizer/classifier``, each with ``*`` and ``?`` as in file names; what is
        left out at the end fits all. A pattern without a slash may be any of the three.

    Raises
    ------
    RunError
        If nothing fits a pattern.

    Examples
    --------
    >>> from cutwise.evaluate import Task
    >>> from cutwise.evaluate.choose import choose
    >>> tasks = [Task("iris", "mrmd", 0, 0, ("nb", "rnb")), Task("wine", "mdlp", 0, 0, ("nb",))]
    >>> [str(cell) for task in choose(tasks, ["mdlp", "*/*/rnb"]) for cell in task.cells()]
    ['iris/mrmd/rnb/0/0', 'wine/mdlp/nb/0/0']
    """
    every = list(tasks)
    return _reduced(every, _fitting(every, patterns))


def fits(tasks: Iterable[Task], pattern: str) -> bool:
    """Return whether some cell fits a pattern; patterns are those of `choose`."""
    return any(_fits(names, pattern) for names in _triples(tasks))


def leave_out(tasks: Iterable[Task], patterns: Sequence[str]) -> list[Task]:
    """Return tasks without the cells that fit a pattern; patterns are those of `choose`.

    Examples
    --------
    >>> from cutwise.evaluate import Task
    >>> from cutwise.evaluate.choose import leave_out
    >>> tasks = [Task("iris", "mrmd", 0, 0, ("nb", "rnb")), Task("wine", "emd", 0, 0, ("nb",))]
    >>> [str(cell) for task in leave_out(tasks, ["emd", "*/*/rnb"]) for cell in task.cells()]
    ['iris/mrmd/nb/0/0']
    """
    every = list(tasks)
    return _reduced(every, _triples(every) - _fitting(every, patterns))


def _triples(tasks: Iterable[Task]) -> set[tuple[str, ...]]:
    return {(task.dataset, task.discretizer, name) for task in tasks for name in task.classifiers}


def _fitting(tasks: Iterable[Task], patterns: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the names of the cells that fit at least one pattern; each pattern must fit some."""
    triples = _triples(tasks)
    chosen = set()
    for pattern in patterns:
        fitting = {names for names in triples if _fits(names, pattern)}
        if not fitting:
            raise RunError(_nothing_fits(pattern, triples))
        chosen |= fitting
    return chosen


def _reduced(tasks: Iterable[Task], chosen: set[tuple[str, ...]]) -> list[Task]:
    """Return tasks with the chosen cells alone."""
    left = []
    for task in tasks:
        names = tuple(name for name in task.classifiers if (task.dataset, task.discretizer, name) in chosen)
        if names:
            left.append(replace(task, classifiers=names))
    return left


def _fits(names: tuple[str, ...], pattern: str) -> bool:
    parts = pattern.split("/")
    if len(parts) == 1:
        return any(fnmatchcase(name, pattern) for name in names)
    return len(parts) <= len(names) and all(map(fnmatchcase, names, parts))


def _nothing_fits(pattern: str, triples: Iterable[tuple[str, ...]]) -> str:
    known = sorted({name for names in triples for name in names})
    parts = pattern.split("/")
    wrong = [part for part in parts if part not in known] if len(parts) <= 3 else []
    near = [name for part in wrong for name in difflib.get_close_matches(part, known)]
    hint = f"Did you mean {near[0]!r}?" if near else "Use a name, or dataset/discretizer/classifier with *."
    return f"No cell fits {pattern!r}. {hint}"
