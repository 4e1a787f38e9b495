"""Waiting for work or for a time, whichever is first."""

from __future__ import annotations

import asyncio
from contextlib import suppress


async def pause(event: asyncio.Event, seconds: float) -> None:
    """Return when the event is set, or after some seconds; at once for 0 or less."""
    if seconds > 0:
        # Not `wait_for`: in Python 3.11 it can lose a cancellation that comes together with the event.
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await event.wait()
