"""Work on columns in several threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def in_threads(function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], n_jobs: int | None) -> Iterator[Any]:
    """Yield the result of each task, given as arguments, in order.

    Threads share the table; the compiled loops run without the interpreter lock.
    """
    if effective_n_jobs(n_jobs) == 1:
        # A small column is learned in less time than joblib takes to pass it on.
        return (function(*arguments) for arguments in tasks)
    work = (delayed(function)(*arguments) for arguments in tasks)
    results: Iterator[Any] = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(work)
    return results
