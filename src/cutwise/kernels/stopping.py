"""Let long loops end early: they look at the flag of ``cutwise.threads`` now and then.

The flag is known to the compiled code by a name, so that kernels can be cached. Looking at it costs one load; what a
kernel does between two looks should take less than a tenth of a second. Arrays that are made in a kernel are lost to
the process when it raises, so kernels with very large ones return first and raise afterwards.
"""

from __future__ import annotations

import ctypes

from llvmlite import binding, ir
from numba import config, types
from numba.extending import intrinsic

from cutwise.kernels.compile import kernel
from cutwise.threads import FLAG, Interrupted

_NAME = "cutwise_stop_flag"
binding.add_symbol(_NAME, ctypes.addressof(FLAG))


@intrinsic
def _load_flag(_):
    """Read the flag from memory, each time anew."""

    def generate(_context, builder, _signature, _arguments):
        flag = builder.module.globals.get(_NAME)
        if flag is None:
            flag = ir.GlobalVariable(builder.module, ir.IntType(64), _NAME)
        return builder.load_atomic(flag, "monotonic", 8)

    return types.int64(), generate


if config.DISABLE_JIT:

    def _load_flag():
        """Read the flag."""
        return FLAG.value


@kernel
def is_stopped():
    """Return whether loops are to end."""
    return _load_flag() != 0


@kernel
def check_stop():
    """Raise Interrupted if loops are to end."""
    if _load_flag() != 0:
        raise Interrupted
