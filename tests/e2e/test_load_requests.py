"""The requests that load tests send are valid, through reflection, as ghz sends them."""

import json
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool, json_format, message_factory
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from tests.e2e.suite_process import LIBRARY, ROOT, Suite

CONFIGURATIONS = sorted((ROOT / "deploy" / "load").glob("*.ghz.json"))


@pytest.fixture(scope="module")
def library(suite: Suite) -> Suite:
    assert suite.run("add", str(LIBRARY), "--collection", "load/library").code == 0
    return suite


@pytest.mark.parametrize("file", CONFIGURATIONS, ids=lambda file: file.name)
def test_every_request_is_answered(library: Suite, file: Path) -> None:
    configuration = json.loads(file.read_text())
    requests = json.loads((ROOT / configuration["data-file"]).read_text())
    assert requests
    with grpc.insecure_channel(library.addresses["query"]) as channel:
        for request in requests:
            answer = call_by_reflection(channel, configuration["call"], request)
            assert answer.ByteSize() > 0


def call_by_reflection(channel: grpc.Channel, name: str, request: dict[str, Any]) -> Any:
    """Calls a method knowing nothing but its name and what the server's reflection tells."""
    pool = descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(channel))
    service, _, method = name.partition("/")
    assert reflected_symbol(channel, f"{service}.{method}"), "ghz asks for the method, not for its service"
    found = pool.FindServiceByName(service).methods_by_name[method]
    message = json_format.ParseDict(request, message_factory.GetMessageClass(found.input_type)())
    answer_class = message_factory.GetMessageClass(found.output_type)
    call = channel.unary_unary(
        f"/{name}",
        request_serializer=type(message).SerializeToString,
        response_deserializer=answer_class.FromString,
    )
    return call(message, timeout=10)


def reflected_symbol(channel: grpc.Channel, symbol: str) -> bool:
    """True when the server's reflection knows this name."""
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol)
    (answer,) = stub.ServerReflectionInfo(iter([request]), timeout=10)
    return bool(answer.HasField("file_descriptor_response"))
