"""The networks that learn, and how they become the ONNX files that play."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from games.core import SettingsError
from solvers.learned.encoder import Encoder
from solvers.learned.network import Network
from solvers.training.run import TrainingRun

AGREEMENT = 1e-3
"""How far an exported network may be from its original on random planes: float32 sums in another order differ less."""

Shape = tuple[int, int, int]
"""Planes, rows, columns."""


class Heads(nn.Module):
    """The last layers: each output by name, as `solvers.learned.network` knows them."""

    def __init__(self, width: int, actions: int, outputs: Sequence[str]) -> None:
        super().__init__()
        self.outputs = tuple(outputs)
        sizes = {"policy": actions, "q": actions, "value": 1}
        self.layers = nn.ModuleList(nn.Linear(width, sizes[name]) for name in self.outputs)

    def forward(self, features: Tensor) -> tuple[Tensor, ...]:
        """One tensor an output, in order: ``[n, actions]``, or ``[n]`` for a value."""
        found = []
        for name, layer in zip(self.outputs, self.layers, strict=True):
            answer = layer(features)
            found.append(torch.tanh(answer).squeeze(1) if name == "value" else answer)
        return tuple(found)


def _layers(widths: Sequence[int]) -> nn.Sequential:
    """Fully connected layers of those widths."""
    return nn.Sequential(
        *(part for before, after in pairwise(widths) for part in (nn.Linear(before, after), nn.ReLU()))
    )


class Headed(nn.Module):
    """A body that makes features of the planes, and the heads behind it."""

    body: nn.Sequential
    heads: nn.Module

    def features(self, planes: Tensor) -> Tensor:
        """float32[n, width]."""
        found: Tensor = self.body(planes)
        return found

    def forward(self, planes: Tensor) -> tuple[Tensor, ...]:
        """The outputs for float32[n, planes, rows, cols]."""
        answer: tuple[Tensor, ...] = self.heads(self.features(planes))
        return answer


class Mlp(Headed):
    """Fully connected layers on the flattened planes."""

    def __init__(self, shape: Shape, actions: int, layers: Sequence[int], outputs: Sequence[str]) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), _layers([int(np.prod(shape)), *layers]))
        self.heads = Heads(layers[-1], actions, outputs)


class Windows(Headed):
    """What stands in every window of `side` by `side` cells, as fully connected layers see it beside the planes.

    All lines of four lie in such windows, so that a line is learned once for all places.
    """

    def __init__(
        self,
        shape: Shape,
        actions: int,
        *,
        channels: int,
        layers: Sequence[int],
        outputs: Sequence[str],
        side: int = 4,
    ) -> None:
        super().__init__()
        planes, rows, cols = shape
        self.windows = nn.Sequential(nn.Conv2d(planes, channels, side), nn.ReLU(), nn.Flatten())
        seen = channels * (rows - side + 1) * (cols - side + 1)
        self.body = _layers([seen + planes * rows * cols, *layers])
        self.heads = Heads(layers[-1], actions, outputs)

    def features(self, planes: Tensor) -> Tensor:
        """float32[n, width]."""
        found: Tensor = self.body(torch.cat([self.windows(planes), planes.flatten(1)], dim=1))
        return found


class Colours(nn.Module):
    """Looks at each colour by itself, through the same eyes, beside what all of them have in common.

    The first planes are those of the colours, one an action; whatever is learned of one colour holds for all.
    """

    def __init__(self, shape: Shape, actions: int, *, channels: int, blocks: int, outputs: Sequence[str]) -> None:
        super().__init__()
        self.actions, self.heads = actions, Named(*outputs)
        self.body = nn.Sequential(
            nn.Conv2d(1 + 2 * (shape[0] - actions), channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            *(Residual(channels) for _ in range(blocks)),
        )
        self.policy = nn.Sequential(nn.Linear(4 * channels, channels), nn.ReLU(), nn.Linear(channels, 1))
        self.value = nn.Sequential(nn.Linear(2 * channels, channels), nn.ReLU(), nn.Linear(channels, 1))

    def forward(self, planes: Tensor) -> tuple[Tensor, ...]:
        """The outputs for ``[n, planes, rows, cols]``."""
        colours, common = planes[:, : self.actions, None], planes[:, None, self.actions :]
        common = common.expand(-1, self.actions, -1, -1, -1)
        seen = self.body(torch.cat([colours, common, colours * common], dim=2).flatten(0, 1))
        each = torch.cat([seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3))], dim=1)
        each = each.reshape(-1, self.actions, each.shape[1])
        every = each.mean(dim=1)
        judged = self.policy(torch.cat([each, every[:, None].expand_as(each)], dim=2)).squeeze(2)
        found = {"policy": judged, "q": judged, "value": torch.tanh(self.value(every)).squeeze(1)}
        return tuple(found[name] for name in self.heads.outputs)


class Named(nn.Module):
    """Says what a network's outputs are, and whether it judges pairs of a position and a move."""

    def __init__(self, *outputs: str, pairs: bool = False) -> None:
        super().__init__()
        self.outputs, self.pairs = outputs, pairs


