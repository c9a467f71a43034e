"""How a kernel is compiled: cached on disk, without the interpreter lock, no fast math.

numba makes machine code of every function, and what Python needs to call it, although a function that
another one calls becomes part of that one's code before machine code is made. Here a kernel has two forms:
the one that Python calls, with its machine code on disk, and a part for other kernels, which ends before
there is machine code. A search that is made of many functions is then compiled in about half the time.
Meanwhile Python does not look for garbage: numba makes so many objects that this would take an eighth of the time.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

from numba import config, types
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}
# Nothing counts the references to arrays.
_PLAIN_OPTIONS = {**_OPTIONS, "_nrt": False}


class _PartLibrary(JITCodeLibrary):
    """Code of which nothing is made by itself: the kernel that takes it in is optimized as a whole."""

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True


class _PartCompiler(Compiler):
    def __init__(self, typing_context, target_context, _, args, return_type, flags, local_types):
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = _PartLibrary(target_context.codegen(), "part")
        super().__init__(typing_context, target_context, library, args, return_type, flags, local_types)


class _Part(CPUDispatcher):
    """A kernel as part of others, once for each type of its arguments; numba takes each constant for a type."""

    def get_call_template(self, args, kws):
        plain = {name: types.unliteral(of) for name, of in kws.items()}
        return super().get_call_template(tuple(map(types.unliteral, args)), plain)

    def add_overload(self, result):
        key = object()
        self.targetctx.insert_user_function(key, result.fndesc, [result.library])
        self.overloads[tuple(result.signature.args)] = result._replace(entry_point=key)


class _KernelCompiler(Compiler):
    """Leaves out what a program in C would need to call the kernel."""

    def __init__(self, typing_context, target_context, library, args, return_type, flags, local_types):
        flags.no_cfunc_wrapper = True
        super().__init__(typing_context, target_context, library, args, return_type, flags, local_types)


class _Kernel(CPUDispatcher):
    """A kernel that Python calls; other kernels take in its part."""

    def __init__(self, function, targetoptions):
        super().__init__(function, targetoptions=targetoptions, pipeline_class=_KernelCompiler)
        self._part = _Part(function, targetoptions=targetoptions, pipeline_class=_PartCompiler)

    def compile(self, sig):
        with global_compiler_lock, without_collector():
            return super().compile(sig)

    def get_call_template(self, args, kws):
        return self._part.get_call_template(args, kws)

    def get_overload(self, sig):
        return self._part.get_overload(sig)


@contextmanager
def without_collector() -> Iterator[None]:
    """Let Python's garbage collector wait: for short work that makes many objects, all of which stay."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def kernel(function):
    """Compile a function when it is first called."""
    return _compiled(function, _OPTIONS)


def plain_kernel(function):
    """Compile a function that neither makes nor returns arrays, nor do those that it calls; that takes less time."""
    return _compiled(function, _PLAIN_OPTIONS)


def _compiled(function, options):
    if config.DISABLE_JIT:
        return function
    compiled = _Kernel(function, targetoptions=options)
    compiled.enable_caching()
    return compiled


def formula(function):
    """Compile a function for kernels alone; Python calls it as it is.

    It is for a few operations on single numbers, which Python does long before they are compiled.
    """
    if not config.DISABLE_JIT:
        function.part = _Part(function, targetoptions=_OPTIONS, pipeline_class=_PartCompiler)
        cpu_target.typing_context.insert_global(function, types.Dispatcher(function.part))
    return function


class _Listener(event.Listener):
    """Calls a function with the name of each kernel that Python calls and that has to be compiled."""

    def __init__(self, tell):
        self._tell = tell
        self._depth = 0

    def on_start(self, begun):
        if self._depth == 0:
            self._tell(begun.data["dispatcher"].py_func.__name__)
        self._depth += 1

    def on_end(self, _):
        self._depth -= 1


def tell_of_compiling(tell: Callable[[], None]) -> None:
    """Call a function when something has to be compiled; only once, and not if all is in the cache."""
    told: list[str] = []

    def once(name: str) -> None:
        if not told:
            told.append(name)
            tell()

    event.register("numba:compile", _Listener(once))


@contextmanager
def count_compiled() -> Iterator[list[str]]:
    """Give a list to which the names of the kernels are added that are compiled meanwhile."""
    names: list[str] = []
    listener = _Listener(names.append)
    event.register("numba:compile", listener)
    try:
        yield names
    finally:
        event.unregister("numba:compile", listener)
