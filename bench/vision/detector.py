"""Teach the detector: a small network that sees boards and the middles of their cells in drawn pictures.

usage: python -m bench.vision.detector --cache FOLDER --out FOLDER [--pictures N] [--seed S] [--steps N] [--minutes M]

Pictures are drawn first, small, until --cache holds N of that seed (a folder outside of the repository; what it holds
is used again, of every seed).  Then the network is fitted, going on from the checkpoint in --out if there is one:
losses stand in its log.txt, and at the end, or after --minutes, the network as it stands in detector.onnx, which
OpenCV answers alike.  Without pictures, steps or minutes that are left nothing is done.
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
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from bench.vision.samples import PART, Wanted, answer_of, keep, kept, load, part_of
from calibration.detect import KINDS, PLANS
from calibration.frame import Pixels

WIDTH = 48
"""Channels of the layers that look far."""

REACH = (1, 2, 4, 8, 4, 2, 1)
"""How many places of PLANS pixels apart the inputs of these layers lie: 350 pixels are seen at once."""

BATCH, RATE, WARM = 8, 2e-3, 200
"""Parts a step, the rate of learning and the steps until it is reached; it falls to nothing along a cosine."""

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
    """A block as one convolution, which does what it and its normalisation did."""
    assert isinstance(part, nn.Sequential)
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


def loss_of(heat: Tensor, plan: Tensor, answers: list[Wanted]) -> tuple[Tensor, dict[str, float]]:
    """What a step lowers, and its three parts: of the middles, of the kinds, and of the pitches (in octaves)."""
    wanted, heeded = (
        torch.from_numpy(np.stack(part)) for part in zip(*((a.heat, a.heeded) for a in answers), strict=True)
    )
    kinds = torch.from_numpy(np.stack([answer.kind for answer in answers]))
    pitch = torch.tensor([answer.pitch for answer in answers])
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
    return focal.mean() + cross + 0.3 * away, {name: float(value.detach()) for name, value in parts.items()}


def batches(paths: list[Path], rng: np.random.Generator) -> Iterator[tuple[Tensor, list[Wanted]]]:
    """Parts of the pictures, BATCH at a time, without end."""
    while True:
        parts = [part_of(*load(paths[int(each)]), rng) for each in rng.integers(len(paths), size=BATCH)]
        yield tensor_of([pixels for pixels, _ in parts]), [answer_of(truth) for _, truth in parts]


def tensor_of(pictures: list[Pixels]) -> Tensor:
    """float32[n, 3, h, w] in 0..1."""
    stacked = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float() / 255
    return stacked.contiguous(memory_format=torch.channels_last)


def rate_at(step: int, steps: int) -> float:
    """The rate of learning at a step."""
    return RATE * min(1.0, step / WARM) * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps)))


def judged(detector: DetectorNetwork, paths: list[Path]) -> str:
    """What is lost on pictures that were kept apart, each in one and the same part."""
    detector.eval()
    totals: dict[str, list[float]] = {}
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for path in paths[:160]:
            pixels, truth = part_of(*load(path), np.random.default_rng(7))
            heat, plan = detector(tensor_of([pixels]))
            for name, value in loss_of(heat, plan, [answer_of(truth)])[1].items():
                totals.setdefault(name, []).append(value)
    detector.train()
    return ", ".join(f"{name} {np.mean(values):.3f}" for name, values in totals.items())


def fit(cache: Path, out: Path, seed: int, steps: int, minutes: float) -> DetectorNetwork:
    """Teach a detector, or go on from the checkpoint in `out`, until that many steps are done or minutes are over."""
    paths = kept(cache)
    apart, taught = paths[::HELD_OUT], [path for at, path in enumerate(paths) if at % HELD_OUT]
    torch.manual_seed(seed)
    detector = DetectorNetwork().train()
    descent = torch.optim.AdamW(detector.parameters(), weight_decay=1e-4)
    checkpoint, first, began = out / "checkpoint.pt", 0, time.monotonic()
    if checkpoint.exists():
        state = torch.load(checkpoint)
        detector.load_state_dict(state["weights"])
        descent.load_state_dict(state["descent"])
        first = state["step"]
    parts = batches(taught, np.random.default_rng([seed, first]))
    seen: list[dict[str, float]] = []
    for step in range(first + 1, steps + 1):
        descent.param_groups[0]["lr"] = rate_at(step, steps)
        pictures, answers = next(parts)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            heat, plan = detector(pictures)
        loss, told = loss_of(heat, plan, answers)
        descent.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(detector.parameters(), 5.0)
        descent.step()
        seen.append(told)
        over = step == steps or (time.monotonic() - began) / 60 > minutes
        if step % 100 == 0 or over:
            means = ", ".join(f"{name} {np.mean([each[name] for each in seen]):.3f}" for name in told)
            line = f"step {step}, {time.monotonic() - began:.0f} s, {len(paths)} pictures: {means}"
            seen = []
            if step % 500 == 0 or over:
                line += f"; apart: {judged(detector, apart)}"
                torch.save(
                    {"weights": detector.state_dict(), "descent": descent.state_dict(), "step": step}, checkpoint
                )
            print(line, flush=True)
            with (out / "log.txt").open("a") as log:
                log.write(line + "\n")
        if over:
            break
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
    parser.add_argument("--minutes", type=float, default=math.inf, help="after which it stops, to be gone on with")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    keep(options.cache, options.pictures, options.seed)
    if options.steps:
        detector = fit(options.cache, options.out, options.seed, options.steps, options.minutes)
        print(f"OpenCV answers within {export(detector, options.out / 'detector.onnx'):.2g}")


if __name__ == "__main__":
    main()