class Averaged(nn.Module):
    """The mean of a network's answers to a position and to its mirror image.

    planes, actions: the mirror, see `solvers.learned.encoder.Symmetry`.
    """

    mirror: Tensor
    back: Tensor

    def __init__(self, network: Any, planes: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        super().__init__()
        self.network, self.heads = network, network.heads
        self.register_buffer("mirror", torch.from_numpy(planes))
        self.register_buffer("back", torch.from_numpy(actions))

    def forward(self, planes: Tensor) -> tuple[Tensor, ...]:
        """The outputs for ``[n, planes, rows, cols]``."""
        answers = self.network(planes)
        mirrored = self.network(planes.flatten(1)[:, self.mirror].reshape(planes.shape))
        found = []
        for answer, other in zip(answers, mirrored, strict=True):
            found.append((answer + (other if other.dim() == 1 else other[:, self.back])) / 2)
        return tuple(found)


class Residual(nn.Module):
    """Two 3x3 convolutions whose sum with their input goes on (He et al. 2015)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, planes: Tensor) -> Tensor:
        """float32[n, channels, rows, cols] both."""
        return torch.relu(planes + self.body(planes))


class ResidualNetwork(Headed):
    """A convolution, residual blocks, then a narrow convolution and a hidden layer before the heads."""

    def __init__(
        self,
        shape: Shape,
        actions: int,
        *,
        channels: int,
        blocks: int,
        outputs: Sequence[str],
        narrow: int = 8,
        hidden: int = 128,
    ) -> None:
        super().__init__()
        planes, rows, cols = shape
        self.body = nn.Sequential(
            nn.Conv2d(planes, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            *(Residual(channels) for _ in range(blocks)),
            nn.Conv2d(channels, narrow, 1, bias=False),
            nn.BatchNorm2d(narrow),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(narrow * rows * cols, hidden),
            nn.ReLU(),
        )
        self.heads = Heads(hidden, actions, outputs)


def convolving(
    form: str, shape: Shape, actions: int, channels: int, blocks: int, outputs: Sequence[str]
) -> ResidualNetwork | Colours:
    """A network of residual blocks, of the form "residual" or "colours"; raises SettingsError."""
    if form == "residual":
        return ResidualNetwork(shape, actions, channels=channels, blocks=blocks, outputs=outputs)
    if form != "colours":
        raise SettingsError(f"no network is called {form!r}: choose residual or colours")
    if shape[0] <= actions:
        raise SettingsError("only games whose moves are colours have networks that look at each of them: take residual")
    return Colours(shape, actions, channels=channels, blocks=blocks, outputs=outputs)


def device() -> torch.device:
    """The GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def mixed_precision() -> torch.autocast:
    """In this a network answers in bfloat16 where that is exact enough, on a GPU; elsewhere it changes nothing.

    bfloat16 has the range of float32, so that no loss needs to be scaled.
    """
    return torch.autocast(device().type, dtype=torch.bfloat16, enabled=device().type == "cuda")


def parameters_of(network: nn.Module) -> int:
    """How many numbers it learns."""
    return sum(each.numel() for each in network.parameters())


def descend(optimiser: torch.optim.Optimizer, loss: Tensor, *, clip: float = 0.0) -> float:
    """One step down the gradient of `loss`, float32[], which is returned; clip: the norm it is cut to, 0 for none."""
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    if clip:
        nn.utils.clip_grad_norm_([each for group in optimiser.param_groups for each in group["params"]], clip)
    optimiser.step()
    return float(loss.detach())


def falling_rate(rate: float, progress: float) -> float:
    """The learning rate after that share of a run: it falls to a tenth along a cosine."""
    return rate * (0.1 + 0.45 * (1 + math.cos(math.pi * progress)))


def falling_chance(first: float, last: float, decay: float, progress: float) -> float:
    """The chance of a random move after that share of a run: from `first` to `last`, evenly over the share `decay`."""
    return last + (first - last) * max(0.0, 1 - progress / decay)


def finish_run(run: TrainingRun, network: Any, encoder: Encoder, name: str, *, budget: str, note: str = "") -> Path:
    """Leave `network`, which sees what the encoder of that name shows, and its card where the run's player goes.

    Returns the card's path; raises RuntimeError as `export` does.
    """
    export(network, encoder, run.out / "model.onnx")
    return run.finish("model.onnx", encoder=name, budget=budget, note=f"{parameters_of(network):,} parameters{note}")


def export(network: Any, encoder: Encoder, path: Path) -> None:
    """Write `network` as ONNX; its `heads.outputs` name the outputs.

    One whose `heads.pairs` is true judges pairs of a position and a move, see `solvers.learned.network`.
    Raises RuntimeError where ONNX Runtime does not answer as the network does.
    """
    network, (planes, rows, cols) = network.to("cpu").eval(), encoder.shape
    names, pairs = network.heads.outputs, getattr(network.heads, "pairs", False)
    sample = {"planes": torch.randn(3, planes + pairs, rows, cols)}
    if pairs:
        sample |= {"actions": torch.randint(encoder.actions, (3,)), "seats": torch.tensor([0, 1, 1])}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the older exporter is the one that needs no further package
        torch.onnx.export(
            network,
            tuple(sample.values()),
            str(path),
            input_names=list(sample),
            output_names=list(names),
            dynamic_axes={name: {0: "n"} for name in (*sample, *names)},
            dynamo=False,
        )
    with torch.no_grad():
        answers = network(*sample.values())
    expected = dict(zip(names, (answers,) if isinstance(answers, Tensor) else answers, strict=True))
    for name, answer in Network(path)(**{name: part.numpy() for name, part in sample.items()}).items():
        gap = float(np.abs(answer - expected[name].numpy()).max())
        if gap > AGREEMENT * max(1.0, float(expected[name].abs().max())):
            raise RuntimeError(f"{path} answers {name} {gap:.2g} beside its original")
