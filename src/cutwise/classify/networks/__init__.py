"""Neural classifiers for raw tables of mixed types.

Those that learn by gradients need PyTorch; they are loaded when they are first asked for.
"""

from __future__ import annotations

from cutwise.registry import homes, lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__, homes("classify.networks"), extras=homes("classify.networks", extras=True)
)
