#!/bin/sh
# Installs what the tests need beside Python: a virtual X display, a browser and a game nobody here wrote.
# Does nothing where all of it is there; says what is missing where it may not install it.
set -eu
export PATH="$PATH:/usr/games"

has() { command -v "$1" >/dev/null 2>&1; }
missing() {
    has Xvfb || echo xvfb
    has openbox || echo openbox
    has xdotool || echo xdotool
    has sgt-flood || echo sgt-puzzles
    has chromium || has google-chrome || [ -n "${BOARDSIGHT_CHROMIUM:-}" ] || echo chromium
}

wanted=$(missing)
[ -n "$wanted" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif has sudo && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    as_root=none
fi
if [ "$as_root" = none ] || ! has apt-get; then
    echo "The tests need:" $wanted >&2
    echo "Install that (Debian, Ubuntu: sudo apt-get install ...), or run only the tests that do without:" >&2
    echo "    .venv/bin/python -m pytest -m 'not browser and not display'" >&2
    exit 1
fi

echo "Installing for the tests:" $wanted
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
for package in $wanted; do # one by one: a distribution that lacks one of them still gets the others
    $as_root apt-get install -y -qq --no-install-recommends "$package" || true
done

wanted=$(missing)
case $wanted in
"") ;;
chromium) # Ubuntu has it only as a snap, which many machines cannot run
    echo "Chromium could not be installed: the tests marked 'browser' will be skipped." >&2
    echo "Install any Chrome or Chromium and name it in BOARDSIGHT_CHROMIUM to run them." >&2
    ;;
*)
    echo "These could not be installed:" $wanted >&2
    exit 1
    ;;
esac
