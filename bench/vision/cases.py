"""Which special cases of the eye some picture needs: each is taken out, and put back when a picture is lost without it.

usage: python -m bench.vision.cases --drawn FOLDER [--count N] [--empties N] [--seed S] [--real FOLDER...]
                                    [--under PART] [--share S]

A special case is a condition in the source of `calibration`: the test of an ``if`` or of a conditional expression, a
term of an ``and``, ``or``, ``&`` or ``|``, the filter of a comprehension.  Taken out, it is as if its test never held,
its term were not there; an ``else`` is taken out, too.  All are compiled in at once and switched while it runs.

First it is counted in how many pictures each case makes a difference to its condition; those with more than a share S
of them are not doubted.  Then the pictures are looked at one by one, drawn ones (kept in FOLDER, N a game) before those
of the other folders, each with all cases out that no picture before needed.  One that is told worse than with all of
them in, or takes twice as long, is asked for the first case, from the one with most lines to the one with fewest,
without which it is lost; that one is put back for good, until the picture is right.  What is left at the end is needed
by no picture: all of it together can be deleted.  A case that only pictures of other folders need is not drawn.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import cv2
import numpy as np

ROOM = "calibration"
"""The package whose special cases are looked at."""

SLOWER, SECONDS = 2.0, 0.3
"""How many times its CPU time a picture may take without a case, and how many seconds more."""

HOOK = "__case__"
"""What the compiled sources call with the number and the value of each condition."""


@dataclass(slots=True)
class Case:
    """A condition of the source that can be taken out.

    lines: how many lines are run where it holds.  neutral: what it gives when it is out.  truths: whether it is a side
    of an ``&`` or ``|``, which mean something else between numbers and sets.
    taken: the number of pictures in which it makes a difference.  needed: those that were lost without it.
    """

    place: str
    text: str
    lines: int
    neutral: bool
    truths: bool = False
    taken: int = 0
    needed: str = ""


class Switchboard:
    """All the cases, which of them are out, and which have made a difference since `taken` was emptied."""

    def __init__(self) -> None:
        """No case yet: they come in as sources are compiled."""
        self.cases: list[Case] = []
        self.out: frozenset[int] = frozenset()
        self.taken: set[int] = set()

    def __call__(self, number: int, value: Any) -> Any:
        """The value of a condition, or what stands for it while its case is out."""
        neutral, several = self.cases[number].neutral, isinstance(value, np.ndarray)
        if several and value.dtype != np.bool_:
            return value
        if self.cases[number].truths and not isinstance(value, bool | np.bool_ | np.ndarray):
            return value
        if number not in self.taken and (bool((value != neutral).any()) if several else bool(value) != neutral):
            self.taken.add(number)
        if number in self.out:
            return np.full(value.shape, neutral) if several else neutral
        return value


class CaseFinder(ast.NodeTransformer):
    """Puts each condition of a source into a call of the hook, and tells the cases."""

    def __init__(self, cases: list[Case], source: str, path: str) -> None:
        """Cases are added to `cases`; path: of the file that `source` stands in."""
        self.cases, self.source, self.path = cases, source, path

    def hooked(self, test: ast.expr, neutral: bool, *, body: Sequence[ast.stmt] = (), truths: bool = False) -> ast.expr:
        """A test that asks the switchboard; body: what is run where it is not `neutral`."""
        words = " ".join((ast.get_source_segment(self.source, test) or "").split())
        lines = 1 + (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 1
        self.cases.append(Case(f"{self.path}:{test.lineno}", words, lines, neutral, truths))
        call = ast.Call(ast.Name(HOOK, ast.Load()), [ast.Constant(len(self.cases) - 1), test], [])
        return ast.fix_missing_locations(ast.copy_location(call, test))

    def visit(self, node: ast.AST) -> Any:
        """The node with all conditions in it hooked; what is annotated as ``A | B`` is none."""
        if isinstance(node, ast.arguments):
            return node
        if isinstance(node, ast.FunctionDef):
            node.body = [self.visit(each) for each in node.body]
            return node
        if isinstance(node, ast.AnnAssign):
            node.value = node.value and self.visit(node.value)
            return node
        node = self.generic_visit(node)
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                node.test = self.hooked(test, False, body=body)
                if orelse:
                    node.test = self.hooked(node.test, True, body=orelse)
            case ast.IfExp(test=test):
                node.test = self.hooked(self.hooked(test, False), True)
            case ast.BoolOp(op=op, values=values):
                node.values = [self.hooked(term, isinstance(op, ast.And)) for term in values]
            case ast.BinOp(op=ast.BitAnd() | ast.BitOr() as op, left=left, right=right):
                every = isinstance(op, ast.BitAnd)
                node.left, node.right = (self.hooked(side, every, truths=True) for side in (left, right))
            case ast.AugAssign(op=ast.BitAnd() | ast.BitOr() as op, value=value):
                node.value = self.hooked(value, isinstance(op, ast.BitAnd), truths=True)
            case ast.comprehension(ifs=ifs):
                node.ifs = [self.hooked(test, True) for test in ifs]
        return node


class CaseLoader(SourceFileLoader):
    """Compiles a module with its conditions hooked."""

    board: Switchboard
    under: str

    def get_code(self, fullname: str) -> CodeType:
        """The code of the source as it is, never of what was compiled before."""
        source = Path(self.path).read_text(encoding="utf-8")
        tree = ast.parse(source)
        if f"/{self.under}" in self.path:
            short = self.path[self.path.rindex(f"/{ROOM}/") + 1 :]
            tree = CaseFinder(self.board.cases, source, short).visit(tree)
        return compile(tree, self.path, "exec")


class CaseImporter:
    """Finds the modules of the room, to be compiled with their conditions hooked."""

    def __init__(self, board: Switchboard, under: str) -> None:
        """under: the part of the path that a file must have."""
        self.board, self.under = board, under

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """How a module of the room is loaded; None for all others."""
        spec = PathFinder.find_spec(name, path) if name.startswith(ROOM) else None
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        loader = CaseLoader(spec.loader.name, spec.loader.path)
        loader.board, loader.under = self.board, self.under
        spec.loader, spec.cached = loader, None
        return spec


def installed(under: str = ROOM) -> Switchboard:
    """The switchboard of all modules of the room that are imported from now on."""
    board = Switchboard()
    setattr(builtins, HOOK, board)
    sys.meta_path.insert(0, CaseImporter(board, under))
    return board


class TooSlowError(Exception):
    """A picture took longer than it may."""


def _too_slow(*_: object) -> None:
    raise TooSlowError


def within(seconds: float, work: Callable[[], int]) -> int:
    """What `work` gives, -1 where it breaks or takes more CPU time."""
    before = signal.signal(signal.SIGVTALRM, _too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return work()
    except Exception:
        return -1
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@dataclass(frozen=True, slots=True)
class Sight:
    """One picture with all cases in: how well it is told, in how many CPU seconds, and the cases taken."""

    stage: int
    seconds: float
    taken: frozenset[int]


def sight(board: Switchboard, work: Callable[[], int]) -> Sight:
    """What `work`, which tells how well a picture is told, does with all cases in."""
    board.out, board.taken = frozenset(), set()
    began = time.process_time()
    stage = work()
    return Sight(stage, time.process_time() - began, frozenset(board.taken))


def put_back(board: Switchboard, work: Callable[[], int], seen: Sight, out: list[int]) -> Iterator[int]:
    """The cases of `out` that a picture needs, found one after the other and taken from the list."""
    seconds = SLOWER * seen.seconds + SECONDS

    def right(less: Sequence[int]) -> bool:
        board.out = frozenset(less)
        return within(seconds, work) >= seen.stage

    while not right(out):
        met = [number for number in out if number in seen.taken]
        less = met if not right(met) else out
        fewest, most = 0, len(less)  # right with the first `fewest` out, wrong with the first `most`
        while most - fewest > 1:
            middle = (fewest + most) // 2
            fewest, most = (middle, most) if right(less[:middle]) else (fewest, middle)
        out.remove(less[most - 1])
        yield less[most - 1]


def main() -> None:
    """Draws what is not yet drawn, looks at all pictures, and prints the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drawn", type=Path, required=True, help="where drawn pictures are kept")
    parser.add_argument("--count", type=int, default=20, help="drawn pictures of each game")
    parser.add_argument("--empties", type=int, default=40, help="drawn pictures without a board")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--real", type=Path, nargs="*", default=[], help="folders of screenshots with their truth")
    parser.add_argument("--under", default=ROOM, help="the part of the sources whose cases are looked at")
    parser.add_argument("--share", type=float, default=0.1, help="of the pictures, that a case is taken in at most")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    board = installed(options.under)
    from bench.vision.trials import keep_drawn, trials  # only now: it imports what is hooked

    keep_drawn(options.drawn, options.count, options.empties, options.seed)
    folders = (options.drawn, *options.real)
    sights = {}
    for name, work in (trial for folder in folders for trial in trials(folder)):
        sights[name] = sight(board, work)
        for number in sights[name].taken:
            board.cases[number].taken += 1
    most = options.share * len(sights)
    out = [number for number, case in enumerate(board.cases) if case.taken <= most]
    out.sort(key=lambda number: -board.cases[number].lines)
    print(f"{len(board.cases)} cases, {len(out)} of them taken in {most:.0f} of {len(sights)} pictures or fewer")
    for name, work in (trial for folder in folders for trial in trials(folder)):
        if sights[name].taken.isdisjoint(out):
            continue
        for number in put_back(board, work, sights[name], out):
            case = board.cases[number]
            case.needed = name
            print(f"{case.place}: {name} needs: {case.text}", flush=True)
    print(f"\n{len(out)} of {len(board.cases)} cases are needed by no picture")
    for number in out:
        case = board.cases[number]
        print(f"{case.place}: {case.lines} lines, taken in {case.taken}: {case.text}")


if __name__ == "__main__":
    main()
