"""Learning from a source's examples: which moves are best, and how the game will end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from games.core import SettingsError
from solvers.learned.card import Figure, add_figures, read_card
from solvers.learned.encoder import Encoder
from solvers.learned.registry import encoder_of
from solvers.training.label_sources import Arrays, LabelledPositions, LabelSource, label_source_of
from solvers.training.networks import Averaged, Mlp, Windows, convolving, descend, device, finish_run
from solvers.training.run import TrainingRun

PIECE = 10_000
"""Examples of one piece of the data."""

HELD_BACK = 20
"""One in so many positions, but for the common ones, is never learned from and measures what was learned."""


@dataclass(frozen=True, slots=True)
class SupervisedSettings:
    """teacher: "exact", or "games" for finished games.  network: "residual", "mlp", "windows" or "colours".

    channels, blocks: of convolutions.  layers: of the MLP, or behind the windows.  outputs: policy+value, or value.
    mirrored: whether it plays by the mean of its answers to a position and to the mirror image.
    judged: whether each move is judged by itself, by a logistic function, or they compete in one softmax.
    keeping: what a move is worth, from 0 to 1, that keeps the result but is not best.
    epochs: how often every example is seen.  batch: examples a step.  rate: the highest learning rate (cosine).
    """

    teacher: str = "exact"
    network: str = "residual"
    channels: int = 32
    blocks: int = 4
    layers: tuple[int, ...] = (512, 256)
    outputs: tuple[str, ...] = ("policy", "value")
    mirrored: bool = False
    judged: bool = False
    keeping: float = 0.0
    epochs: int = 10
    batch: int = 512
    rate: float = 2e-3


USUAL_BUDGET = 200_000
"""Examples to learn from."""


def learn(run: TrainingRun, settings: SupervisedSettings) -> None:
    """Have the source make the examples, learn from them, and leave the network and its card."""
    source = label_source_of(settings.teacher, run.plan.game, run.plan.board)
    count = run.plan.budget or USUAL_BUDGET
    training, holdout = _parted([source.labelled(piece) for piece in _pieces(run, source, count)])
    encoder = encoder_of(source.encoder, run.plan.board)
    network, player = _networks(settings, encoder)
    _fit(run, settings, network, player, source, training, holdout)
    budget = f"{len(training):,} examples, {settings.epochs} epochs"
    card = finish_run(run, player, encoder, source.encoder, budget=budget)
    if "policy" in settings.outputs:
        _note_figures(card, player, holdout)


def leave(run: TrainingRun, settings: SupervisedSettings) -> None:
    """Leave the network of the latest checkpoint and its card."""
    seen, kept = label_source_of(settings.teacher, run.plan.game, run.plan.board).encoder, run.load()
    encoder = encoder_of(seen, run.plan.board)
    network, player = _networks(settings, encoder)
    network.load_state_dict(kept["network"])
    finish_run(run, player, encoder, seen, budget=f"{kept['epoch']} epochs")


def _networks(settings: SupervisedSettings, encoder: Encoder) -> tuple[nn.Module, nn.Module]:
    """The network that learns, and the one that plays by it."""
    network = build(settings, encoder.shape, encoder.actions)
    return network, Averaged(network, *encoder.mirror) if settings.mirrored else network


def build(settings: SupervisedSettings, shape: tuple[int, int, int], actions: int) -> nn.Module:
    """The network the settings describe; raises SettingsError."""
    outputs = settings.outputs
    if settings.network == "mlp":
        return Mlp(shape, actions, settings.layers, outputs)
    if settings.network == "windows":
        return Windows(shape, actions, channels=settings.channels, layers=settings.layers, outputs=outputs)
    if settings.network in ("residual", "colours"):
        return convolving(settings.network, shape, actions, settings.channels, settings.blocks, outputs)
    raise SettingsError(f"no network is called {settings.network!r}: choose residual, mlp, windows or colours")


def _pieces(run: TrainingRun, source: LabelSource, count: int) -> list[Arrays]:
    """The examples in pieces, each array [n, ...], from the run's folder as far as they lie there."""
    total = -(-count // PIECE)
    found: list[Arrays] = []
    with run.progress(total * PIECE, 0, "examples"):
        for number in range(total):
            path = run.path(f"examples-{number:04}.npz")
            if not path.is_file():
                fresh = path.with_suffix(".new.npz")
                examples: dict[str, Any] = source.make(PIECE, run.plan.seed * 1_000_003 + number)
                np.savez_compressed(fresh, **examples)
                fresh.replace(path)
            with np.load(path, allow_pickle=False) as kept:
                found.append(dict(kept))
            run.advance((number + 1) * PIECE)
    return found


def _parted(pieces: list[LabelledPositions]) -> tuple[LabelledPositions, LabelledPositions]:
    """What is learned from and what is held back: no position of one group is in both, none twice in the second.

    Raises SettingsError where either would be empty.
    """
    names = [each.name for each in fields(LabelledPositions)]
    every = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in names}
    chance = every["groups"] * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)
    held = (chance % np.uint64(HELD_BACK) == 0) & ~every["common"]
    if not held.any() or held.all():
        raise SettingsError(f"{len(held)} examples are too few to hold some back: have more made")
    _, once = np.unique(every["planes"][held].reshape(int(held.sum()), -1), axis=0, return_index=True)
    chosen = np.flatnonzero(held)[np.sort(once)]
    return LabelledPositions(*(every[name][~held] for name in names)), LabelledPositions(
        *(every[name][chosen] for name in names)
    )


