"""Errors that tell people what to do, and faults of the program, which are for its authors."""

from __future__ import annotations

import dis
import os
import re
import sys
import traceback

DEBUG = "CUTWISE_DEBUG"
"""The variable of the environment that asks for tracebacks."""

_RAISED = re.compile(r'[/\\](cutwise|sklearn)[/\\][^"\n]*", line \d+, in \w+\n *raise (?!.*\n *File ")', re.DOTALL)
_RAISES = {"RAISE_VARARGS", "RERAISE"}
_LIBRARIES = {"cutwise", "sklearn"}
_CHECKS = {"sklearn.utils.validation", "sklearn.utils.multiclass", "sklearn.utils._param_validation"}


def is_meant_for_people(error: BaseException) -> bool:
    """Return whether a check of the library or of scikit-learn raised an error on purpose.

    An error that an operation gives, such as numpy's about shapes, was foreseen by nobody.
    """
    trace = error.__traceback__
    if trace is None:
        return False
    if type(error.__cause__).__name__ == "_RemoteTraceback":
        # joblib keeps what happened in a thread as a text.
        return _RAISED.search(str(error.__cause__)) is not None
    modules = []
    while trace is not None:
        modules.append(trace.tb_frame.f_globals.get("__name__", ""))
        innermost, trace = trace, trace.tb_next
    if not _CHECKS.isdisjoint(modules):
        return True
    step = dis.opname[innermost.tb_frame.f_code.co_code[innermost.tb_lasti]]
    return step in _RAISES and modules[-1].partition(".")[0] in _LIBRARIES


def show_error(error: BaseException) -> None:
    """Write an error as one sentence, after its traceback if that is asked for."""
    _show_trace(error)
    sys.stderr.write(f"cutwise: {error}\n")


def show_fault(error: BaseException) -> None:
    """Write that the program is at fault, what happened where, and how to report it."""
    _show_trace(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""  # noqa: PTH119
    what = " ".join(f"{type(error).__name__}: {error}".removesuffix(": ").split())
    sys.stderr.write(
        f"cutwise: This is a fault of cutwise and not yours: {what}{place}.\n"
        f"Please report it: what you typed, and what it prints with {DEBUG}=1 in front.\n"
    )


def _show_trace(error: BaseException) -> None:
    if os.environ.get(DEBUG, "") not in {"", "0"}:
        sys.stderr.write("".join(traceback.format_exception(error)))
