"""The one way to import `qdrant_client`: without fastembed, and without the client where the messages are
enough.

`import qdrant_client` imports fastembed, and with it onnxruntime, wherever they are installed, and builds
some hundred
pydantic models: 1.8 s and 85 MB, of which the gRPC messages and stubs, all that the services use, are 0.15 s.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING

_PACKAGE = "qdrant_client"
_UNWANTED = "fastembed"


def _load_wire() -> ModuleType:
    """`qdrant_client.grpc`, without running the package around it unless that was imported already."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None:
        raise ModuleNotFoundError(
            "qdrant-client is not installed; install the `stores` or `vectors` extra.", name=_PACKAGE
        )
    if _PACKAGE in sys.modules:
        return importlib.import_module(f"{_PACKAGE}.grpc")
    # A package that has its path but has not run is enough to import what lies in it. Taken away again at
    # once: whoever
    # wants the client later imports the package as always, and finds these messages already there.
    sys.modules[_PACKAGE] = importlib.util.module_from_spec(spec)
    try:
        return importlib.import_module(f"{_PACKAGE}.grpc")
    finally:
        del sys.modules[_PACKAGE]


@contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Makes a module impossible to import inside the block, unless it is loaded already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # what the import system takes as "cannot be imported"
    try:
        yield
    finally:
        del sys.modules[name]


def load_client() -> ModuleType:
    """The whole `qdrant_client` package, with its clients and models, without fastembed (1.2 s the first
    time)."""
    with _hidden(_UNWANTED):
        package = importlib.import_module(_PACKAGE)
    package.__dict__.setdefault("grpc", wire)
    return package


if TYPE_CHECKING:
    from qdrant_client import grpc as wire
else:
    wire = _load_wire()

__all__ = ["load_client", "wire"]
