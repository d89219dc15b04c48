"""Networks in ONNX files, computed by ONNX Runtime on one thread: no torch, and nothing in the file can run code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.learned.card import ModelError

OUTPUTS = ("policy", "value", "q")
"""What a network may answer: logits of the moves, float32[n, actions]; the result for the side to move from -1 to 1,
float32[n]; the worth of each move to the side to move, float32[n, actions]."""

MOST_SIDE = 1024
"""Planes, rows and columns that a network takes at most."""

PAIRS = ("planes", "actions", "seats")
"""The inputs of a network that judges pairs of a position and a move."""


class Network:
    """A network with the input ``float32[n, planes, rows, cols]`` and outputs named as in OUTPUTS.

    One that judges pairs takes ``actions`` and ``seats`` as well, int64[n] each, sees the move's own cells in a last
    plane, and answers with ``q``, float32[n].
    """

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        """Load it; raises ModelError where the file is none."""
        import onnxruntime  # no other solver waits for it

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = threads
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its errors have no common class
            raise ModelError(f"{path} is no network that ONNX Runtime can load: {error}") from error
        self.outputs: tuple[str, ...] = tuple(output.name for output in self._session.get_outputs())
        self.inputs: tuple[str, ...] = tuple(each.name for each in self._session.get_inputs())
        self.shape: tuple[int, ...] = tuple(self._session.get_inputs()[0].shape[1:])
        if self.inputs not in (("planes",), PAIRS) or not self.outputs or set(self.outputs) - set(OUTPUTS):
            raise ModelError(f"{path} answers {', '.join(self.outputs)}: a player's network answers {OUTPUTS}")
        if len(self.shape) != 3 or not all(isinstance(side, int) and 0 < side <= MOST_SIDE for side in self.shape):
            raise ModelError(f"{path} takes planes of {self.shape}: a player's network says how many, and of what size")

    def check(self, actions: int) -> None:
        """Asks it once, for nothing; raises ModelError unless it answers as a player of so many actions does."""
        one = np.zeros(1, np.int64)
        answers = self(np.zeros((1, *self.shape)), **({"actions": one, "seats": one} if self.judges_pairs else {}))
        for name, answer in answers.items():
            wanted = (1,) if name == "value" or self.judges_pairs else (1, actions)
            if not isinstance(answer, np.ndarray) or answer.shape != wanted:
                found = getattr(answer, "shape", "no array")
                raise ModelError(f"the network answers with {name} of {found}, where {wanted} was due")

    @property
    def judges_pairs(self) -> bool:
        """Whether it is asked about each move by itself."""
        return self.inputs == PAIRS

    def __call__(self, planes: NDArray[Any], **others: NDArray[np.int64]) -> dict[str, NDArray[np.float32]]:
        """The outputs by name, for [n, planes, rows, cols] of any number type; raises ModelError where it fails."""
        try:
            answers = self._session.run(None, {"planes": np.ascontiguousarray(planes, np.float32), **others})
        except Exception as error:
            raise ModelError(f"the network cannot be computed: {error}") from error
        return dict(zip(self.outputs, answers, strict=True))
