"""The decorators every compiled procedure wears.

Machine code is kept between processes (`compile_cache`), `nogil` lets the screen breathe while a kernel
runs, and `error_model="numpy"` divides like numpy (no hidden branch per division). No fastmath: sums must
replay bit for bit. SLP vectorisation joins neighbouring independent operations into one instruction; it
reorders no sum, so results keep their bits, and it is switched on before anything compiles.

What Python calls is a `kernel`. What only kernels call is an `inner_kernel`: it has no wrapper that unpacks
Python's arguments, which is a quarter of the time a compiler takes. A kernel of a few lines that calls others
is an `inlined_kernel`: its lines are copied into its callers, so nothing is optimised level by level.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from numba import njit, typeof
from numba._dispatcher import compute_fingerprint

from solverlab.core.compile_cache import CompileCache, compiled_once, config

Function = TypeVar("Function", bound=Callable)
_fingerprint: Any = compute_fingerprint
_ENTRIES: dict[tuple[Any, tuple[bytes, ...]], Any] = {}
_MANNERS: Any = {"nogil": True, "error_model": "numpy"}

if "NUMBA_SLP_VECTORIZE" not in os.environ:
    config.SLP_VECTORIZE = 1


def kernel(function: Function) -> Function:
    """Compile a procedure when it is first called; with NUMBA_DISABLE_JIT it stays plain Python."""
    return _made(function, "")


def inner_kernel(function: Function) -> Function:
    """A kernel that only kernels call: no way in from Python is compiled with it.

    Whoever calls one from Python all the same, as a test may, has it compiled once more, with a way in.
    """
    made: Any = _made(function, "", no_cpython_wrapper=True, no_cfunc_wrapper=True)
    if made is not function:

        @cache
        def with_way_in() -> Any:
            return _made(function, "from-python")

        # Without a wrapper there is nothing Python could jump to: numba must not be told of an entry.
        made._insert = lambda types, entry, objectmode: None
        made._compile_for_args = lambda *args, **named: with_way_in()
    return made


def inlined_kernel(function: Function) -> Function:
    """A kernel whose few lines become lines of every kernel that calls it; Python may call it, too."""
    return _made(function, "", inline="always")


def _made(function: Function, part: str, **options: Any) -> Function:
    made: Any = njit(**_MANNERS, **options)(function)
    if made is not function:
        made._cache = CompileCache(function, part)
        made.compile = compiled_once(made)
    return made


def for_these_types(procedure: Function, *arguments: object) -> Function:
    """The machine code of a kernel for arguments of exactly these types.

    A kernel looks up the types of all its arrays at every call: microseconds for thirty of them, more than an
    iteration of Kuhn takes. Whoever calls with the same arrays again and again asks once. Arguments of other
    types are not noticed, so keep to the arrays you asked for.
    """
    if not hasattr(procedure, "py_func"):  # the compiler is switched off
        return procedure
    made: Any = procedure
    seen = (made, tuple(map(_fingerprint, arguments)))
    if seen not in _ENTRIES:  # naming the types takes as long as a hundred iterations of Kuhn
        _ENTRIES[seen] = made.compile(tuple(typeof(argument) for argument in arguments))
    return _ENTRIES[seen]
