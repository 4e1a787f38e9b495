"""What every group of `IndexingService`'s methods starts from."""

from __future__ import annotations

from findspot.v1 import indexing_pb2_grpc
from findspot_indexing.service import Indexing


class Methods(indexing_pb2_grpc.IndexingServiceServicer):
    """The service that all methods call; one that is not overridden answers NOT_YET_AVAILABLE."""

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing
