"""The token in the address that a terminal prints: only who has it, or the cookie it left, is shown anything."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from games.core import SettingsError

ENVIRONMENT = "BOARDSIGHT_TOKEN"
"""The environment variable that keeps the token over several starts; nobody else's processes can read it."""

SHORTEST = 16
"""Characters of a token at least."""


def choose_token(environment: Mapping[str, str]) -> str:
    """A fresh token, or the one that `environment` names; raises SettingsError for one that could be guessed."""
    token = environment.get(ENVIRONMENT) or secrets.token_urlsafe(24)
    if len(token) < SHORTEST or not token.isascii() or not token.replace("-", "").replace("_", "").isalnum():
        raise SettingsError(
            f"${ENVIRONMENT} is no token: give at least {SHORTEST} letters, digits, '-' and '_' that nobody guesses"
        )
    return token


def with_token(address: str, token: str) -> str:
    """The address of a page that is opened with the token."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode({'token': token})}"


def asked_with(query: str) -> str:
    """The token in a request's query, "" for none."""
    try:
        return parse_qs(query, max_num_fields=20).get("token", [""])[-1]
    except ValueError:
        return ""


def kept_in(cookies: str, name: str) -> str:
    """The token in a request's cookies, "" for none."""
    try:
        found = SimpleCookie(cookies).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def cookie_name(port: object) -> str:
    """What the cookie of the server on `port` is called: a host's cookies are the same for all of its ports."""
    return f"boardsight-{port}"


def cookie_for(name: str, token: str) -> str:
    """The header that has a browser keep the token for this site's own pages, out of the reach of their scripts."""
    return f"{name}={token}; Path=/; HttpOnly; SameSite=Strict"


def is_token(given: str, token: str) -> bool:
    """Whether they are the same; takes as long for one that is nearly right."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), token.encode())
