"""What the discretizers share that learn one column at a time from the class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from cutwise.discretize.base import BaseDiscretizer
from cutwise.discretize.plan import MONOTONIC_CONSTRAINTS, SIZE_CONSTRAINTS, limits_of
from cutwise.estimator import estimator

if TYPE_CHECKING:
    from cutwise.discretize.seen import SeenTable
    from cutwise.search import BinLimits


@estimator
class SupervisedDiscretizer(BaseDiscretizer):
    """The base of the discretizers that learn one column at a time from the class.

    A subclass adds its parameters as fields and says in ``_plan`` how columns are searched.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {**SIZE_CONSTRAINTS, **MONOTONIC_CONSTRAINTS}

    min_bin_size: float | None = None
    max_bins: int | None = None
    monotonic: str | None = None

    def _limits(self, seen: SeenTable) -> tuple[BinLimits, ...]:
        """Return the limits to search under, one for each direction to try."""
        return limits_of(seen, self.min_bin_size, self.max_bins, self.monotonic)
