"""How kernels are compiled, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import njit

from solvers.kernels.cache import KernelCache

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def jit(function: Function) -> Function: ...
@overload
def jit(*, arrays: bool) -> Callable[[Function], Function]: ...
def jit(function: Any = None, *, arrays: bool = False) -> Any:
    """Compiles a function when it is first called with arguments of new types, and keeps it for other processes.

    arrays: it makes arrays. Where it makes none, nobody counts, by locked instructions, who owns those it uses.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher: Any = njit(nogil=True, _nrt=arrays)(function)  # type: ignore[call-overload]
        dispatcher._cache = KernelCache(function)
        return dispatcher

    return compiled if function is None else compiled(function)
