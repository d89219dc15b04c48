"""Runs a command, and ends it with everything it started as soon as whoever asked for it is gone, however that ended.

``python leash.py FD COMMAND...``, as the leader of a process group of its own: FD is the reading end of a pipe whose
writing end the asker alone holds, so that the system closes it when the asker ends, killed or not.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading


def _end_group() -> None:
    os.killpg(0, signal.SIGKILL)


def main(lease: int, command: list[str]) -> None:
    """Never returns: ends its own group when the command has ended or the pipe is closed."""

    def wait_for_asker() -> None:
        os.read(lease, 1)
        _end_group()

    threading.Thread(target=wait_for_asker, daemon=True).start()
    try:
        subprocess.run(command, check=False)
    except OSError as error:
        print(error, file=sys.stderr, flush=True)
    _end_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
