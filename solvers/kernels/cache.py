"""Compiled kernels on disk, each under the text of all that it was made of.

An entry is valid where the module of the function, the modules it imports in this project, directly or not, and those
that offer hooks for its arguments (`solvers.kernels.rules`) have the same text, for the same types of arguments,
processor and versions. Neither the place of the checkout nor the times of its files count, so clones share one cache,
and an edit compiles again only what depends on it. (numba's own cache looks at the file of the function alone.)
"""

from __future__ import annotations

import os
import pickle
import re
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

ROOT = Path(__file__).parents[2]
"""Where the packages of this project stand."""

VERSIONS = f"{sys.version} numba {numba.__version__} llvmlite {llvmlite.__version__} numpy {np.__version__}"

MOST_BYTES = 256_000_000
"""Beyond this the entries used longest ago are removed; all kernels of one version of the sources take about 60 MB."""

IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)|import[ \t]+([^\n#]*))", re.MULTILINE
)
"""An import statement: the module, and what is imported from it; or the modules."""

_DIGEST = sha256().digest_size


class _Nesting(threading.local):
    """How many kernels are being compiled, or looked for, one for the other; of each thread."""

    depth = 0

    @property
    def inner(self) -> bool:
        """Whether what is compiled now is called by another kernel, and not from Python."""
        return self.depth > 1


nesting = _Nesting()

_offers: set[tuple[str, type, str]] = set()


def cache_folder() -> Path:
    """Where compiled kernels are kept: in the user's own folder for caches, or in that named by ``NUMBA_CACHE_DIR``."""
    root = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("boardsight", appauthor=False)
    return Path(root) / "kernels-by-text"


def note_offer(hook: Callable[..., Any], rules_class: type, function: Callable[..., Any]) -> None:
    """Notes that whatever calls `hook` with rules of `rules_class` depends on the module of `function`."""
    _offers.add((hook.__module__, rules_class, function.__module__))


class KernelCache(NullCache):
    """The entries of one function, one file each, in place of numba's cache."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        _text(function.__module__)  # now, as it is run, and not when it may have been edited

    @property
    def cache_path(self) -> str:
        """The folder, for numba's statistics."""
        return str(cache_folder())

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The function compiled for the types of `signature`, or None where it must be compiled."""
        context.refresh()
        path = self._path(signature, context.codegen())
        try:
            content = path.read_bytes()
            os.utime(path)  # used now: see `sweep`
        except OSError:
            return None
        digest, data = content[:_DIGEST], content[_DIGEST:]
        if sha256(data).digest() != digest:  # half written when the machine stopped
            return None
        return CompileResult._rebuild(context, *pickle.loads(data))  # type: ignore[no-untyped-call]

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keeps a compiled function; where the folder cannot be written the next process compiles it again."""
        if result.lifted or result.library.has_dynamic_globals:
            raise ValueError(f"{self._function.__qualname__} refers to memory of this process: it cannot be kept")
        data: bytes = dumps(result._reduce())  # type: ignore[no-untyped-call]
        path = self._path(signature, result.codegen)
        unfinished = path.with_name(f"{uuid.uuid4().hex}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _sweep_once(path.parent)
            unfinished.write_bytes(sha256(data).digest() + data)
            unfinished.replace(path)  # at once, for other processes that compile the same
        except OSError:
            unfinished.unlink(missing_ok=True)

    def _path(self, signature: Any, codegen: Any) -> Path:
        """The file of what the function is for these types, in these sources, on this machine."""
        function = self._function
        classes: list[type] = []
        modules = {function.__module__}
        described = [_describe(kind, classes, modules) for kind in getattr(signature, "args", signature)]
        called = {name for module in modules for name in imported(module)}
        modules |= {made.__module__ for made in classes}
        modules |= {module for hook, made, module in _offers if hook in called and made in classes}
        sources = sorted({name for module in modules for name in imported(module)})
        name = f"{function.__module__}.{function.__qualname__}"
        facts = [VERSIONS, codegen.magic_tuple(), name, nesting.inner, function.__code__.co_firstlineno, described]
        facts += [(source, digest(source)) for source in sources]
        return cache_folder() / f"{name}-{sha256(repr(facts).encode()).hexdigest()[:32]}.nbc"


def _describe(kind: Any, classes: list[type], modules: set[str]) -> str:
    """The name of a type of numba's; its named tuples are added to `classes`, its functions' modules to `modules`."""
    if isinstance(kind, types.Dispatcher):
        function = kind.dispatcher.py_func
        modules.add(function.__module__)
        return f"{function.__module__}.{function.__qualname__}"
    if isinstance(kind, types.BaseTuple):
        made = getattr(kind, "instance_class", tuple)
        classes.append(made)
        parts = ", ".join(_describe(part, classes, modules) for part in kind.types)  # type: ignore[attr-defined]
        return f"{made.__module__}.{made.__qualname__}({parts})"
    return str(kind)


def _file(module: str) -> Path | None:
    """The source of a module, or None where it is none of this project's."""
    place = ROOT.joinpath(*module.split("."))
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


@cache
def _text(module: str) -> bytes:
    path = _file(module)
    return path.read_bytes() if path else b""


@cache
def digest(module: str) -> str:
    """The hash of the text of a module of this project."""
    return sha256(_text(module)).hexdigest()


@cache
def _imports(module: str) -> frozenset[str]:
    """The modules of this project that `module` names in its import statements.

    They are found in the text: `ast.parse` fails now and then in one thread while another parses, too (CPython 106905).
    """

    def named() -> Iterator[str]:
        for package, within, plain in IMPORT.findall(_text(module).decode()):
            names = [words[0] for part in (within or plain).strip("()").split(",") if (words := part.split())]
            if package:
                yield from (name if _file(name := f"{package}.{each}") else package for each in names)
            else:
                yield from names

    return frozenset(name for name in named() if _file(name))


@cache
def imported(module: str) -> frozenset[str]:
    """`module` and all of this project that it imports, directly or not."""
    found, left = {module}, [module]
    while left:
        new = _imports(left.pop()) - found
        found |= new
        left += new
    return frozenset(found)


def sweep(folder: Path, most_bytes: int = MOST_BYTES) -> None:
    """Removes the files used longest ago while all together are larger than that."""
    files = sorted(((entry.stat(), entry.path) for entry in os.scandir(folder)), key=lambda file: file[0].st_mtime)
    excess = sum(status.st_size for status, _ in files) - most_bytes
    for status, path in files:
        if excess <= 0:
            return
        Path(path).unlink(missing_ok=True)
        excess -= status.st_size


_sweep_once = cache(sweep)
