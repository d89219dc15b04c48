"""What the browser tests wait with."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Frame, Page


def until(page: Page | Frame, true: str, arg: Any = None) -> None:
    """Waits for what shall become true on the page.

    Asked from outside again and again: Playwright's own `wait_for_function` asks in the page, where a policy that
    forbids `eval` ends it with an error unless it is true at once.
    """
    for _ in range(3000):
        if page.evaluate(true, arg):
            return
        page.wait_for_timeout(20)
    pytest.fail(f"never true: {true}")
