"""From settings to the models that are to be loaded."""

from __future__ import annotations

from pathlib import Path

from findspot_embedding import packaged
from findspot_embedding.build import ensure_built
from findspot_embedding.config import EmbeddingSettings
from findspot_embedding.identity import Prefixes, prefixes_of
from findspot_embedding.models import Progress, Source
from findspot_embedding.provider import Provider


def sources_of(settings: EmbeddingSettings) -> list[Source]:
    """The models that `settings` ask for, the active one first; none when the provider is `none`.

    One that is named twice is loaded once, unless the settings put other prefixes before its texts.
    """
    if settings.provider == "none":
        return []
    make = _endpoint if settings.provider == "openai" else _fastembed
    wanted = [
        (settings.model, _prefixes(settings)),
        *((model, prefixes_of(model)) for model in settings.also_load),
    ]
    found: dict[tuple[str, Prefixes | None], Source] = {}
    for model, prefixes in wanted:
        # The packaged model takes no prefixes.
        key = configured(model), None if model == packaged.NAME else prefixes
        found.setdefault(key, make(settings, model, prefixes))
    return list(found.values())


def configured(model: str) -> str:
    """A model as it has to be configured from wherever the service is started: a folder by its whole path."""
    folder = Path(model).expanduser()
    return str(folder.resolve()) if folder.is_dir() else model


def _prefixes(settings: EmbeddingSettings) -> Prefixes:
    published = prefixes_of(settings.model)
    return Prefixes(
        document=published.document if settings.document_prefix is None else settings.document_prefix,
        query=published.query if settings.query_prefix is None else settings.query_prefix,
    )


def _fastembed(settings: EmbeddingSettings, model: str, prefixes: Prefixes) -> Source:
    threads = settings.document_threads

    # fastembed is imported here, in the thread that loads a model: the service listens before it is there.
    def default(progress: Progress) -> Provider:
        folder = ensure_built(settings.data / "models", progress)
        progress("loading")
        from findspot_embedding.loading import load_built

        return load_built(folder, threads=threads)

    def other(progress: Progress) -> Provider:
        progress("loading")
        from findspot_embedding.loading import load_folder, load_named

        folder = Path(model).expanduser()
        if folder.is_dir():
            return load_folder(folder, prefixes, threads)
        cache = settings.model_cache or settings.data / "models" / "hub"
        return load_named(model, cache, prefixes, threads)

    if model == packaged.NAME:
        return Source(model, "fastembed", default, packaged.DEFAULT.identity)
    return Source(model, "fastembed", other, configured=configured(model))


def _endpoint(settings: EmbeddingSettings, model: str, prefixes: Prefixes) -> Source:
    """The configured model has the configured dimension; how many numbers another one gives is asked."""
    dimensions = settings.dimensions if model == settings.model else 0
    return Source(model, "openai", lambda progress: _connect(settings, model, prefixes, dimensions, progress))


def _connect(
    settings: EmbeddingSettings, model: str, prefixes: Prefixes, dimensions: int, progress: Progress
) -> Provider:
    progress("asking the endpoint" if dimensions == 0 else "connecting")
    from findspot_embedding.endpoint import Endpoint, EndpointOptions

    return Endpoint(
        EndpointOptions(
            url=settings.endpoint,
            model=model,
            api_key=settings.api_key.get_secret_value(),
            dimension=dimensions,
            send_dimension=settings.send_dimensions,
            input_limit=settings.input_limit,
            tokenizer=settings.tokenizer,
            prefixes=prefixes,
            revision=settings.model_revision,
            texts_per_call=settings.endpoint_texts,
            connections=settings.endpoint_connections,
            timeout=settings.endpoint_timeout_seconds,
            query_timeout=settings.query_timeout_seconds,
        )
    )
