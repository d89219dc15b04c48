"""Teach the detector: a small network that sees boards and the middles of their cells in drawn pictures.

usage: python -m bench.vision.detector --cache FOLDER --out FOLDER [--pictures N] [--seed S] [--steps N] [--minutes M]
                                       [--batch N] [--processes N] [--weights FILE] [--rate R]
                                       [--kept FILE --share S]

Pictures are drawn first, small, until --cache holds N of that seed (a folder outside of the repository; what it holds
is used again, of every seed).  Then the network is fitted, on the GPU where there is one, going on from the checkpoint
in --out if there is one, until --steps are done or --minutes over, whichever is first: losses stand in its log.txt,
and at the end the network in detector.onnx, which OpenCV answers alike.  Without pictures and steps nothing is done.
Where there is no checkpoint, --weights are gone on from, such as those that are shipped: with a low --rate looks that
are new are learned, and little is forgotten; less where in the end S parts of each weight are what was learned, and the
rest those of --kept.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx.numpy_helper import to_array
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from bench.vision.samples import PART, answer_of, keep, kept, load, part_of
from calibration.detect import KINDS, PLANS
from games.core import SettingsError

WIDTH = 64
"""Channels of the layers that look far."""

REACH = (1, 2, 4, 8, 4, 2, 1)
"""How many places of PLANS pixels apart the inputs of these layers lie: 350 pixels are seen at once."""

BATCH, RATE, WARM = 8, 2e-3, 200
"""Parts a step, the rate of learning and the steps until it is reached; it falls to nothing along a cosine."""

STEEPEST = 2.0
"""How many times as fast it is learned at most from more parts a step; up to there, as the root of their number."""

HELD_OUT = 25
"""One of so many pictures is kept apart, to judge by."""

AGREEMENT = 2e-3
"""How far the network's answers in OpenCV may lie from its own, of values up to 1."""


def block(inputs: int, outputs: int, *, stride: int = 1, apart: int = 1) -> nn.Sequential:
    """A convolution of 3x3 places that lie `apart`, normalised."""
    weights = nn.Conv2d(inputs, outputs, 3, stride, apart, apart, bias=False)
    return nn.Sequential(weights, nn.BatchNorm2d(outputs), nn.ReLU())


class DetectorNetwork(nn.Module):
    """From pictures, float[n, 3, h, w] in 0..1, to their heat and their plan.

    Heat is float[n, 1, h / 4, w / 4], plan float[n, 8, h / 8, w / 8]: first the odds of each of KINDS, then the binary
    logarithms of the pitches across and down, over 4.
    """

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(block(3, 16, stride=2), block(16, 32, stride=2), block(32, 32))
        self.down = block(32, WIDTH, stride=2)
        self.far = nn.ModuleList([block(WIDTH, WIDTH, apart=apart) for apart in REACH])
        self.plan = nn.Conv2d(WIDTH, len(KINDS) + 2, 1)
        self.up = nn.Conv2d(WIDTH, 32, 1)
        self.fine = block(32, 32)
        self.heat = nn.Conv2d(32, 1, 1)
        with torch.no_grad():  # few places are middles, and a pitch is some 24 pixels
            _bias(self.heat).fill_(-4.0)
            _bias(self.plan)[len(KINDS) :] = math.log2(24) / 4

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """The odds of a middle, and the plan."""
        near = self.near(pictures - 0.5)
        far = self.down(near)
        for layer in self.far:
            far = far + layer(far)
        wide = functional.interpolate(self.up(far), scale_factor=2.0, mode="nearest")
        return self.heat(self.fine(functional.relu(wide + near))), self.plan(far)


def _bias(layer: nn.Conv2d) -> Tensor:
    assert layer.bias is not None
    return layer.bias


def fused(part: nn.Module) -> nn.Sequential:
    """A block as one convolution, which does what it and its normalisation did; it itself where it is one."""
    assert isinstance(part, nn.Sequential)
    if len(part) < 3:
        return part
    weights, normal = part[0], part[1]
    assert isinstance(weights, nn.Conv2d)
    assert isinstance(normal, nn.BatchNorm2d)
    return nn.Sequential(fuse_conv_bn_eval(weights, normal), nn.ReLU())


