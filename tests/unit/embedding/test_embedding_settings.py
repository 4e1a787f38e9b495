"""From settings to models, and what an endpoint's failures look like to a caller of the service."""

from __future__ import annotations

from pathlib import Path

import pytest
from http_endpoint import serving_endpoint, vectors_for

from findspot.config import load_settings
from findspot.errors import FailedPrecondition, InvalidArgument, PermissionDenied, Reason, Unavailable
from findspot.model import InputType
from findspot.rpc.channel import ChannelOptions, open_channel
from findspot.rpc.peers.embedding import EmbeddingPeer
from findspot_embedding import packaged
from findspot_embedding.build import ensure_built
from findspot_embedding.config import EmbeddingSettings
from findspot_embedding.cores import usable_cores
from findspot_embedding.main import build, build_models, load_models
from findspot_embedding.packaged import SourceModel
from findspot_embedding.sources import sources_of


def test_every_setting_says_what_it_does() -> None:
    for name, field in EmbeddingSettings.model_fields.items():
        assert (field.description or "").endswith("."), name


def test_the_default_is_the_packaged_model_whose_identity_is_known_at_once() -> None:
    sources = sources_of(EmbeddingSettings(also_load=("BAAI/bge-small-en-v1.5",)))
    assert [source.label for source in sources] == [packaged.NAME, "BAAI/bge-small-en-v1.5"]
    assert sources[0].identity == packaged.DEFAULT.identity
    assert sources[1].identity is None
    assert sources_of(EmbeddingSettings(provider="none")) == []


def test_settings_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="needs `endpoint`"):
        load_settings(EmbeddingSettings, data=tmp_path, provider="openai")
    with pytest.raises(InvalidArgument, match="endpoint"):
        load_settings(EmbeddingSettings, data=tmp_path, provider="openai", endpoint="ftp://somewhere")


def test_the_key_is_never_shown() -> None:
    assert "hush" not in repr(EmbeddingSettings(api_key="hush"))


@pytest.mark.parametrize(("quota", "cores"), [("max 100000", None), ("50000 100000", 1), ("nonsense", None)])
def test_a_container_quota_bounds_the_threads(tmp_path: Path, quota: str, cores: int | None) -> None:
    (tmp_path / "cpu.max").write_text(quota)
    assert usable_cores(tmp_path / "cpu.max") == (cores or usable_cores(tmp_path / "absent"))


async def test_a_folder_is_served_as_a_model_with_the_prefixes_of_the_settings(
    tmp_path: Path, tiny: SourceModel
) -> None:
    folder = ensure_built(tmp_path / "models", lambda phase: None, tiny)
    settings = EmbeddingSettings(model=str(folder), document_prefix="dog ", also_load=(str(folder),))
    models = build_models(settings)
    await models.load()
    prefixed, plain = (models.engine(status.identity.key) for status in models.statuses() if status.identity)
    assert prefixed.identity.key != plain.identity.key, "a prefix changes every vector"
    assert prefixed.identity.special_tokens == plain.identity.special_tokens + 1
    seen = await prefixed.embed(["cat"], InputType.DOCUMENT)
    said = await plain.embed(["dog cat"], InputType.DOCUMENT)
    asked = await prefixed.embed(["dog cat"], InputType.QUERY)
    assert (seen[0] == said[0]).all()
    assert (asked[0] == said[0]).all()
    await models.close()


def test_a_model_that_is_named_twice_is_loaded_once_and_says_how_to_configure_it(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    settings = EmbeddingSettings(model=f"{folder}/", also_load=(str(folder), packaged.NAME, packaged.NAME))
    statuses = build_models(settings).statuses()
    assert [status.source for status in statuses] == [str(folder.resolve()), packaged.NAME]
    assert [status.active for status in statuses] == [True, False]


async def test_a_model_that_cannot_be_loaded_does_not_keep_the_configured_one_from_serving(
    tmp_path: Path, tiny: SourceModel
) -> None:
    folder = ensure_built(tmp_path / "models", lambda phase: None, tiny)
    models = build_models(EmbeddingSettings(model=str(folder), also_load=(str(tmp_path / "gone"),)))
    server = build(EmbeddingSettings(model=str(folder)), models)
    await server.start()
    async with open_channel(server.address, ChannelOptions(retry_attempts=1)) as channel:
        await load_models(server, models)
        here, gone = await EmbeddingPeer(channel).models()
    await server.stop(0)
    await models.close()
    assert (here.state, here.active, here.source) == ("READY", True, str(folder.resolve()))
    assert (gone.state, gone.active, gone.identity) == ("FAILED", False, None)
    assert "gone" in gone.message


async def test_two_models_of_one_endpoint_are_asked_for_by_their_names() -> None:
    with serving_endpoint() as script:
        script.answer = lambda request: (
            200,
            vectors_for(request["input"], 6 if request["model"] == "old" else 4),
        )
        settings = EmbeddingSettings(
            provider="openai", model="new", also_load=("old",), endpoint=script.url, dimensions=4
        )
        models = build_models(settings)
        await models.load()
        new, old = models.statuses()
        assert new.identity is not None
        assert old.identity is not None
        assert (new.identity.display, old.identity.display) == ("new@4", "old@6")
        await models.engine(old.identity.key).embed(["a"], InputType.DOCUMENT)
        assert script.requests[-1]["model"] == "old"
        await models.close()


async def test_failures_of_an_endpoint_reach_the_caller_with_their_reason_and_body() -> None:
    with serving_endpoint() as script:
        settings = EmbeddingSettings(provider="openai", model="m", endpoint=script.url, dimensions=4)
        models = build_models(settings)
        server = build(settings, models)
        await server.start()
        async with open_channel(server.address, ChannelOptions(retry_attempts=1)) as channel:
            await load_models(server, models)
            peer = EmbeddingPeer(channel)
            assert (await peer.embed(["a", "b"], InputType.DOCUMENT)).vectors.shape == (2, 4)

            script.answer = lambda request: (401, b"key expired")
            with pytest.raises(PermissionDenied) as denied:
                await peer.embed(["c"], InputType.QUERY)
            assert denied.value.reason is Reason.EMBEDDING_CREDENTIAL_REJECTED
            assert (denied.value.metadata["status"], denied.value.metadata["body"]) == ("401", "key expired")

            script.answer = lambda request: (404, b"x" * 5000)
            with pytest.raises(FailedPrecondition) as rejected:
                await peer.embed(["c"], InputType.QUERY)
            assert rejected.value.reason is Reason.EMBEDDING_REQUEST_REJECTED
            assert "more" in rejected.value.metadata["body"], "a cut body says that it was cut"

            script.answer = lambda request: (503, b"")
            with pytest.raises(Unavailable) as away:
                await peer.embed(["c"], InputType.QUERY)
            assert away.value.reason is Reason.EMBEDDING_UNAVAILABLE
            assert away.value.retry_after
        await server.stop(0)
        await models.close()
