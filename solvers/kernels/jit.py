"""How kernels are compiled, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import njit, types

from solvers.kernels.cache import KernelCache

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def jit(function: Function) -> Function: ...
@overload
def jit(*, arrays: bool) -> Callable[[Function], Function]: ...
def jit(function: Any = None, *, arrays: bool = False) -> Any:
    """Compiles a function when it is first called with arguments of new types, and keeps it for other processes.

    arrays: it makes arrays. Where it makes none, nobody counts, by locked instructions, who owns those it uses.
    Kernels that call it with a constant, or with a short number, share what is compiled for int64.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher: Any = njit(nogil=True, _nrt=arrays)(function)  # type: ignore[call-overload]
        dispatcher._cache = KernelCache(function)
        fold = dispatcher._compiler.fold_argument_types

        def fold_and_widen(args: Any, keywords: Any) -> tuple[Any, tuple[Any, ...]]:
            parameters, kinds = fold(args, keywords)
            return parameters, tuple(map(_widened, kinds))

        dispatcher._compiler.fold_argument_types = fold_and_widen
        return dispatcher

    return compiled if function is None else compiled(function)


def _widened(kind: Any) -> Any:
    """int64 for a signed whole number, and for a constant one; any other type as it is."""
    plain: Any = types.unliteral(kind)  # type: ignore[no-untyped-call]
    return types.int64 if plain in types.signed_domain else kind
