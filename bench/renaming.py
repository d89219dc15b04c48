"""Whether two things that were told are the same but for the names of their kinds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable


def renamed(one: Iterable[Hashable], other: Iterable[Hashable]) -> bool:
    """Whether each name in `one` stands for one and the same in `other`, and the other way round.

    Raises ValueError where they are not of the same length.

    >>> renamed("0120", "abca"), renamed("0120", "abcb"), renamed("012", "aba")
    (True, False, False)
    """
    pairs = set(zip(one, other, strict=True))
    return len(pairs) == len({name for name, _ in pairs}) == len({name for _, name in pairs})
