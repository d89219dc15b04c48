"""The pages of the games for two: their rules against counts and against games/, their seats, their hands."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import games
from bot.pointers.browser import BrowserPointer
from bot.screens.browser import BrowserScreen
from calibration.frame import Spot
from games.core import Options

pytestmark = pytest.mark.browser

SKINS = {
    "filler": ["rounded", "gaps", "borders", "plain", "gradient", "dark", "pastel", "discs"],
    "connect_four": ["classic", "dark", "flat", "lines", "pastel", "marks"],
    "quoridor": ["wood", "blue", "dark", "paper", "pastel", "night"],
    "blokus": ["classic", "gaps", "dark", "stone", "gradient", "pastel"],
}

PERFT = [
    ("quoridor", "rules.begin(9, 10)", [131, 16677]),
    ("quoridor", "rules.begin(5, 3)", [35, 1109]),
    ("quoridor", "rules.begin(3, 1)", [11, 77, 316, 1172, 3452]),
    ("blokus", "rules.begin(5, rules.STARTS.corners(5))", [58, 3294]),
    ("blokus", "rules.begin(10, rules.STARTS.corners(10))", [58, 3364]),
    ("blokus", "rules.begin(14, rules.STARTS.duo())", [414]),
    ("connect_four", "rules.begin(6, 7, 4)", [7, 49, 343, 2401, 16807]),
]
"""Move sequences by length: Quoridor's and Blokus's as several independent engines count them."""

COUNT = """async (depths) => {{
  const rules = await import("./rules/{game}.js");
  const count = (state, depth) => {{
    const moves = rules.legal(state);
    return depth === 1 ? moves.length : moves.reduce((sum, move) => sum + count(rules.play(state, move), depth - 1), 0);
  }};
  const start = {begin};
  return Array.from({{ length: depths }}, (_, depth) => count(start, depth + 1));
}}"""

PLAN = """async (points) => {
  const rules = await import("./rules/blokus.js");
  const [top, left] = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis])));
  const wanted = String(points.map(([row, col]) => [row - top, col - left]).sort(([a, b], [c, d]) => a - c || b - d));
  for (const [piece, cells] of Object.entries(rules.PIECES)) {
    for (const flips of [0, 1]) {
      let shape = flips ? rules.flipped(cells) : cells;
      for (let turns = 0; turns < 4; turns++, shape = rules.rotated(shape)) {
        if (String(shape) !== wanted) continue;
        const [row, col] = rules.holdOf(shape);
        return { piece, flips, turns, hold: [row + top, col + left] };
      }
    }
  }
}"""
"""How to take a placement in hand: the piece, flips, turns to the right, and where the hand goes then."""


def referee(screen: BrowserScreen) -> dict[str, Any]:
    return dict(screen.page.evaluate("({...boardsightReferee})"))


def tap(screen: BrowserScreen, press: str) -> None:
    box = screen.page.locator(f'[data-press="{press}"] >> nth=0').bounding_box()
    assert box is not None
    BrowserPointer(screen).tap(Spot(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))


def square(text: str, size: int) -> tuple[int, int]:
    return size - int(text[1:]), "abcdefghijklmnopqrst".index(text[0])


def make_filler_move(screen: BrowserScreen, told: dict[str, Any], move: str) -> None:
    tap(screen, f"colour:{move}")


def make_connect_four_move(screen: BrowserScreen, told: dict[str, Any], move: str) -> None:
    tap(screen, f"cell:0,{int(move) - 1}")


def make_quoridor_move(screen: BrowserScreen, told: dict[str, Any], move: str) -> None:
    size = 5
    if move[-1] in "hv":
        row, col = square(move[:-1], size)
        tap(screen, f"wall:{move[-1]},{row - 1},{col}")
    else:
        row, col = square(move, size)
        tap(screen, f"cell:{row},{col}")


def make_blokus_move(screen: BrowserScreen, told: dict[str, Any], move: str) -> None:
    plan = screen.page.evaluate(PLAN, [square(point, len(told["grid"])) for point in move.split(",")])
    tap(screen, f"piece:{told['player'] + 1},{plan['piece']}")
    pointer = BrowserPointer(screen)
    for key in "f" * plan["flips"] + "r" * plan["turns"]:
        pointer.press(key)
    tap(screen, f"cell:{plan['hold'][0]},{plan['hold'][1]}")


MAKE = {
    "filler": (make_filler_move, {"rows": 5, "cols": 6}),
    "connect_four": (make_connect_four_move, {}),
    "quoridor": (make_quoridor_move, {"size": 5, "walls": 3}),
    "blokus": (make_blokus_move, {"variant": "corners", "size": 5}),
}


def play_out(screen: BrowserScreen, game: str, rng: np.random.Generator = np.random.default_rng(0)) -> dict[str, Any]:
    """Play random legal moves with clicks wherever a person is to move, to the end of the game."""
    make, _ = MAKE[game]
    while not (told := referee(screen))["over"]:
        if told["seats"][told["player"]] == "person":
            make(screen, told, str(rng.choice(told["legal"])))
    return told


@pytest.mark.parametrize(("game", "begin", "counts"), PERFT)
def test_the_rules_of_the_page_count_as_many_moves_as_the_game_has(
    show: Callable[..., BrowserScreen], game: str, begin: str, counts: list[int]
) -> None:
    screen = show("index")
    assert screen.page.evaluate(COUNT.format(game=game, begin=begin), len(counts)) == counts


@pytest.mark.parametrize("seats", [("person", "random"), ("random", "person"), ("person", "person")])
@pytest.mark.parametrize("game", MAKE)
def test_clicks_play_a_game_to_its_end_from_either_seat(
    show: Callable[..., BrowserScreen], game: str, seats: tuple[str, str]
) -> None:
    screen = show(game, seed=5, first=seats[0], second=seats[1], **MAKE[game][1])
    told = play_out(screen, game, np.random.default_rng(len(seats[0])))
    effects = [click["effect"] for click in told["clicks"]]
    by_hand = sum(seats[index % 2] == "person" for index in range(len(told["moves"]))) if game != "blokus" else None
    assert set(effects) <= {"move", "picked", "turned"}
    assert by_hand is None or effects.count("move") == by_hand
    assert screen.page.locator("body").get_attribute("data-state") in ("won", "lost")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"corners": "sides"},
        {"deal": "uniform", "rows": 4, "cols": 5, "colours": 4},
        {"paint": "owner", "rows": 5, "cols": 5, "seed": 3},
    ],
)
def test_filler_games_on_the_page_follow_the_rules(
    show: Callable[..., BrowserScreen], settings: dict[str, object]
) -> None:
    game = games.find_game("filler")
    kept = settings.get("paint") == "owner"
    screen = show("filler", first="random", pause=60000, **{"seed": 21, **settings})
    start = referee(screen)
    assert start["moves"] == []
    variant = {"colours": start["colours"] + 2, "variant": "kept"} if kept else {"colours": start["colours"]}
    state = game.parse(start["position"], Options(**variant))
    screen.page.goto(screen.page.url.replace("pause=60000", "pause=0"))
    told = play_out(screen, "filler")
    for text in filter("-".__ne__, told["moves"]):
        state = state.play(game.parse_move(text, state))
    assert game.format(state).split()[0] == told["position"].split()[0]
    assert game.format(state) == told["position"] or kept  # where nobody can move any more, it is nobody's turn
    assert (state.outcome().scores, state.outcome().winner) == (tuple(told["scores"]), told["winner"])


@pytest.mark.parametrize("settings", [{}, {"rows": 4, "cols": 5, "length": 3}])
def test_connect_four_games_on_the_page_follow_the_rules(
    show: Callable[..., BrowserScreen], settings: dict[str, int]
) -> None:
    from games.connect_four import ConnectFour

    for seed in range(4):
        told = play_out(show("connect_four", seed=seed, first="random", **settings), "connect_four")
        rows, cols = settings.get("rows", 6), settings.get("cols", 7)
        state = ConnectFour(((0,) * cols,) * rows, length=settings.get("length", 4))
        for text in told["moves"]:
            assert state.outcome() is None
            state = state.play(int(text) - 1)
        assert [list(row) for row in state.grid] == told["grid"]
        assert state.outcome().winner == told["winner"]


@pytest.mark.parametrize("game", MAKE)
def test_a_greedy_player_beats_a_random_one(show: Callable[..., BrowserScreen], game: str) -> None:
    won = [0, 0]
    for seed in range(2):
        for seats in [("greedy", "random"), ("random", "greedy")]:
            told = play_out(show(game, seed=seed, first=seats[0], second=seats[1], **MAKE[game][1]), game)
            if told["winner"] is not None:
                won[seats[told["winner"]] == "greedy"] += 1
    assert won[True] > won[False]


def test_an_illegal_wish_changes_nothing_and_is_logged(show: Callable[..., BrowserScreen]) -> None:
    screen = show("quoridor", second="person")
    tap(screen, "cell:4,4")
    tap(screen, "wall:h,3,3")
    tap(screen, "wall:v,3,3")
    told = referee(screen)
    assert [click["effect"] for click in told["clicks"]] == ["illegal", "move", "illegal"]
    assert told["moves"] == ["d5h"]


def test_a_piece_is_dragged_from_the_tray_to_the_board(show: Callable[..., BrowserScreen]) -> None:
    screen = show("blokus", second="person")
    tray = screen.page.locator('[data-press="piece:1,X"]').bounding_box()
    cell = screen.page.locator('[data-press="cell:4,4"]').bounding_box()
    assert tray is not None
    assert cell is not None
    BrowserPointer(screen).drag(Spot(tray["x"] + 20, tray["y"] + 20), Spot(cell["x"] + 9, cell["y"] + 9))
    assert referee(screen)["moves"] == ["e9,d10,e10,f10,e11"]


def test_a_new_game_begins_again_with_the_next_seed(show: Callable[..., BrowserScreen]) -> None:
    screen = show("connect_four", seed=1, pause=60000)
    tap(screen, "cell:0,3")
    tap(screen, "new")
    told = referee(screen)
    assert (told["moves"], told["seed"], told["player"]) == ([], 2, 0)


@pytest.mark.parametrize("game", SKINS)
def test_every_skin_fits_the_window_and_looks_its_own_way(show: Callable[..., BrowserScreen], game: str) -> None:
    over = "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
    looks = set()
    for skin in SKINS[game]:
        screen = show(game, skin=skin)
        assert max(screen.page.evaluate(over)) <= 0
        looks.add(screen.grab().pixels.tobytes())
    assert len(looks) == len(SKINS[game])
    for window in [(1920, 1080), (390, 844)]:
        assert max(show(game, window=window).page.evaluate(over)) <= 0, window