class Told(nn.Module):
    """A fitted detector as it is shipped: its normalisations in its weights, and chances for odds."""

    def __init__(self, detector: DetectorNetwork) -> None:
        super().__init__()
        self.detector = copy.deepcopy(detector).eval()
        for stack in (self.detector.near, self.detector.far):
            for place in range(len(stack)):
                stack[place] = fused(stack[place])
        self.detector.down, self.detector.fine = fused(self.detector.down), fused(self.detector.fine)

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """The chance of a middle, and the plan with chances of kinds and binary logarithms of pitches."""
        heat, plan = self.detector(pictures)
        chances = torch.softmax(plan[:, : len(KINDS)], dim=1)
        return torch.sigmoid(heat), torch.cat([chances, plan[:, len(KINDS) :] * 4], dim=1)


def shipped(path: Path) -> DetectorNetwork:
    """The network in a file that `export` wrote, to be taught more; its normalisations stay in its weights."""
    detector = Told(DetectorNetwork()).detector
    weights = {part.name.removeprefix("detector."): to_array(part).copy() for part in onnx.load(path).graph.initializer}
    detector.load_state_dict({name: torch.from_numpy(part) for name, part in weights.items()})
    return detector


def mixed(detector: DetectorNetwork, other: DetectorNetwork, share: float) -> DetectorNetwork:
    """So much of `detector` and the rest of `other`, weight by weight; one was gone on from to the other.

    Wortsman and others, Robust fine-tuning of zero-shot models, 2022: such a mean knows most of what either knows.
    """
    means, rest = copy.deepcopy(detector), other.state_dict()
    means.load_state_dict({name: share * one + (1 - share) * rest[name] for name, one in detector.state_dict().items()})
    return means


class Parts(IterableDataset[tuple[Tensor, ...]]):
    """Parts of kept pictures without end: uint8[h, w, 3], and what is to be said of them, see `Wanted`."""

    def __init__(self, paths: list[Path], *seed: int) -> None:
        self._paths, self._seed = paths, seed

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng([*self._seed, 0 if worker is None else worker.id])
        while True:
            yield _sample(self._paths[int(rng.integers(len(self._paths)))], rng)


def _sample(path: Path, rng: np.random.Generator) -> tuple[Tensor, ...]:
    pixels, truth = part_of(*load(path), rng)
    answer = answer_of(truth)
    told = np.ascontiguousarray(pixels), answer.heat, answer.heeded, answer.kind, np.array(answer.pitch, np.float32)
    return tuple(torch.from_numpy(part) for part in told)


def tensor_of(parts: Tensor) -> Tensor:
    """Parts, uint8[n, h, w, 3], as float32[n, 3, h, w] in 0..1."""
    return parts.permute(0, 3, 1, 2).float().div(255).contiguous(memory_format=torch.channels_last)


def recoloured(parts: Tensor, chance: torch.Generator) -> Tensor:
    """Parts, uint8[n, h, w, 3], as float32[n, 3, h, w] in 0..1 in other colours than they were drawn.

    By chance channels are exchanged, it is a negative, darker, paler, with other curves, and with noise.
    """
    count, device = len(parts), parts.device

    def drawn(*shape: int) -> Tensor:
        return torch.rand(count, *shape, 1, 1, generator=chance, device=device)

    def normal(*shape: int) -> Tensor:
        return torch.randn(count, *shape, 1, 1, generator=chance, device=device)

    channels = drawn(3).argsort(dim=1).expand(-1, -1, *parts.shape[1:3])
    values = tensor_of(parts).gather(1, channels)
    values = torch.where(drawn(1) < 0.12, 1 - values, values)
    values = torch.where(drawn(1) < 0.4, values ** torch.exp(0.3 * normal(3)), values)
    low, span = 0.4 * drawn(1), 0.35 + 0.65 * drawn(1)
    values = torch.where(drawn(1) < 0.25, low * (1 - span) * 2 + span * values, values)
    rough = (drawn(1) < 0.15) * (0.005 + 0.025 * drawn(1))
    values = values + rough * torch.randn(values.shape, generator=chance, device=device)
    return values.clamp(0, 1).contiguous(memory_format=torch.channels_last)


