"""Damage to good inputs: bytes, words and numbers exchanged, cut, doubled, spliced; single values of JSON and TOML."""

from __future__ import annotations

import contextlib
import json
import tomllib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tomli_w

WORDS: tuple[bytes, ...] = tuple(
    word.encode()
    for word in (
        *("", " ", "\n", "\r\n", "\t", "\0", "0", "-1", "1", "9", "64", "65", "255", "256", "4294967296", "1e999"),
        *("-0.0", "NaN", "nan", "inf", "-inf", "Infinity", "null", "None", "true", "{}", "[]", '""', "[[[[", "}", "]"),
        *("/", "//", "@", " @0,0", " @-1,9", ",", ":", "-", "+", ".", "..", "../../etc/passwd", "\\", '"', "'", "é"),
        *("\u0661", "\u00b2", "\uff11", "\ud7ff", "\U0001f600", "a1", "e2", "e3h", "t20", "a0", "z9", "B[]", "(;"),
        *("GM[Blokus]", ";", ")", "9" * 400, "9" * 5000, "[" * 2000, "(" * 2000, "{" * 2000, "a" * 70_000),
        *("%n%s", "\x1b[31m"),
    )
)
"""Words that programs fall over."""

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 255, 256, 10**6, 2**31, 2**63, 10**30, -(10**30), 0.5, -0.5, 1e-300, 1e300),
    *(float("inf"), float("nan"), "", "x", "0", "-1", "../x", "a\0b", "\ud7ff", "x" * 5000, [], [[]], [0], [1, 2], {}),
    *([None], [[1]], [0] * 300, ["a", "b"], {"x": 1}, [float("nan")] * 2, [10**30] * 2, [-1, -1], [1, 2, 3, 4]),
)
"""Values of the wrong kind, size or sign."""


def damaged(seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """One of `seeds`, damaged once or a few times."""
    data = seeds[int(rng.integers(len(seeds)))]
    for _ in range(1 + min(int(rng.geometric(0.6)), 6)):
        data = _DAMAGES[int(rng.integers(len(_DAMAGES)))](data, seeds, rng)
    return data


def _flip(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    if not data:
        return b"\x00"
    at, damaged_bytes = int(rng.integers(len(data))), bytearray(data)
    damaged_bytes[at] = int(rng.integers(256)) if rng.integers(2) else damaged_bytes[at] ^ (1 << int(rng.integers(8)))
    return bytes(damaged_bytes)


def _cut(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    first, last = sorted(rng.integers(len(data) + 1, size=2).tolist())
    return data[:first] if rng.integers(3) == 0 else data[:first] + data[last:]


def _double(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    first, last = sorted(rng.integers(len(data) + 1, size=2).tolist())
    times = int(rng.choice((2, 3, 40)))
    return data[:first] + data[first:last][:2_000] * times + data[last:]


def _insert(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    at, word = int(rng.integers(len(data) + 1)), WORDS[rng.integers(len(WORDS))]
    return data[:at] + word + data[at + int(rng.integers(2)) * len(word) :]


def _number(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """One of its digits, with those that follow, becomes another number."""
    digits = [at for at, byte in enumerate(data[:4_000]) if 48 <= byte <= 57]
    if not digits:
        return data
    at = end = digits[rng.integers(len(digits))]
    while end < len(data) and 48 <= data[end] <= 57:
        end += 1
    number = str(rng.choice((0, -1, 1, 7, 99, 1000, 2**31, 2**63))).encode()
    return data[:at] + number + data[end:]


def _splice(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    other = seeds[int(rng.integers(len(seeds)))]
    return data[: int(rng.integers(len(data) + 1))] + other[int(rng.integers(len(other) + 1)) :]


def _value(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """A value of JSON or TOML becomes another one, or goes, or gets company; other inputs stay."""
    lines = data.split(b"\n") if data[:1] == b"{" else [data]
    at = int(rng.integers(len(lines)))
    toml = data[:1] != b"{"
    try:
        content = tomllib.loads(lines[at].decode()) if toml else json.loads(lines[at])
    except (ValueError, RecursionError):
        return data
    if not isinstance(content, dict) or not content:
        return data
    _damage_value(content, rng)
    with contextlib.suppress(TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        lines[at] = tomli_w.dumps(content).encode() if toml else json.dumps(content).encode()
    return b"\n".join(lines)


def _damage_value(content: Any, rng: np.random.Generator) -> None:
    """Changes one value somewhere in a table or list."""
    while True:
        keys = list(content) if isinstance(content, dict) else list(range(len(content)))
        key = keys[rng.integers(len(keys))]
        if not isinstance(content[key], dict | list) or not content[key] or rng.integers(4) == 0:
            break
        content = content[key]
    fate = rng.integers(6)
    if fate == 0:
        del content[key]
    elif fate == 1 and isinstance(content, dict):
        content[str(rng.choice(("x", "", "game", "kind", "size", "rows")))] = content[key]
    else:
        content[key] = VALUES[rng.integers(len(VALUES))]


_DAMAGES: tuple[Callable[[bytes, Sequence[bytes], np.random.Generator], bytes], ...] = (
    _flip,
    _cut,
    _double,
    _insert,
    _insert,
    _number,
    _splice,
    _value,
    _value,
    _value,
)
"""Each kind of damage as often as it stands here."""
