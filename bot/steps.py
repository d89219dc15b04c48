"""What a person does on a page before its game is there, in Playwright's words: a verb, and what it is done to.

``click text=Play vs CPU``, ``select #level=Hard``, ``fill #name=Ann``, ``press Enter``.  What a `click` names is a
selector of Playwright's: CSS, or ``text=WORDS``.
"""

from __future__ import annotations

from typing import NamedTuple

from games.core import SettingsError

WITH_VALUE = ("select", "fill")
"""The verbs that need a value, which follows the last "="."""

VERBS = ("click", "press", *WITH_VALUE)


class Step(NamedTuple):
    """One of the VERBS, what it is done to, and with what: "" for verbs that need nothing."""

    verb: str
    target: str
    value: str


def parse_step(text: str) -> Step:
    """The step that a text names; raises SettingsError.

    >>> parse_step("select #level=Very hard")
    Step(verb='select', target='#level', value='Very hard')
    """
    verb, _, target = text.strip().partition(" ")
    target, value = target.strip(), ""
    if verb in WITH_VALUE:
        target, _, value = target.rpartition("=")
    if verb not in VERBS or not target:
        raise SettingsError(
            f"before {text!r} is no step: write click SELECTOR, select SELECTOR=OPTION, fill SELECTOR=TEXT "
            "or press KEY, such as 'click text=Play vs CPU'"
        )
    return Step(verb, target, value)
