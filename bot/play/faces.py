"""What a control shows under the pointer: what it did when it was found, or what it does whenever the pointer comes."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bot.play.observer import Observer
from calibration.frame import Frame
from calibration.targets import TargetPatch, faded, fills, lit_up, same_outline, same_sign, same_tint
from games.core import CONFIRM


class ControlFaces:
    """Compares the controls that `observer` sees with what they were."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._pointed: dict[str, TargetPatch] = {}  # what fills a kind of controls under the pointer
        self._on = ""  # the control so filled that the pointer may still be on

    def known(self, control: str) -> TargetPatch:
        """What a control looked like when it was found, or looks like, the pointer elsewhere: see Observer.picture.

        What fills it under the pointer is none of its looks if it stays when the pointer goes.
        """
        observer, kind = self._observer, _kind(control)
        known = observer.picture(control)
        if kind in self._pointed and control != self._on:
            now = observer.patch(control, observer.look([observer.surroundings(control)]))
            if not same_sign(known, now):
                del self._pointed[kind]
        return known

    def unlike(self, control: str, known: TargetPatch, frame: Frame) -> str:
        """Why a control is not what is `known` of it in `frame`, with the pointer on it; "" where it is.

        It may be filled as far as it reached, and bear no sign, where it is again once the pointer was elsewhere.
        """
        observer, kind = self._observer, _kind(control)
        now = observer.patch(control, frame)
        siblings = [each for name, each in observer.patches.items() if _kind(name) == kind != name]
        plain = kind == "colour" and now.plain and any(each.bare for each in siblings)  # a mark of the last one is gone
        bodies = [each.area for each in siblings if each.bare]
        signless = kind == "colour" and 2 * len(bodies) > len(siblings)
        if signless and all(is_signed(each, bodies) for each in (known, now)):
            return f"the control {control} bears a sign, as most other colours do not"
        lit = control == CONFIRM and lit_up(known, now)  # it can be used only where a move is shown
        if not same_sign(known, now) and not plain and not lit:
            if kind in self._pointed and same_sign(self._pointed[kind], now):
                self._on = control
                return ""
            if now.bare and fills(known, now):
                self._pointed[kind], self._on = now, ""
            return f"the control {control} bears another sign than it did"
        others = [each.colour for each in siblings if each is not known]
        same = same_tint(known.colour, now.colour, others) or (kind != "colour" and same_outline(known, now))
        if not same and (faded(known, now) or not known.bare):  # a sign may have another colour under the pointer
            same = observer.refound(control, now)
        if (now.bare or others) and not same:
            return f"the control {control} has another colour than it had: {_words(known)}, now {_words(now)}"
        return ""


def _kind(control: str) -> str:
    """What the name of a control begins with, of which there may be several."""
    return control.partition(":")[0]


def is_signed(patch: TargetPatch, bodies: Sequence[int]) -> bool:
    """Whether a button bears a sign, unlike those of `bodies` pixels: the inside of a letter is bare, but small.

    A small button is no letter, nor is one of which little was looked at.
    """
    return patch.signed or (2 * patch.area < median(bodies) and not patch.plain)


def _words(patch: TargetPatch) -> str:
    return f"RGB ({', '.join(f'{part:.0f}' for part in patch.colour)})"