def _fit(
    run: TrainingRun,
    settings: SupervisedSettings,
    network: Any,
    player: nn.Module,
    source: LabelSource,
    training: LabelledPositions,
    holdout: LabelledPositions,
) -> None:
    """Go through the examples `epochs` times; each epoch ends with a measurement on those held back, by the player."""
    place = device()
    player.to(place)
    steps = -(-len(training) // settings.batch)
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, settings.rate, total_steps=steps * settings.epochs, pct_start=0.15
    )
    parts = {"network": network, "optimiser": optimiser, "schedule": schedule}
    first = 0
    if run.resuming:
        state = run.load()
        first = state["epoch"]
        for name, part in parts.items():
            part.load_state_dict(state[name])
    with run.progress(settings.epochs * len(training), first * len(training), "examples"):
        for epoch in range(first, settings.epochs):
            network.train()
            losses = []
            for batch in _batches(settings, source, training, run.rng):
                loss = _loss(network, settings.judged, *(torch.from_numpy(part).to(place) for part in batch))
                losses.append(descend(optimiser, loss))
                schedule.step()
                run.advance(epoch * len(training) + len(losses) * settings.batch)
            measured = _measure(player, holdout)
            run.log((epoch + 1) * len(training), loss=float(np.mean(losses)), **measured)
            run.save(epoch=epoch + 1, **{name: part.state_dict() for name, part in parts.items()})


LabelledBatch = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]


def _batches(
    settings: SupervisedSettings, source: LabelSource, labelled: LabelledPositions, rng: np.random.Generator
) -> Iterator[LabelledBatch]:
    """Planes, what each move is worth, and values."""
    order = rng.permutation(len(labelled))
    for start in range(0, len(order), settings.batch):
        chosen = order[start : start + settings.batch]
        best, keeps = labelled.best[chosen], labelled.keeps[chosen]
        worths = np.where(best, np.float32(1), np.float32(settings.keeping) * keeps)
        planes, worths = source.augmented(labelled.planes[chosen], worths, rng)
        yield planes.astype(np.float32), np.ascontiguousarray(worths), labelled.values[chosen]


def _loss(network: Any, judged: bool, planes: torch.Tensor, worths: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Cross entropy to worths, float32[n, actions], each or their shares, and the squared error of values, [n]."""
    answers = dict(zip(network.heads.outputs, network(planes), strict=True))
    loss = planes.new_zeros(())
    if "policy" in answers and judged:
        each = nn.functional.binary_cross_entropy_with_logits(answers["policy"], worths, reduction="sum")
        loss = loss + each / len(worths)
    elif "policy" in answers:
        loss = loss + nn.functional.cross_entropy(answers["policy"], worths / worths.sum(dim=1, keepdim=True))
    if "value" in answers:
        loss = loss + nn.functional.mse_loss(answers["value"], values)
    return loss


def _measure(network: Any, labelled: LabelledPositions) -> dict[str, float]:
    """How often the move the network likes best is a best one, and one that keeps the value; the value's error."""
    found = {}
    choices, values = _answers(network, labelled)
    if choices is not None:
        rows = np.arange(len(labelled))
        found = {"optimal": labelled.best[rows, choices].mean(), "keeping": labelled.keeps[rows, choices].mean()}
    if values is not None:
        found["value_error"] = np.abs(values - labelled.values).mean()
    return {name: float(figure) for name, figure in found.items()}


def _answers(network: Any, labelled: LabelledPositions) -> tuple[NDArray[np.int64] | None, NDArray[np.float32] | None]:
    """int64[n], the legal moves it likes best, and float32[n], the values it gives."""
    network.eval()
    place = next(network.parameters()).device
    choices, values = [], []
    with torch.no_grad():
        for start in range(0, len(labelled), 4096):
            some = slice(start, start + 4096)
            planes = torch.from_numpy(labelled.planes[some].astype(np.float32)).to(place)
            answers = dict(zip(network.heads.outputs, network(planes), strict=True))
            if "policy" in answers:
                logits = answers["policy"].cpu().numpy()
                choices.append(np.where(labelled.legal[some], logits, -np.inf).argmax(axis=1))
            if "value" in answers:
                values.append(answers["value"].cpu().numpy())
    return (np.concatenate(choices) if choices else None, np.concatenate(values) if values else None)


def _note_figures(path: Path, network: Any, holdout: LabelledPositions) -> None:
    """Write what was measured on the examples held back into the card."""
    command = read_card(path).command
    choices, _ = _answers(network, holdout)
    assert choices is not None
    rows, figures = np.arange(len(holdout)), []
    for what, right in (("optimal moves", holdout.best), ("value-keeping moves", holdout.keeps)):
        won = int(right[rows, choices].sum())
        words = f"{what}, positions held back"
        figures.append(Figure(words, len(holdout), won, 0, len(holdout) - won, command))
    add_figures(path, figures)
