"""Recorded games, replayed through the rules: what was seen, legal, played and won.

A playthrough is a text a person can follow: a heading with the game, its options and its start, then what the
rules say of each position and the move that was made.  To record one, write the heading and the ``play:`` lines
and let this file fill in the rest::

    python tests/games/test_playthroughs.py fixtures/playthroughs/flood_it-walls.txt

Read what it wrote: from then on it is the test.
"""

import sys
from pathlib import Path

import pytest

from games import find_game
from games.core import BLOCKED, Options
from games.flood import DIGITS

FOLDER = Path(__file__).parents[2] / "fixtures" / "playthroughs"
SHOWN = 12
"""Legal moves that are written out; where there are more, their number and the first of them are."""


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_recorded_game_goes_as_it_went(path):
    text = path.read_text()
    assert transcript(text).splitlines() == text.splitlines()


def test_moves_may_stand_right_under_the_heading():
    written = transcript("game: mnk\noptions:\nstart:\nplay: b2\n")
    assert written.count("play:") == 1
    assert transcript(written) == written


def transcript(text):
    """The playthrough that `text`'s heading and its ``play:`` lines give."""
    heading = text.split("\n\n")[0].split("\nplay: ")[0]
    fields = dict(line.split(":", 1) for line in heading.splitlines() if not line.startswith("#"))
    moves = [line.removeprefix("play: ") for line in text.splitlines() if line.startswith("play: ")]
    game = find_game(fields["game"].strip())
    state = game.parse(fields["start"].strip(), parse_options(fields.get("options", "")))
    blocks = [heading]
    for move in moves:
        blocks.append(f"{describe(game, state)}\nplay: {move}")
        state = state.play(game.parse_move(move, state))
    return "\n\n".join([*blocks, describe(game, state)]) + "\n"


def parse_options(text):
    pairs = [pair.split("=") for pair in text.split()]
    return Options(**{key: int(value) if value.isdecimal() else value for key, value in pairs})


def describe(game, state):
    """What a person sees, who is to move and what may be played, or how the game ended."""
    board = "\n".join("    " + " ".join(map(letter, row)) for row in game.show(state).grid.tolist())
    outcome = state.outcome()
    if outcome is not None:
        winner = "nobody" if outcome.winner is None else f"seat {outcome.winner + 1}"
        scores = " ".join(f"{score:g}" for score in outcome.scores)
        return f"{board}\nover: {outcome.reason}\nwinner: {winner}\nscores: {scores}"
    texts = [game.format_move(move, state) for move in state.legal_moves()]
    legal = texts if len(texts) <= SHOWN else [f"{len(texts)} moves:", *texts[:SHOWN], "..."]
    return f"{board}\nseat: {state.player + 1}\nlegal: {' '.join(legal)}"


def letter(kind):
    return "." if kind == BLOCKED else DIGITS[kind]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(transcript(Path(name).read_text()))
