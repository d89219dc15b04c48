"""How kernels are compiled, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import njit, types
from numba.core import sigutils

from solvers.kernels.cache import KernelCache, nesting

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
        _compile_bare(dispatcher)
        return dispatcher

    return compiled if function is None else compiled(function)


def _compile_bare(dispatcher: Any) -> None:
    """Has what only other kernels call compiled without the wrappers that Python calls need: half of the work for many.

    Called from Python later, it is compiled once more, with them.
    """
    compile_for, add, flags_for = dispatcher.compile, dispatcher.add_overload, dispatcher._compiler._customize_flags
    bare: set[Any] = set()

    def customize(flags: Any) -> Any:
        flags = flags_for(flags)
        if nesting.inner:
            flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def add_overload(result: Any) -> None:
        if nesting.inner:
            bare.add(tuple(result.signature.args))
            dispatcher.overloads[tuple(result.signature.args)] = result
        else:
            add(result)

    def compile_as_called(signature: Any) -> Any:
        arguments: Any = sigutils.normalize_signature(signature)[0]  # type: ignore[no-untyped-call]
        if not nesting.depth and arguments in bare:
            bare.remove(arguments)
            del dispatcher.overloads[arguments]
        nesting.depth += 1
        try:
            return compile_for(signature)
        finally:
            nesting.depth -= 1

    dispatcher._compiler._customize_flags = customize
    dispatcher.add_overload, dispatcher.compile = add_overload, compile_as_called


def _widened(kind: Any) -> Any:
    """int64 for a signed whole number, and for a constant one; any other type as it is."""
    plain: Any = types.unliteral(kind)  # type: ignore[no-untyped-call]
    return types.int64 if plain in types.signed_domain else kind
