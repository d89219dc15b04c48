"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def jit(function: Function) -> Function: ...
@overload
def jit(*, arrays: bool) -> Callable[[Function], Function]: ...
def jit(function: Any = None, *, arrays: bool = False) -> Any:
    """Compiles a function when it is first called with arguments of new types.

    arrays: it makes arrays. Where it makes none, nobody counts, by locked instructions, who owns those it uses.
    """
    compiled: Any = njit(cache=True, nogil=True, _nrt=arrays)  # type: ignore[call-overload]
    return compiled if function is None else compiled(function)
