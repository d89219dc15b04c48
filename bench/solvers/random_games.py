"""Random games by the packed rules, in one call: how fast boards can be played, and what tests play them by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, below, bit_number, mixed, popcount, rolled
from solvers.kernels.blokus import board as blokus
from solvers.kernels.blokus.board import Blokus
from solvers.kernels.blokus.moves import count_moves, list_moves, pick_move
from solvers.kernels.connect_four import rules as connect_four
from solvers.kernels.connect_four.rules import ConnectFour
from solvers.kernels.filler import rules as filler
from solvers.kernels.filler.deals import CLASSES, deal_board
from solvers.kernels.filler.rules import Filler
from solvers.kernels.jit import jit
from solvers.kernels.quoridor import board as quoridor
from solvers.kernels.quoridor.board import Board
from solvers.kernels.quoridor.moves import legal_steps, legal_walls, move_pawn, put_wall


@jit(arrays=True)
def _drop(rules: ConnectFour, own: np.uint64, every: np.uint64, column: int) -> tuple[np.uint64, np.uint64, int]:
    """The position after a disc fell into `column`, for the other side, and how it ended: 1 won, 2 drawn, 3 illegal."""
    high = np.uint64(rules.rows + 1)
    foot = ONE << (np.uint64(column) * high)
    grown = every | (every + foot)
    if grown & ~rules.board:
        return own, every, 3
    stones = own | (grown ^ every)
    if connect_four.has_row(rules, stones):
        return own ^ every, grown, 1
    return own ^ every, grown, 2 if grown == rules.board else 0


@jit(arrays=True)
def connect_four_games(rules: ConnectFour, boards: NDArray[np.uint64], plies: int, seed: int) -> int:
    """Plays `plies` uniformly random legal moves on every board, and returns how many games ended."""
    games = 0
    high = np.uint64(rules.rows + 1)
    top = rules.bottom << np.uint64(rules.rows - 1)
    for at in range(boards.shape[0]):
        own, every = boards[at, connect_four.OWN], boards[at, connect_four.ALL]
        dice = np.uint64(seed) + np.uint64(at) * np.uint64(0x9E3779B97F4A7C15)
        word, left = ZERO, 0
        for _ in range(plies):
            while True:  # a full column is drawn again, so that the others stay equally likely
                if left == 0:
                    dice += np.uint64(0x9E3779B97F4A7C15)
                    word, left = mixed(dice), 4
                column = ((word & np.uint64(0xFFFF)) * np.uint64(rules.cols)) >> np.uint64(16)
                word >>= np.uint64(16)
                left -= 1
                if not (every & top) >> (column * high) & (ONE << np.uint64(rules.rows - 1)):
                    break
            own, every, how = _drop(rules, own, every, np.int64(column))
            if how:
                own, every = ZERO, ZERO
                games += 1
        boards[at, connect_four.OWN], boards[at, connect_four.ALL] = own, every
    return games


@jit(arrays=True)
def _bytes(bits: np.uint64) -> np.uint64:
    """Eight bytes of 0 or 1, one for each of the low eight bits: the lowest bit in the lowest byte."""
    spread = ((bits & np.uint64(255)) * np.uint64(0x0101010101010101)) & np.uint64(0x8040201008040201)
    return ((spread + np.uint64(0x7F7F7F7F7F7F7F7F)) >> np.uint64(7)) & np.uint64(0x0101010101010101)


@jit(arrays=True)
def observe_board(rules: Filler, board: NDArray[np.uint64], planes: NDArray[np.uint64]) -> None:
    """Writes one board's planes eight cells at a time, from its colours as numbers of four bits."""
    own, rival, status = board[filler.OWN], board[filler.RIVAL], board[filler.STATUS]
    ones = twos = fours = eights = ZERO
    neutral = ~(own | rival)
    mine, theirs = np.int64(status & np.uint64(255)), np.int64((status >> np.uint64(8)) & np.uint64(255))
    for colour in range(rules.colours):
        cells = board[CLASSES + colour] & neutral
        if colour == mine:
            cells |= own
        if colour == theirs:
            cells |= rival
        ones |= cells if colour & 1 else ZERO
        twos |= cells if colour & 2 else ZERO
        fours |= cells if colour & 4 else ZERO
        eights |= cells if colour & 8 else ZERO
    for at in range(planes.shape[1]):
        shift = np.uint64(8 * at)
        low = _bytes(ones >> shift) | (_bytes(twos >> shift) << ONE)
        high = (_bytes(fours >> shift) << np.uint64(2)) | (_bytes(eights >> shift) << np.uint64(3))
        planes[0, at] = low | high
        planes[1, at] = _bytes(own >> shift) | (_bytes(rival >> shift) * np.uint64(255))


