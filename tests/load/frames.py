"""Requests as bytes on the wire, for generators that know HTTP/2 and no gRPC."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from google.protobuf import json_format

from findspot.v1 import query_pb2

REQUESTS = {
    "findspot.v1.QueryService/Search": query_pb2.SearchRequest,
    "findspot.v1.QueryService/GetChunk": query_pb2.GetChunkRequest,
}


def write_frame(call: str, data_file: Path, into: Path) -> Path:
    """Writes the first request of a data file as one gRPC frame: a zero byte, the length, the message."""
    first = json.loads(data_file.read_text())[0]
    body = json_format.ParseDict(first, REQUESTS[call]()).SerializeToString()
    into.write_bytes(b"\x00" + struct.pack(">I", len(body)) + body)
    return into
