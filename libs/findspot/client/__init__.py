"""The Python client: `Client` for synchronous callers, `AsyncClient` the same over asyncio.

Both answer with the API's own messages and raise `findspot.errors.FindspotError`.
"""

from findspot.client.aio import AsyncClient
from findspot.client.connect import connect_async, connect_sync
from findspot.client.sync import Client

__all__ = ["AsyncClient", "Client", "connect_async", "connect_sync"]
