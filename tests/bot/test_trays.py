"""Which tray a piece is taken from, where several are shown."""

from bot.play.trays import Trays
from games.core import Tap

U = Tap("piece:1,U", ("piece:1,U", "piece:2,U", "piece:3,U", "piece:4,U"))
X = Tap("piece:1,X", ("piece:1,X", "piece:2,X", "piece:3,X", "piece:4,X"))
SHOWN = {"piece:1,U", "piece:2,U", "piece:4,U", "piece:1,X", "piece:4,X", "colour:1"}


def test_a_piece_is_sought_in_each_tray_that_shows_it_until_it_is_known_which_is_ours() -> None:
    trays = Trays()
    assert trays.unsought(U, SHOWN) == 3
    assert [trays.piece(U, attempt, SHOWN) for attempt in range(3)] == ["piece:1,U", "piece:2,U", "piece:4,U"]
    trays.came(showed=True)
    assert trays.unsought(X, SHOWN) == 0
    assert [trays.piece(X, attempt, SHOWN) for attempt in range(2)] == ["piece:4,X", "piece:4,X"]


def test_a_tray_that_gives_no_piece_any_more_is_sought_anew() -> None:
    trays = Trays()
    trays.piece(U, 2, SHOWN)
    trays.came(showed=True)
    trays.piece(X, 0, SHOWN)
    trays.came(showed=False)
    assert trays.unsought(U, SHOWN) == 3
    assert trays.piece(U, 0, SHOWN) == "piece:1,U"


def test_where_one_tray_alone_shows_a_piece_there_is_nothing_to_seek() -> None:
    trays = Trays()
    assert trays.unsought(U, {"piece:2,U"}) == 0
    assert trays.piece(U, 1, {"piece:2,U"}) == "piece:2,U"
    assert trays.piece(U, 0, set()) == "piece:1,U"
