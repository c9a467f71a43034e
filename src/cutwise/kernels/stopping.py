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


def _look_at_flag():
    """Read the flag in plain Python, where numba is switched off."""
    return FLAG.value


@intrinsic
def _load_flag(_):
    """Read the flag from memory, each time anew."""

    def generate(_context, builder, _signature, _arguments):
        there = builder.module.globals.get(_NAME)
        if there is None:
            there = ir.GlobalVariable(builder.module, ir.IntType(64), _NAME)
        return builder.load_atomic(there, "monotonic", 8)

    return types.int64(), generate


flag = _look_at_flag if getattr(config, "DISABLE_JIT", 0) else _load_flag


@kernel
def is_stopped():
    """Return whether loops are to end."""
    return flag() != 0


@kernel
def check_stop():
    """Raise Interrupted if loops are to end."""
    if flag() != 0:
        raise Interrupted
