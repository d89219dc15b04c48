"""The bench of levels: what a step of it is, and that a run goes on from the steps it was ended after."""

import json

from bench.solvers.level_temperatures import SLOPE, fitted
from bench.solvers.levels import step_of
from solvers.levels import levels_of


def test_a_step_is_kept_until_the_levels_or_the_games_are_others(tmp_path):
    first = step_of("filler", 1, games=4, seed=5, keep=tmp_path)
    assert first.won + first.drawn + first.lost == 4
    assert first.shares[1] <= first.shares[0] <= first.shares[2]
    assert first.nodes > 1
    assert step_of("filler", 1, games=4, seed=5, keep=tmp_path) == first
    path = tmp_path / "filler-1.json"
    kept = json.loads(path.read_text())
    assert kept["question"]["players"][0]["temperature"] == levels_of("filler")[0].temperature
    kept["question"]["players"][0]["temperature"] = 0.5
    kept["step"]["nodes"] = 0
    path.write_text(json.dumps(kept))
    again = step_of("filler", 1, games=4, seed=5, keep=tmp_path)
    assert (again.won, again.drawn, again.nodes) == (first.won, first.drawn, first.nodes)


def test_a_temperature_is_read_off_a_curve_through_noisy_shares():
    height, slope = fitted([(1.0, 0.5, 100), (2.0, 0.75, 100), (4.0, 0.9, 100)], SLOPE)
    assert abs(height) < 0.2
    assert 1.2 < slope < 2.0
