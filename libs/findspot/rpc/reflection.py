"""Reflection that knows methods too: tools such as ghz ask for `package.Service.Method`, which the pool does not find."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FileDescriptor


class MethodsToo:
    """A descriptor pool in which the name of a method leads to the file of its service.

    The protocol asks for it: "a fully-qualified symbol name (e.g. <package>.<service>[.<method>])".
    """

    def __init__(self, pool: descriptor_pool.DescriptorPool | None = None) -> None:
        self._pool = descriptor_pool.Default() if pool is None else pool

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:
        """The file that defines a symbol. Raises KeyError when none does."""
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            service, _, method = symbol.rpartition(".")
            found = self._pool.FindServiceByName(service)
            if method not in found.methods_by_name:
                raise
            return found.file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)
