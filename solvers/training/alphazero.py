"""AlphaZero: a network plays itself, learns from its searches and results, and must beat its predecessor to replace it.

Silver et al. 2017, with playout cap randomisation (Wu 2019). A generation is some pieces of self-play, one fit to the
latest examples, and a match at the gate. Each of them is a job whose answer depends on nothing but what it is given
and its seed, so a run may be stopped anywhere and goes on with the same games, whoever plays them.
"""

from __future__ import annotations

import io
import math
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from games.core import Options
from solvers.learned.network import Network
from solvers.learned.registry import encoder_of, network_game
from solvers.learned.view import Answer, NetworkView, view_of
from solvers.training.cluster import Workers, workers_for
from solvers.training.generations import keep_generation
from solvers.training.networks import (
    convolving,
    descend,
    device,
    export,
    falling_rate,
    finish_run,
    mixed_precision,
)
from solvers.training.run import TrainingRun
from solvers.training.self_play import Examples, Report, SelfPlaySettings, join, play_itself, policies_of
from solvers.training.vector_environments import VectorEnvironment, VectorSearch

USUAL_BUDGET = 40
"""Generations."""

OUTPUTS = ("policy", "value")
"""What the networks answer."""


@dataclass(frozen=True, slots=True)
class AlphaZeroSettings(SelfPlaySettings):
    """How self-play searches, and how the network learns from it.

    encoder: what is seen, "" for the game's own.  network: "residual" or "colours", with channels and blocks.
    blocks: 0 for the game's usual.  games, piece: of self-play in a generation, and in one job.
    window: examples kept to learn from, the latest.  batch, rate: of the fit; the rate falls to a tenth (cosine).
    reuse: how often a new example is learned from on average.  decay: of the weights.
    gate: the share of decided games a candidate needs; gate_games, gate_visits, openings: the match, and how many
    random moves its games begin with.  0 gate games: every candidate passes.
    """

    plies: int = 200
    encoder: str = ""
    network: str = "residual"
    channels: int = 32
    blocks: int = 0
    games: int = 256
    piece: int = 64
    window: int = 100_000
    batch: int = 256
    rate: float = 2e-3
    reuse: float = 4.0
    decay: float = 1e-4
    gate: float = 0.55
    gate_games: int = 64
    gate_visits: int = 64
    openings: int = 2


class PackedNetwork(NamedTuple):
    """A network as it travels: what it plays, its form, and its weights as torch keeps them."""

    game: str
    board: Options
    encoder: str
    form: str
    channels: int
    blocks: int
    weights: bytes

    def network(self) -> nn.Module:
        """The network with these weights."""
        network = _blank(self)
        network.load_state_dict(_from_bytes(self.weights))
        return network


def _blank(packed: PackedNetwork) -> nn.Module:
    encoder = encoder_of(packed.encoder, packed.board)
    return convolving(packed.form, encoder.shape, encoder.actions, packed.channels, packed.blocks, OUTPUTS)


def _view(packed: PackedNetwork) -> NetworkView:
    return view_of(packed.game, encoder_of(packed.encoder, packed.board), packed.board)


def _to_bytes(state: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    torch.save(state, file)
    return file.getvalue()


def _from_bytes(state: bytes) -> dict[str, Any]:
    found: dict[str, Any] = torch.load(io.BytesIO(state), map_location="cpu", weights_only=True)
    return found


@lru_cache(maxsize=4)
def answer_of(packed: PackedNetwork) -> Answer:
    """The network ready to answer: on the GPU where there is one, else by ONNX Runtime, which is faster there."""
    network = packed.network().eval()
    if device().type == "cuda":
        return _on_gpu(network.to(device()))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.onnx"
        export(network, encoder_of(packed.encoder, packed.board), path)
        return Network(path)


def _on_gpu(network: nn.Module) -> Answer:
    def answer(planes: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        with torch.inference_mode(), mixed_precision():
            found = network(torch.from_numpy(planes).to(device()))
        return {name: each.float().cpu().numpy() for name, each in zip(OUTPUTS, found, strict=True)}

    return answer


class SelfPlayJob(NamedTuple):
    """Some games of self-play."""

    packed: PackedNetwork
    settings: SelfPlaySettings
    games: int
    seed: tuple[int, ...]


def play_games(piece: SelfPlayJob) -> tuple[Examples, Report]:
    """Play the games of a piece."""
    packed = piece.packed
    view = _view(packed)
    return play_itself(view, answer_of(packed), piece.settings, piece.games, piece.seed)


class FitJob(NamedTuple):
    """Steps of learning: from a network and its optimiser's state (b"" for a new one) on, for that many steps."""

    packed: PackedNetwork
    optimiser: bytes
    examples: Examples
    steps: int
    rate: float
    settings: AlphaZeroSettings
    seed: tuple[int, ...]


class Fitted(NamedTuple):
    """The weights and the optimiser afterwards, and the mean losses."""

    weights: bytes
    optimiser: bytes
    policy_loss: float
    value_loss: float


def fit(job: FitJob) -> Fitted:
    """Learn: cross entropy to the shares of the visits, and the squared error of the result."""
    network, place, rng = job.packed.network().to(device()).train(), device(), np.random.default_rng(job.seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=job.rate, weight_decay=job.settings.decay)
    if job.optimiser:
        optimiser.load_state_dict(_from_bytes(job.optimiser))
    for group in optimiser.param_groups:
        group["lr"] = job.rate
    encoder = encoder_of(job.packed.encoder, job.packed.board)
    examples, losses = job.examples, np.zeros(2)
    for _ in range(job.steps):
        chosen = rng.integers(len(examples), size=job.settings.batch)
        planes = examples.planes[chosen].astype(np.float32)
        parts = encoder.symmetry(rng).applied(planes, policies_of(examples, chosen, encoder.actions))
        planes, policies = (np.ascontiguousarray(part) for part in parts)
        inputs = (torch.from_numpy(part).to(place) for part in (planes, policies, examples.values[chosen]))
        planes_in, wanted, results = inputs
        with mixed_precision():
            logits, values = network(planes_in)
        policy_loss = nn.functional.cross_entropy(logits.float(), wanted)
        value_loss = nn.functional.mse_loss(values.float(), results)
        descend(optimiser, policy_loss + value_loss)
        losses += policy_loss.item(), value_loss.item()
    state = {key: value.cpu() for key, value in network.state_dict().items()}
    losses /= max(job.steps, 1)
    return Fitted(_to_bytes(state), _to_bytes(optimiser.state_dict()), float(losses[0]), float(losses[1]))


class GateJob(NamedTuple):
    """A match at the gate: games of two networks with fresh trees, each two from one start with the seats exchanged."""

    candidate: PackedNetwork
    best: PackedNetwork
    games: int
    settings: AlphaZeroSettings
    seed: tuple[int, ...]


class GateScore(NamedTuple):
    """Games the candidate won, drew and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def decided(self) -> float:
        """The candidate's share of the decided games; a half where none was."""
        return self.won / (self.won + self.lost) if self.won + self.lost else 0.5


def play_gate(job: GateJob) -> GateScore:
    """Play the match: no noise, no chance but the starts."""
    view, settings = _view(job.candidate), job.settings
    both = [
        VectorSearch(VectorEnvironment(view, job.games), answer_of(packed), settings.gate_visits, settings.exploration)
        for packed in (job.candidate, job.best)
    ]
    for at in range(job.games):
        for trees in both:
            rng = np.random.default_rng([*job.seed, at // 2])
            trees.begin(at, trees.environment.deal(at, rng, settings.openings))
    results, playing = np.zeros(job.games), set(range(job.games))
    for ply in range(settings.plies):
        for at in sorted(playing):
            _, known, value = both[0].judge(at)
            if known:
                results[at] = value if _mover(at, ply) == 0 else -value
                playing.remove(at)
        if not playing:
            break
        _move_all(both, sorted(playing), ply, settings.gate_visits)
    return GateScore(int((results > 0).sum()), int((results == 0).sum()), int((results < 0).sum()))


def _mover(at: int, ply: int) -> int:
    """Who moves in game `at`: 0 for the candidate."""
    return (at + ply) % 2


def _move_all(both: Sequence[VectorSearch], playing: Sequence[int], ply: int, visits: int) -> None:
    """One move in each game."""
    for player, trees in enumerate(both):
        wanted = np.zeros(len(trees.visits), np.int32)
        mine = [at for at in playing if _mover(at, ply) == player]
        wanted[mine] = trees.visits[mine] + visits
        trees.think_through(wanted)
    for at in playing:
        moves, counts = both[_mover(at, ply)].children(at)
        for trees in both:
            trees.advance(at, int(moves[counts.argmax()]))


@dataclass(slots=True)
class _Progress:
    """Where a run stands after so many generations."""

    generation: int
    network: bytes
    best: bytes
    optimiser: bytes = b""
    passed: int = 0
    rating: float = 0.0


def learn(run: TrainingRun, settings: AlphaZeroSettings) -> None:
    """Generations until the budget is spent; each that passes the gate is left in the folder with its card."""
    plan, total = run.plan, run.plan.budget or USUAL_BUDGET
    packed = new_network(plan.game, plan.board, settings, plan.seed)
    _view(packed)  # raises where the board is none for it
    at = _restore(run) if run.resuming else _Progress(0, packed.weights, packed.weights)
    with closing(workers_for(run.workers)) as workers, run.progress(total, at.generation, "generations"):
        while at.generation < total:
            _generation(run, settings, workers, packed, at, at.generation / total)
    _leave(run, settings, packed, at)


def leave(run: TrainingRun, settings: AlphaZeroSettings) -> None:
    """Leave the best network of the latest checkpoint and its card."""
    _leave(run, settings, new_network(run.plan.game, run.plan.board, settings, run.plan.seed), _restore(run))


def _restore(run: TrainingRun) -> _Progress:
    kept = run.load().items()
    state: dict[str, Any] = {key: _to_bytes(value) if isinstance(value, dict) else value for key, value in kept}
    return _Progress(**state)


def _leave(run: TrainingRun, settings: AlphaZeroSettings, packed: PackedNetwork, at: _Progress) -> None:
    """Leave the best network so far and its card in the folder."""
    best, encoder = packed._replace(weights=at.best).network(), encoder_of(packed.encoder, packed.board)
    budget = f"{at.generation} generations of {settings.games} games, {at.passed} through the gate"
    finish_run(run, best, encoder, packed.encoder, budget=budget)


def new_network(game: str, board: Options, settings: AlphaZeroSettings, seed: int) -> PackedNetwork:
    """A network that has learned nothing yet."""
    blocks = settings.blocks or network_game(game).blocks
    form = settings.network, settings.channels, blocks
    packed = PackedNetwork(game, board, settings.encoder or game, *form, b"")
    torch.manual_seed(seed)
    return packed._replace(weights=_to_bytes(_blank(packed).state_dict()))


def _generation(
    run: TrainingRun, settings: AlphaZeroSettings, workers: Workers, packed: PackedNetwork, at: _Progress, spent: float
) -> None:
    """Self-play, the fit, the gate; then a checkpoint."""
    candidate, best = packed._replace(weights=at.network), packed._replace(weights=at.best)
    report = _self_play(run, settings, workers, best, at.generation)
    examples, fresh = _window(run, settings, at.generation)
    rate = falling_rate(settings.rate, spent)
    steps = max(1, round(settings.reuse * fresh / settings.batch))
    seed = (run.plan.seed, at.generation)
    job = FitJob(candidate, at.optimiser, examples, steps, rate, settings, (*seed, 1))
    fitted: Fitted = next(workers.map(fit, [job]))[1]
    at.network, at.optimiser = fitted.weights, fitted.optimiser
    score = _match(settings, workers, candidate._replace(weights=at.network), best, (*seed, 2))
    passes = not settings.gate_games or score.decided >= settings.gate
    at.generation += 1
    if passes:
        at.best, at.passed = at.network, at.passed + 1
        share = (score.won + score.drawn / 2 + 1) / (sum(score) + 2)
        at.rating += 400 * math.log10(share / (1 - share)) if settings.gate_games else 0.0
    run.log(
        at.generation,
        gate=score.decided,
        rating=at.rating,
        policy_loss=fitted.policy_loss,
        value_loss=fitted.value_loss,
        plies=report.plies / report.games,
        first_wins=report.first / report.games,
        draws=report.draws / report.games,
        passed=at.passed,
        examples=fresh,
    )
    if passes:
        _leave(run, settings, packed, at)
        keep_generation(run.folder, at.generation)
    state = {field.name: getattr(at, field.name) for field in fields(at)}
    run.save(**{key: _from_bytes(value) if isinstance(value, bytes) else value for key, value in state.items()})


def _piece_path(run: TrainingRun, generation: int, number: int) -> Path:
    return run.path(f"games-{generation:05}-{number:03}.npz")


def _self_play(
    run: TrainingRun, settings: AlphaZeroSettings, workers: Workers, best: PackedNetwork, generation: int
) -> Report:
    """The generation's games, those that lie in the folder already included."""
    sizes = [min(settings.piece, settings.games - first) for first in range(0, settings.games, settings.piece)]
    missing = [number for number in range(len(sizes)) if not _piece_path(run, generation, number).is_file()]
    seed = run.plan.seed, generation, 0
    jobs = [SelfPlayJob(best, settings, sizes[number], (*seed, number)) for number in missing]
    for place, (examples, report) in workers.map(play_games, jobs):
        path = _piece_path(run, generation, missing[place])
        fresh = path.with_suffix(".new.npz")
        np.savez_compressed(fresh, report=np.array(report), **examples._asdict())
        fresh.replace(path)
    reports = [np.load(_piece_path(run, generation, number))["report"] for number in range(len(sizes))]
    return Report(*np.sum(reports, axis=0).tolist())


def _window(run: TrainingRun, settings: AlphaZeroSettings, generation: int) -> tuple[Examples, int]:
    """The latest examples, whole generations of them, and how many are of this one; what is older is thrown away."""
    kept: list[Examples] = []
    fresh = 0
    for earlier in range(generation, -1, -1):
        paths = sorted(run.folder.glob(f"games-{earlier:05}-???.npz"))
        if sum(map(len, kept)) >= settings.window:
            for path in paths:
                path.unlink()
            continue
        for path in paths:
            with np.load(path, allow_pickle=False) as file:
                kept.append(Examples(**{name: file[name] for name in Examples._fields}))
        fresh = fresh or sum(map(len, kept))
    return join(kept[::-1]), fresh


def _match(
    settings: AlphaZeroSettings, workers: Workers, candidate: PackedNetwork, best: PackedNetwork, seed: tuple[int, ...]
) -> GateScore:
    """The match at the gate, in pieces of as many games as a piece of self-play."""
    piece = settings.piece + settings.piece % 2
    sizes = [min(piece, settings.gate_games - first) for first in range(0, settings.gate_games, piece)]
    jobs = [GateJob(candidate, best, size, settings, (*seed, number)) for number, size in enumerate(sizes)]
    scores = [score for _, score in workers.map(play_gate, jobs)]
    return GateScore(*np.sum(scores, axis=0).tolist()) if scores else GateScore(0, 0, 0)
