"""Learning by temporal differences: a network, its slower copy that says what the next move is worth, an optimiser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from solvers.training.networks import descend, device

CLIP = 10.0
"""The norm that gradients are cut to, as in the published DQNs."""


class DifferenceLearner:
    """A network that learns and its slower copy.

    rate: of Adam.  lag: learning steps between two copies to the slower network.  learned: steps taken.
    """

    def __init__(self, make: Callable[[], nn.Module], *, rate: float, lag: int) -> None:
        self.place = device()
        self.network, self.slow = make().to(self.place), make().to(self.place)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=rate)
        self._lag, self.learned = lag, 0
        self.copy()

    def copy(self) -> None:
        """Bring the slower network up to date."""
        self.slow.load_state_dict(self.network.state_dict())
        self.slow.eval()

    def descend(self, loss: Tensor) -> float:
        """One step of learning from a loss, float32[]; returns it."""
        found = descend(self.optimiser, loss, clip=CLIP)
        self.learned += 1
        if self.learned % self._lag == 0:
            self.copy()
        return found

    def kept(self, name: str = "network") -> dict[str, Any]:
        """What a checkpoint keeps; name: under which the network stands there."""
        parts: dict[str, Any] = {name: self.network, "slow": self.slow, "optimiser": self.optimiser}
        return {key: part.state_dict() for key, part in parts.items()} | {"learned": self.learned}

    def restore(self, kept: dict[str, Any], name: str = "network") -> None:
        """Go on from what `kept` told."""
        self.network.load_state_dict(kept[name])
        self.slow.load_state_dict(kept["slow"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.learned = kept["learned"]
