"""Blokus with what guides a tree search through it: what it is tuned by, its network, and what it notes on the way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import mixed
from solvers.kernels.blokus.board import HALF, Blokus
from solvers.kernels.blokus.value import Net, Workspace, workspace_of
from solvers.kernels.blokus.ways import FORMS
from solvers.kernels.blokus.windows import SHAPE
from solvers.kernels.jit import jit
from solvers.kernels.mcts import SEED, Tree


class SearchParameters(NamedTuple):
    """What a search may be tuned by, beside the exploration of PUCT.

    temperature: of the priors, in the unit of `solvers.kernels.blokus.glance`.  rave: visits RAVE counts for at most.
    squares, opened, covered, near, lost, liberties, middle: worth of a square, of a corner opened, of another's corner
    covered, of a cell beside one, of an own corner lost, of a free cell beside a corner opened; of a first piece's way
    to the board's middle.
    large: of 256 placements in a playout so many are drawn from those of the largest size that fits; covering: and so
    many from those that cover a corner of another side, where there are any.
    margin: the part of a result that the margin decides.  scale: squares that move it from a half to 0.73.
    fpu: how much less than its siblings' mean an untried child is taken to be worth.
    besides: children a node has at most, the root excepted: the best at a glance.
    heat: with a network, the temperature of the priors, in the unit of its odds.  trust: visits its answer counts for.
    playout: how much a playout from a leaf counts for beside the network's answer once `middle_game` pieces of each two
    colours lie; none before `opening`, and in proportion between them.
    """

    temperature: float
    rave: float
    squares: float
    opened: float
    covered: float
    near: float
    lost: float
    liberties: float
    middle: float
    large: float
    covering: float
    margin: float
    scale: float
    fpu: float
    besides: float
    heat: float
    trust: float
    playout: float
    opening: float
    middle_game: float


class GuidedBlokus(NamedTuple):
    """The rules of one board with what a tree of `solvers.kernels.mcts` needs to know and note beside its own arrays.

    board: the packed rules.  net: of no rows where there is none.  workspace: its room.
    rave_visits, rave_won: float32[nodes], results of the seat that moved to a node in games in which its placement was
    made later.  guesses: float32[nodes], the network's, of the result of the seat that moved here.
    colours: int8[nodes], the colour that moves next.
    stamps: int32[colours, moves], in which walk a placement was made, times 128, plus when.
    worths: float32[width], of the placements that are listed.  found: uint64[256, 5], what is found at each corner.
    windows: uint64[windows.SHAPE], see `solvers.kernels.blokus.windows`.
    results: float64[8], those of the seats, from 0 to 1, then their points.
    """

    board: Blokus
    parameters: SearchParameters
    net: Net
    workspace: Workspace
    rave_visits: NDArray[np.float32]
    rave_won: NDArray[np.float32]
    guesses: NDArray[np.float32]
    colours: NDArray[np.int8]
    stamps: NDArray[np.int32]
    worths: NDArray[np.float32]
    found: NDArray[np.uint64]
    windows: NDArray[np.uint64]
    results: NDArray[np.float64]


def guided(board: Blokus, parameters: SearchParameters, net: Net, *, nodes: int, width: int) -> GuidedBlokus:
    """What guides a search of `board` by a tree of at most `nodes` nodes of at most `width` children."""
    return GuidedBlokus(
        board=board,
        parameters=parameters,
        net=net,
        workspace=workspace_of(*((board.side, board.colours) if len(net.rows) else (1, 2)), net.rows.shape[1]),
        rave_visits=np.zeros(nodes, np.float32),
        rave_won=np.zeros(nodes, np.float32),
        guesses=np.zeros(nodes, np.float32),
        colours=np.zeros(nodes, np.int8),
        stamps=np.zeros((board.colours, len(FORMS) * board.cells), np.int32),
        worths=np.zeros(width, np.float32),
        found=np.zeros((256, 5), np.uint64),
        windows=np.zeros(SHAPE, np.uint64),
        results=np.zeros(8),
    )


@jit
def has_net(rules: GuidedBlokus) -> bool:
    """Whether a network judges."""
    return rules.net.rows.shape[0] > 0


@jit
def roll_dice(tree: Tree) -> np.uint64:
    """32 random bits."""
    tree.control[SEED] += 1
    return mixed(np.uint64(tree.control[SEED])) >> HALF
