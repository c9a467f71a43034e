"""The command line: parsing and exit codes only."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

WRONG_USE = 2
FAULT = 70


def main(argv: Sequence[str] | None = None) -> int:
    """Answer a command.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; by default those of the command line.

    Returns
    -------
    int
        0; 1 if cells failed; 2 for wrong use or bad files; 70 for a fault of the program; 130 after an interrupt.
    """
    try:
        from cutwise.cli.app import answer
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("cutwise"):
            raise
        sys.stderr.write(
            f"cutwise: the command line needs {error.name}. Install it with: python -m pip install 'cutwise[cli]'\n"
        )
        return WRONG_USE
    return answer(argv)