def loss_of(
    heat: Tensor, plan: Tensor, wanted: Tensor, heeded: Tensor, kinds: Tensor, pitch: Tensor
) -> tuple[Tensor, dict[str, Tensor]]:
    """What a step lowers, and its three parts: of the middles, of the kinds, and of the pitches (in octaves)."""
    odds = heat.float()[:, 0]
    chance = torch.sigmoid(odds).clamp(1e-4, 1 - 1e-4)
    peaks = (wanted == 1) & (heeded > 0)
    hit = -functional.logsigmoid(odds) * (1 - chance) ** 2
    miss = -functional.logsigmoid(-odds) * chance**2 * (1 - wanted) ** 4 * heeded
    focal = torch.where(peaks, hit, miss).sum(dim=(1, 2)) / (peaks.sum(dim=(1, 2)) + 20)
    cross = functional.cross_entropy(plan.float()[:, : len(KINDS)], kinds)
    boards = (kinds > 0)[:, None].float()
    away = ((plan.float()[:, len(KINDS) :] * 4 - pitch[:, :, None, None]).abs() * boards).sum() / (
        2 * boards.sum() + 50
    )
    parts = {"middles": focal.mean(), "kinds": cross, "pitch": away}
    return focal.mean() + cross + 0.3 * away, {name: value.detach() for name, value in parts.items()}


def halved(place: torch.device) -> torch.autocast:
    """Reckons in bfloat16 what may be, where the hardware does: elsewhere that takes five times as long."""
    quick = place.type != "cpu" or torch.cpu._is_avx512_bf16_supported()
    return torch.autocast(place.type, dtype=torch.bfloat16, enabled=quick)


def judged(detector: DetectorNetwork, paths: list[Path], place: torch.device) -> str:
    """What is lost on pictures that were kept apart, each in one and the same part."""
    detector.eval()
    totals: dict[str, list[float]] = {}
    with torch.no_grad(), halved(place):
        for path in paths[:160]:
            pixels, *answers = (part[None].to(place) for part in _sample(path, np.random.default_rng(7)))
            for name, value in loss_of(*detector(tensor_of(pixels)), *answers)[1].items():
                totals.setdefault(name, []).append(float(value))
    detector.train()
    return ", ".join(f"{name} {np.mean(values):.3f}" for name, values in totals.items())


def fit(
    cache: Path, out: Path, *, seed: int, steps: int, minutes: float = math.inf, batch: int = BATCH, processes: int = 1,
    weights: Path | None = None, rate: float = RATE,
) -> DetectorNetwork:  # fmt: skip
    """Teach a detector, or go on from the checkpoint in `out`, until that many steps are done or minutes are over.

    weights: of the detector to begin with, as `export` wrote it.  rate: of learning from BATCH parts a step.
    """
    place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    paths = kept(cache)
    if len(paths) < 2:
        raise SettingsError(f"{cache} holds {len(paths)} pictures to learn from: have some drawn, --pictures 1000")
    apart, taught = paths[::HELD_OUT], [path for at, path in enumerate(paths) if at % HELD_OUT]
    torch.manual_seed(seed)
    detector = DetectorNetwork() if weights is None else shipped(weights)
    detector.to(place).train()
    descent = torch.optim.AdamW(detector.parameters(), weight_decay=1e-4)
    checkpoint, first, began = out / "checkpoint.pt", 0, time.monotonic()
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=place)
        detector.load_state_dict(state["weights"])
        descent.load_state_dict(state["descent"])
        first = state["step"]
    fastest = rate * min(STEEPEST, math.sqrt(batch / BATCH))
    chance = torch.Generator(place).manual_seed(seed * 1_000_003 + first)
    loader = DataLoader(
        Parts(taught, seed, first), batch, pin_memory=place.type == "cuda",
        num_workers=processes if processes > 1 else 0,
    )  # fmt: skip
    seen: list[dict[str, Tensor]] = []
    for step, (pixels, *answers) in enumerate(loader, start=first + 1):
        spent = (time.monotonic() - began) / 60
        done = max(step / steps, spent / minutes)
        descent.param_groups[0]["lr"] = fastest * min(1.0, step / WARM) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
        with halved(place):
            heat, plan = detector(recoloured(pixels.to(place, non_blocking=True), chance))
        loss, told = loss_of(heat, plan, *(answer.to(place, non_blocking=True) for answer in answers))
        descent.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(detector.parameters(), 5.0)
        descent.step()
        seen.append(told)
        over = done >= 1
        if step % 100 == 0 or over:
            means = ", ".join(f"{name} {torch.stack([each[name] for each in seen]).mean():.3f}" for name in told)
            line = f"step {step}, {60 * spent:.0f} s, {len(paths)} pictures: {means}"
            seen = []
            if step % 500 == 0 or over:
                line += f"; apart: {judged(detector, apart, place)}"
                torch.save(
                    {"weights": detector.state_dict(), "descent": descent.state_dict(), "step": step}, checkpoint
                )
            print(line, flush=True)
            with (out / "log.txt").open("a") as log:
                log.write(line + "\n")
        if over:
            break
    detector.cpu()
    return detector


