"""What a journal holds, as data and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutwise.cli.progress import counted, duration
from cutwise.paper.evaluate.journal import notes_of, read_content
from cutwise.paper.evaluate.runner import seconds_by

if TYPE_CHECKING:
    from pathlib import Path

N_SHOWN = 5
NAMES = ("discretizer", "classifier", "dataset")


def status(journal: Path) -> dict[str, Any]:
    """Return what a journal holds as plain data."""
    content = read_content(journal)
    results = [content.results[cell][0] for cell in sorted(content.results)]
    return {
        "journal": str(journal),
        "protocol": content.protocol or {},
        "n_results": len(results),
        "failed": {str(result.cell): result.error for result in results if result.error},
        "seconds": sum(result.seconds for result in results),
        "seconds_by": {what: seconds_by(results, what) for what in NAMES},
        "sessions": {str(number): versions for number, versions in content.sessions.items()},
        "notes": notes_of(content),
    }


def status_text(found: dict[str, Any]) -> str:
    """Return the same for people."""
    lines = [f"{found['journal']}: {counted(found['n_results'], 'cell')}, {len(found['failed'])} of them failed."]
    lines += found["notes"]
    lines += [f"  {line}" for line in _first([f"{cell}: {error}" for cell, error in found["failed"].items()])]
    return "\n".join(lines + time_lines(found))


def time_lines(found: dict[str, Any]) -> list[str]:
    """Return where the time went; nothing if no time was taken."""
    if not found["seconds"]:
        return []
    parts = [_times(what, found["seconds_by"][what], found["seconds"]) for what in NAMES]
    return [f"Time: {duration(found['seconds'])} of one processor.", *parts]


def _times(what: str, seconds: dict[str, float], total: float) -> str:
    shares = [f"{name} {duration(part)} ({part / total:.0%})" for name, part in seconds.items()]
    return f"  by {what}: " + ", ".join(_first(shares))


def _first(parts: list[str]) -> list[str]:
    return parts if len(parts) <= N_SHOWN else [*parts[:N_SHOWN], f"and {len(parts) - N_SHOWN} more"]
