"""Markdown tables that can be read as plain text too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def print_section(title: str, note: str = "") -> None:
    """Print a heading and, below it, what the figures mean."""
    print(f"\n## {title}\n", flush=True)
    if note:
        print(f"{note}\n", flush=True)


def print_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; the first column is aligned to the left, the others to the right."""
    widths = [max(len(row[j]) for row in (headers, *rows)) for j in range(len(headers))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for row in (headers, rule, *rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        print(f"| {' | '.join(cells)} |", flush=True)


def duration(seconds: float) -> str:
    """Write a time with three figures."""
    if seconds < 1.0:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.1f} s"


def ratio(value: float) -> str:
    """Write a ratio."""
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"


def one_line(error: BaseException) -> str:
    """Write an error so that it fits into a table."""
    text = " ".join(f"{type(error).__name__}: {error}".replace("|", "/").split())
    return text if len(text) <= 90 else text[:89] + "…"
