"""Write what type checkers read instead of the lazy exports: `python tools/stubs.py`.

The stub of ``cutwise`` is made from the registry of estimators and the other public names.
"""

from __future__ import annotations

from pathlib import Path

import cutwise
from cutwise import registry

PATH = Path(cutwise.__file__).with_suffix(".pyi")
HEAD = "# Made from src/cutwise/registry.py by tools/stubs.py (make format).\n\n"


def stub() -> str:
    """Return the text of the stub."""
    public = {name: getattr(cutwise, name).__module__ for name in cutwise.__all__ if name != "__version__"}
    extra = {name: f"cutwise.{module}" for name, module in registry.homes(extras=True).items()}
    found = [("cutwise", name) for name in cutwise._MODULES]  # noqa: SLF001
    found += [(module, name) for name, module in {**public, **extra}.items()]
    lines = [f"from {module} import {name} as {name}\n" for module, name in sorted(found, key=_place)]
    return HEAD + "".join(lines) + "\n__version__: str\n"


def _place(line: tuple[str, str]) -> tuple[str, bool, str]:
    """Return what sorts imports as ruff does: by module, classes before functions."""
    module, name = line
    return module, not name[0].isupper(), name


if __name__ == "__main__":
    PATH.write_text(stub(), encoding="utf-8")
