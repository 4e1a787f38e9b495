"""An HTTP endpoint as provider, against a real server: what it is sent, and what each failure is called."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from http_endpoint import ScriptedEndpoint, serving_endpoint, vectors_for
from tiny_bert import write_tiny_bert

from findspot.errors import (
    FailedPrecondition,
    FindspotError,
    PermissionDenied,
    Reason,
    Unavailable,
)
from findspot.model import InputType
from findspot_embedding.endpoint import BODY_KEPT, Endpoint, EndpointOptions
from findspot_embedding.identity import Prefixes
from findspot_embedding.provider import Refusal


@pytest.fixture
def script() -> Iterator[ScriptedEndpoint]:
    with serving_endpoint() as scripted:
        yield scripted
        for provider in scripted.callers:
            provider.close()


def provider(script: ScriptedEndpoint, **options: Any) -> Endpoint:
    """A provider that the fixture closes."""
    made = Endpoint(EndpointOptions(url=script.url, model="org/some-model", **({"dimension": 4} | options)))
    script.callers.append(made)
    return made


def failure(script: ScriptedEndpoint, **options: Any) -> FindspotError:
    endpoint = provider(script, **options)
    with pytest.raises(FindspotError) as raised:
        endpoint.embed(["some text"], InputType.DOCUMENT)
    return raised.value


def test_texts_go_out_with_model_key_and_prefix_and_vectors_come_back_normalised(
    script: ScriptedEndpoint,
) -> None:
    endpoint = provider(
        script,
        api_key="secret",
        prefixes=Prefixes(document="passage: ", query="query: "),
        send_dimension=True,
    )
    rows = endpoint.embed(["a", "bbb"], InputType.DOCUMENT)
    endpoint.embed(["a"], InputType.QUERY)
    assert script.requests[0] == {
        "path": "/v1/embeddings",
        "model": "org/some-model",
        "input": ["passage: a", "passage: bbb"],
        "encoding_format": "float",
        "dimensions": 4,
    }
    assert script.requests[1]["input"] == ["query: a"]
    assert script.headers[0]["authorization"] == "Bearer secret"
    assert np.allclose(np.linalg.norm(np.array(rows), axis=1), 1)
    assert endpoint.identity.display == "some-model@4"


def test_vectors_are_put_in_the_order_of_their_index(script: ScriptedEndpoint) -> None:
    def backwards(request: dict[str, Any]) -> tuple[int, Any]:
        return 200, {"data": vectors_for(request["input"])["data"][::-1]}

    expected = provider(script).embed(["a", "bbbb"], InputType.DOCUMENT)
    script.answer = backwards
    assert (np.array(provider(script).embed(["a", "bbbb"], InputType.DOCUMENT)) == np.array(expected)).all()


def test_an_unstated_dimension_is_asked_for_once(script: ScriptedEndpoint) -> None:
    endpoint = provider(script, dimension=0)
    assert endpoint.identity.dimension == 4
    endpoint.embed(["a"], InputType.DOCUMENT)
    assert [request["input"] for request in script.requests] == [["dimension"], ["a"]]
    assert "dimensions" not in script.requests[1]


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [
        (401, PermissionDenied, Reason.EMBEDDING_CREDENTIAL_REJECTED),
        (403, PermissionDenied, Reason.EMBEDDING_CREDENTIAL_REJECTED),
        (400, FailedPrecondition, Reason.EMBEDDING_REQUEST_REJECTED),
        (404, FailedPrecondition, Reason.EMBEDDING_REQUEST_REJECTED),
        (422, FailedPrecondition, Reason.EMBEDDING_REQUEST_REJECTED),
        (302, FailedPrecondition, Reason.EMBEDDING_REQUEST_REJECTED),
        (429, Unavailable, Reason.EMBEDDING_UNAVAILABLE),
        (500, Unavailable, Reason.EMBEDDING_UNAVAILABLE),
        (503, Unavailable, Reason.EMBEDDING_UNAVAILABLE),
    ],
)
def test_each_status_has_its_failure(
    script: ScriptedEndpoint, status: int, kind: type[FindspotError], reason: Reason
) -> None:
    script.answer = lambda request: (status, b"why it said so")
    error = failure(script)
    assert type(error) is kind
    assert error.reason is reason
    assert error.metadata["status"] == str(status)
    assert error.metadata["body"] == "why it said so"
    assert error.metadata["endpoint"] == f"{script.url}/embeddings"
    assert error.metadata["model"] == "org/some-model"
    assert (error.retry_after is not None) == (kind is Unavailable)


def test_retry_after_is_passed_on_within_reason(script: ScriptedEndpoint) -> None:
    script.answer = lambda request: (429, b"")
    script.extra_headers["Retry-After"] = "7"
    assert failure(script).retry_after == 7
    script.extra_headers["Retry-After"] = "86400"
    assert failure(script).retry_after == 60
    script.extra_headers["Retry-After"] = "Wed, 21 Oct 2026 07:28:00 GMT"
    assert failure(script).retry_after == 1


def test_a_long_body_is_cut_and_says_so(script: ScriptedEndpoint) -> None:
    script.answer = lambda request: (500, b"x" * (BODY_KEPT + 100))
    assert failure(script).metadata["body"].endswith("x [cut: 100 more characters]")


def test_an_endpoint_that_is_not_there_is_unavailable(script: ScriptedEndpoint) -> None:
    with serving_endpoint() as gone:
        pass
    error = failure(gone)
    assert (type(error), error.reason) == (Unavailable, Reason.EMBEDDING_UNAVAILABLE)


def test_an_endpoint_that_does_not_answer_in_time_is_unavailable(script: ScriptedEndpoint) -> None:
    answered = threading.Event()

    def late(request: dict[str, Any]) -> tuple[int, Any]:
        answered.wait(10)
        return 200, vectors_for(request["input"])

    script.answer = late
    error = failure(script, timeout=0.1)
    answered.set()
    assert (type(error), error.reason) == (Unavailable, Reason.EMBEDDING_UNAVAILABLE)
    assert "0.1 s" in error.message


@pytest.mark.parametrize(
    "body",
    [
        b"<html>welcome</html>",
        b"",
        {"error": "none"},
        {"data": []},
        {"data": [{"index": 0, "embedding": [1, 2, 3]}]},
        {"data": [{"index": 1, "embedding": [1, 2, 3, 4]}]},
        {"data": [{"index": 0, "embedding": [0, 0, 0, 0]}]},
        {"data": [{"index": 0, "embedding": ["a", "b", "c", "d"]}]},
        {"data": [{"index": 0, "embedding": [1, 2, 3, None]}]},
        {"data": [{"index": 0, "embedding": [1, 2, 3, 4]}] * 2},
        b'{"data": [{"index": 0, "embedding": [NaN, 1, 1, 1]}]}',
        ["not an object"],
    ],
    ids=lambda body: str(body)[:40],
)
def test_a_success_without_sound_vectors_is_an_invalid_response(script: ScriptedEndpoint, body: Any) -> None:
    script.answer = lambda request: (200, body)
    error = failure(script)
    assert (type(error), error.reason) == (FailedPrecondition, Reason.EMBEDDING_RESPONSE_INVALID)
    shown = body.decode() if isinstance(body, bytes) else json.dumps(body)
    assert error.metadata["body"] == shown


def test_one_text_at_fault_fails_alone(script: ScriptedEndpoint) -> None:
    def picky(request: dict[str, Any]) -> tuple[int, Any]:
        if "bad" in request["input"]:
            return 400, b"one of them is bad"
        return 200, vectors_for(request["input"])

    script.answer = picky
    outcomes = provider(script).embed(["good", "bad", "fine"], InputType.DOCUMENT)
    assert [isinstance(outcome, Refusal) for outcome in outcomes] == [False, True, False]
    assert isinstance(outcomes[1], Refusal)
    assert outcomes[1].reason is Reason.EMBEDDING_REQUEST_REJECTED


def test_a_rejection_of_every_text_is_a_failure_of_the_call(script: ScriptedEndpoint) -> None:
    script.answer = lambda request: (422, b"never")
    with pytest.raises(FailedPrecondition) as raised:
        provider(script).embed(["a", "b"], InputType.DOCUMENT)
    assert raised.value.reason is Reason.EMBEDDING_REQUEST_REJECTED


def test_texts_over_the_limit_are_refused_before_they_are_sent(
    script: ScriptedEndpoint, tmp_path: Path
) -> None:
    write_tiny_bert(tmp_path / "tiny")
    endpoint = provider(script, input_limit=8, tokenizer=tmp_path / "tiny" / "tokenizer.json")
    outcomes = endpoint.embed(["word " * 6, "word " * 7, "cat"], InputType.DOCUMENT)
    assert [isinstance(outcome, Refusal) for outcome in outcomes] == [False, True, False]
    assert isinstance(outcomes[1], Refusal)
    assert outcomes[1].reason is Reason.EMBEDDING_INPUT_TOO_LONG
    assert "9 tokens" in outcomes[1].message
    assert script.requests[0]["input"] == ["word " * 6, "cat"]
    assert endpoint.token_starts(["word cat"])[0].tolist() == [0, 5]
    # Nothing left to ask for: no request at all.
    script.requests.clear()
    endpoint.embed(["word " * 7], InputType.DOCUMENT)
    assert script.requests == []


def test_without_a_tokenizer_each_byte_counts(script: ScriptedEndpoint) -> None:
    endpoint = provider(script, input_limit=10)
    assert endpoint.token_starts(["aé日😀"])[0].tolist() == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    outcome = endpoint.embed(["é" * 5], InputType.DOCUMENT)[0]
    assert isinstance(outcome, Refusal)
    assert "bytes (no tokenizer is configured)" in outcome.message
    assert not isinstance(endpoint.embed(["é" * 4], InputType.DOCUMENT)[0], Refusal)


def test_a_tokenizer_that_cannot_be_read_is_named(script: ScriptedEndpoint, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{}")
    with pytest.raises(FailedPrecondition, match=r"broken\.json"):
        provider(script, tokenizer=tmp_path / "broken.json")
