"""Value to code: how many cuts lie below a value."""

from __future__ import annotations

import numpy as np

from cutwise.kernels.compile import kernel

# With at most this many cuts, counting them all is faster than halving.
FEW_CUTS = 24


@kernel
def assign_codes(column, cuts, missing_code, codes):
    """Write the code of each value: the number of cuts below it; NaN gets missing_code."""
    if cuts.size <= FEW_CUTS:
        for i in range(column.size):
            value = column[i]
            code = 0
            for cut in cuts:
                code += cut < value
            codes[i] = missing_code if np.isnan(value) else code
        return
    for i in range(column.size):
        value = column[i]
        low = 0
        high = cuts.size
        while low < high:
            middle = (low + high) >> 1
            if cuts[middle] < value:
                low = middle + 1
            else:
                high = middle
        codes[i] = missing_code if np.isnan(value) else low