def export(detector: DetectorNetwork, path: Path) -> float:
    """Write `detector` as ONNX for pictures of any size; returns how far OpenCV's answers lie from its own.

    Raises RuntimeError where that is more than AGREEMENT.
    """
    told = Told(detector).eval()
    sample = torch.rand(1, 3, PART[1], PART[0])
    axes = {name: {2: f"{name} rows", 3: f"{name} cols"} for name in ("pixels", "heat", "plan")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the older exporter is the one that needs no further package
        torch.onnx.export(
            told, (sample,), str(path), input_names=["pixels"], output_names=["heat", "plan"], dynamic_axes=axes,
            dynamo=False,
        )  # fmt: skip
    network = cv2.dnn.readNetFromONNX(str(path))
    gap = 0.0
    for wide, high in (PART, (640, 400), (400, 8 * PLANS)):
        sample = torch.rand(1, 3, high, wide)
        with torch.no_grad():
            wanted = told(sample)
        network.setInput(sample.numpy(), "pixels")
        for mine, other in zip(network.forward(["heat", "plan"]), wanted, strict=True):
            gap = max(gap, float(np.abs(mine - other.numpy()).max()))
    if gap > AGREEMENT:
        raise RuntimeError(f"{path} answers {gap:.2g} beside its original")
    return gap


def main() -> None:
    """Draws, fits, and writes the network."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True, help="the folder of drawn pictures")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the checkpoint, the log and the network")
    parser.add_argument("--pictures", type=int, default=0, help="to be drawn of --seed, all in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=0, help="of the whole fit")
    parser.add_argument("--minutes", type=float, default=math.inf, help="of the fit at most; its rate falls with them")
    parser.add_argument("--batch", type=int, default=BATCH, help="parts a step")
    parser.add_argument("--processes", type=int, default=1, help="that draw, and that cut out the parts")
    parser.add_argument("--weights", type=Path, help="of a network to go on from, as this writes it")
    parser.add_argument("--rate", type=float, default=RATE, help=f"of learning from {BATCH} parts a step")
    parser.add_argument("--kept", type=Path, help="weights, as of --weights, that are mixed with what was learned")
    parser.add_argument("--share", type=float, default=0.6, help="of what was learned in that")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    keep(options.cache, options.pictures, options.seed, processes=options.processes)
    if options.steps:
        detector = fit(
            options.cache, options.out, seed=options.seed, steps=options.steps, minutes=options.minutes,
            batch=options.batch, processes=options.processes, weights=options.weights, rate=options.rate,
        )  # fmt: skip
        if options.kept:
            detector = mixed(detector, shipped(options.kept), options.share)
        print(f"OpenCV answers within {export(detector, options.out / 'detector.onnx'):.2g}")


if __name__ == "__main__":
    main()
