"""How a kernel is compiled: cached on disk, without the interpreter lock, no fast math."""

from __future__ import annotations

from numba import njit

kernel = njit(cache=True, nogil=True, error_model="numpy")
