#!/bin/sh
# Installs what the tests need beside Python: a virtual X display, a browser and a game nobody here wrote.
# Does nothing where all of it is there; says what is missing where it may not install it.
set -eu
export PATH="$PATH:/usr/games"

missing=
want() { # want COMMAND PACKAGE
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
want Xvfb xvfb
want openbox openbox
want xdotool xdotool
want sgt-flood sgt-puzzles
# Ubuntu's "chromium" is a transitional package for a snap, which containers cannot run: any Chrome will do.
command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || want chromium chromium

[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    as_root=none
fi
if [ "$as_root" = none ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "The tests need:$missing" >&2
    echo "Install them (Debian, Ubuntu: sudo apt-get install$missing), or run only the tests that do without:" >&2
    echo "    .venv/bin/python -m pytest -m 'not browser and not display'" >&2
    exit 1
fi
echo "Installing for the tests:$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086  # several packages, several words
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing
