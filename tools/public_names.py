"""Write what is made from the registry of estimators: `python tools/public_names.py`, part of `make format`.

That is the stub of ``cutwise``, which type checkers read instead of the lazy exports, and the
estimators on the API page.
"""

from __future__ import annotations

from pathlib import Path

import cutwise
from cutwise import registry

STUB = Path(cutwise.__file__).with_suffix(".pyi")
PAGE = Path(__file__).parents[1] / "docs" / "api.md"
BEGIN = "<!-- Made from src/cutwise/registry.py by tools/public_names.py (make format). -->\n"
END = "<!-- The rest is written by hand. -->\n"
SECTION = """
## {title}

```{{eval-rst}}
.. currentmodule:: cutwise

.. autosummary::
   :toctree: generated

{names}
```
"""


def stub() -> str:
    """Return the text of the stub."""
    public = {name: getattr(cutwise, name).__module__ for name in cutwise.__all__ if name != "__version__"}
    extra = {name: f"cutwise.{module}" for name, module in registry.homes(extras=True).items()}
    found = [("cutwise", name) for name in cutwise._MODULES]  # noqa: SLF001
    found += [(module, name) for name, module in {**public, **extra}.items()]
    lines = [f"from {module} import {name} as {name}\n" for module, name in sorted(found, key=_place)]
    head = "# Made from src/cutwise/registry.py by tools/public_names.py (make format).\n\n"
    return head + "".join(lines) + "\n__version__: str\n"


def _place(line: tuple[str, str]) -> tuple[str, bool, str]:
    """Return what sorts imports as ruff does: by module, classes before functions, whatever the case."""
    module, name = line
    return module, not name[0].isupper(), name.lower()


def page(text: str) -> str:
    """Return the API page with the estimators of the registry."""
    before, _, rest = text.partition(BEGIN)
    sections = [_section(group, title) for group, title in {**registry.DISCRETIZERS, **registry.CLASSIFIERS}.items()]
    return before + BEGIN + "".join(sections) + "\n" + END + rest.partition(END)[2]


def _section(group: str, title: str) -> str:
    names = "\n".join(f"   {entry.name}" for entry in registry.entries([group]))
    extra = [entry.name for entry in registry.entries([group], extras=True) if entry.extra]
    more = f"\nWith an extra: {', '.join(f'`{name}`' for name in extra)}.\n" if extra else ""
    return SECTION.format(title=title, names=names) + more


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
