"""Minimize: L-BFGS-B with the settings that the weighted classifiers share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import optimize

from cutwise.models import Field

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Objective = Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]]


# How these attributes are written to JSON.
SEARCH_FIELDS = {"loss_": Field(), "n_iter_": Field(kind="count"), "converged_": Field(kind="boolean")}


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where a search ended.

    Parameters
    ----------
    at : ndarray
    value : float
    n_iter : int
    converged : bool
        Whether the slopes are as small as asked for.
    """

    at: NDArray[np.float64]
    value: float
    n_iter: int
    converged: bool

    def as_attributes(self) -> dict[str, float | int | bool]:
        """Return what a fitted classifier tells of the search, by the names of its attributes."""
        return {"loss_": self.value, "n_iter_": self.n_iter, "converged_": self.converged}


def minimize(
    objective: Objective,
    start: NDArray[np.float64],
    *,
    bounds: tuple[float, float] | None,
    max_iter: int,
    tol: float,
    memory: int = 5,
) -> Minimum:
    """Go downhill from the start until no slope inside the bounds exceeds `tol`."""
    found = optimize.minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=None if bounds is None else optimize.Bounds(*bounds),
        options={"maxcor": memory, "ftol": 0.0, "gtol": tol, "maxiter": max_iter, "maxfun": 50 * max_iter},
    )
    # A step against the slopes, cut off at the bounds: zero where the bounds hold a slope back.
    step = found.x - np.clip(found.x - found.jac, *(bounds or (-np.inf, np.inf)))
    return Minimum(found.x, float(found.fun), int(found.nit), bool(np.abs(step).max() <= tol))
