"""The paper as a program: which methods it compares, what it published, and our figures beside it."""

from __future__ import annotations

from cutwise.paper.consistency import Inconsistency, Reproduced, inconsistencies, reproduced_rank_sums
from cutwise.paper.published import PublishedTable, published

__all__ = ["Inconsistency", "PublishedTable", "Reproduced", "inconsistencies", "published", "reproduced_rank_sums"]
