"""Starts one service as a child that never outlives its supervisor: `python -m findspot.suite.child FD NAME`."""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
import sys
import threading

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Ties this process to the supervisor, then serves until told to stop."""
    parent_pipe, name = int(sys.argv[1]), sys.argv[2]
    die_with_parent(parent_pipe)
    importlib.import_module(f"findspot_{name}.main").main()


def die_with_parent(parent_pipe: int) -> None:
    """Ends this process at once when the other end of `parent_pipe` closes, or when the kernel says so.

    The signal (Linux) works even when this process hangs in native code; the pipe works everywhere, and closes the
    gap between the start of this process and the request for the signal.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_end_with, args=(parent_pipe,), name="parent-watch", daemon=True).start()


def _end_with(pipe: int) -> None:
    os.read(pipe, 1)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