def planes_for(rules: Filler, boards: int) -> tuple[NDArray[np.uint64], NDArray[np.int8]]:
    """Room for `observe` to write to, and the same memory as ``int8[boards, 2, rows, cols]`` to read."""
    cells = int(rules.board).bit_count()
    words = np.zeros((boards, 2, -(-cells // 8)), np.uint64)
    return words, words.view(np.int8)[:, :, :cells].reshape(boards, 2, -1, rules.cols, copy=False)


@jit(arrays=True)
def observe(rules: Filler, boards: NDArray[np.uint64], planes: NDArray[np.uint64]) -> None:
    """Into the words of `planes_for`: all colours, and all owners (1 the side to move, -1 its rival, 0 nobody)."""
    for at in range(boards.shape[0]):
        observe_board(rules, boards[at], planes[at])


@jit(arrays=True)
def _play_board(rules: Filler, board: NDArray[np.uint64], colour: int) -> int:
    """Plays a colour; returns 0 while the game goes on, 1 where it ended, 2 where the colour is barred."""
    status = board[filler.STATUS]
    own, rival = board[filler.OWN], board[filler.RIVAL]
    theirs = (status >> np.uint64(8)) & np.uint64(255)
    if np.uint64(colour) == theirs or np.uint64(colour) == status & np.uint64(255):
        return 2
    grown = own | filler.flood(rules, own, board[CLASSES + colour] & ~rival)
    idle = ZERO if grown != own else ((status >> np.uint64(16)) & np.uint64(15)) + ONE
    board[filler.OWN], board[filler.RIVAL] = rival, grown
    board[filler.STATUS] = theirs | (np.uint64(colour) << np.uint64(8)) | (idle << np.uint64(16))
    return 1 if grown | rival == rules.board or idle >= np.uint64(rules.idle_limit) else 0


@jit(arrays=True)
def filler_games(rules: Filler, boards: NDArray[np.uint64], planes: NDArray[np.uint64], plies: int, seed: int) -> int:
    """Plays `plies` random colours on every board, each observed; returns how many games ended."""
    games = 0
    for at in range(boards.shape[0]):
        board = boards[at]
        dice = mixed(np.uint64(seed) + np.uint64(at) * np.uint64(0x9E3779B97F4A7C15))
        word, left = ZERO, 0
        for _ in range(plies):
            if left == 0:
                dice += np.uint64(0x9E3779B97F4A7C15)
                word, left = mixed(dice), 4
            # One of the colours that are not barred: skip over the two that are, the lower one first.
            mine = np.int64(board[filler.STATUS] & np.uint64(255))
            theirs = np.int64((board[filler.STATUS] >> np.uint64(8)) & np.uint64(255))
            colour = np.int64(((word & np.uint64(0xFFFF)) * np.uint64(rules.colours - 2)) >> np.uint64(16))
            colour += colour >= min(mine, theirs)
            colour += colour >= max(mine, theirs)
            word >>= np.uint64(16)
            left -= 1
            if _play_board(rules, board, colour):
                dice = deal_board(rules, False, board, dice)
                games += 1
            observe_board(rules, board, planes[at])
    return games


@jit(arrays=True)
def _legal_words(board: Board, boards: NDArray[np.uint64], at: int) -> tuple[np.uint64, ...]:
    """The legal moves as words: steps (low, high), walls "h" (low, high), walls "v" (low, high)."""
    low, high = legal_steps(board, boards, at)
    status = boards[at, quoridor.STATUS]
    if quoridor.left_of(status, quoridor.side_of(status)) == 0:
        return low, high, ZERO, ZERO, ZERO, ZERO
    walls = legal_walls(board, boards, at)
    return low, high, walls[0], walls[1], walls[2], walls[3]


@jit
def quoridor_games(board: Board, boards: NDArray[np.uint64], start: NDArray[np.uint64], plies: int, seed: int) -> int:
    """Plays `plies` uniformly random legal moves on every board; returns how many games ended and began anew.

    start: uint64[1, WORDS]. Hashes and the paths of players who can meet no more walls are not kept up to date.
    """
    games = 0
    for at in range(boards.shape[0]):
        dice = mixed(np.uint64(seed) + np.uint64(at) * np.uint64(0x9E3779B97F4A7C15))
        for _ in range(plies):
            words = _legal_words(board, boards, at)
            count = np.int64(0)
            for part in words:
                count += popcount(part)
            dice = rolled(dice)
            pick = below(dice, count)
            place = np.int64(0)
            for part in words:
                among = popcount(part)
                if pick < among:
                    place += bit_number(part, pick)
                    break
                pick -= among
                place += 64
            status = boards[at, quoridor.STATUS]
            side = quoridor.side_of(status)
            if place >= quoridor.H:
                put_wall(board, boards, at, place % quoridor.CELLS, place >= quoridor.V)
            elif quoridor.left_of(status, 0) + quoridor.left_of(status, 1):
                move_pawn(board, boards, at, place)
            else:
                shift = np.uint64(8 * side)
                boards[at, quoridor.STATUS] = (status & ~(np.uint64(0xFF) << shift)) | (np.uint64(place) << shift)
            if place < quoridor.H and quoridor.has(board.goals[side, 0], board.goals[side, 1], place):
                games += 1
                for word in range(quoridor.WORDS):
                    boards[at, word] = start[0, word]
            else:
                boards[at, quoridor.STATUS] ^= quoridor.SIDE
    return games


@jit
def blokus_games(
    rules: Blokus,
    positions: NDArray[np.uint64],
    found: NDArray[np.uint64],
    moves: NDArray[np.int32],
    games: int,
    seed: int,
    listing: bool,
) -> tuple[int, int, np.uint64]:
    """Plays `games` games of uniformly random placements in row 0, with all of them found before each is made.

    listing: whether the placements are listed, or only counted and the one drawn found again.
    Returns how many placements were made, how many were found, and a hash of the final positions.
    """
    dice = mixed(np.uint64(seed) + ONE)
    made, seen, final = np.int64(0), np.int64(0), ZERO
    for _ in range(games):
        blokus.set_up(rules, positions, 0)
        while not blokus.is_over(rules, positions, 0):
            if blokus.is_done(rules, positions, 0, blokus.colour_of(rules, positions, 0)):
                blokus.pass_on(rules, positions, 0)
                continue
            if listing:
                count = list_moves(rules, positions, 0, moves)
            else:
                count, _ = count_moves(rules, positions, 0, found)
            if count == 0:
                blokus.pass_on(rules, positions, 0)
                continue
            dice = rolled(dice)
            number = below(dice, count)
            move = np.int64(moves[0, number]) if listing else pick_move(rules, positions, 0, found, number)
            blokus.put(rules, positions, 0, move)
            made += 1
            seen += count
        final = mixed(final ^ positions[0, rules.status + 1])
    return made, seen, final


@jit
def blokus_perft(rules: Blokus, positions: NDArray[np.uint64], moves: NDArray[np.int32], ply: int, depth: int) -> int:
    """How many sequences of `depth` placements follow row `ply`; colours that cannot place are skipped."""
    while blokus.is_done(rules, positions, ply, blokus.colour_of(rules, positions, ply)):
        if blokus.is_over(rules, positions, ply):
            return 0
        blokus.pass_on(rules, positions, ply)
    count = list_moves(rules, positions, ply, moves)
    if count == 0:
        blokus.pass_on(rules, positions, ply)
        return np.int64(blokus_perft(rules, positions, moves, ply, depth))
    if depth == 1:
        return np.int64(count)
    total = np.int64(0)
    for at in range(count):
        blokus.copy_down(rules, positions, ply)
        blokus.put(rules, positions, ply + 1, np.int64(moves[ply, at]))
        total += blokus_perft(rules, positions, moves, ply + 1, depth - 1)
    return total
