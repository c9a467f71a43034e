"""Evaluation: methods on folds of data sets, kept in a journal, compared by statistics.

Journals and runs need neither numpy nor scikit-learn; a name is loaded when it is first used.
"""

from __future__ import annotations

from cutwise.registry import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
