"""Which models a starting suite has to load beside the configured one: those whose vectors its index needs."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from findspot.config import DEFAULT_DATA
from findspot.errors import FindspotError
from findspot.settings.sources import read_sources

log = logging.getLogger(__name__)

ALSO_LOAD = "FINDSPOT_EMBEDDING_ALSO_LOAD"


def model_environment(data: Path, manifest: str = "") -> Mapping[str, str]:
    """What the embedding service of this folder has to be told beyond its settings; nothing when they suffice.

    `manifest` is the URL of the manifest where it is not in the folder.
    After a change of the configured model the one before has to be loaded too: it serves until the other is full.
    """
    sources = read_sources(data, Path(DEFAULT_DATA))
    provider = sources.find("embedding", "provider", False, str)
    if provider is not None and provider[0] == "none":
        return {}
    model = sources.find("embedding", "model", False, str)
    stated = sources.find("embedding", "also_load", False, tuple[str, ...])
    needed = needed_models(data, manifest, str(model[0]) if model else "")
    configured = [str(name) for name in stated[0]] if stated else []
    more = [source for source in needed if source not in configured]
    return {ALSO_LOAD: json.dumps([*configured, *more])} if more else {}


def needed_models(data: Path, manifest: str, model: str) -> Sequence[str]:
    """Sources of the identities whose models the index needs: the one that serves and the one being filled.

    One that is being filled because the settings named it is left out when they name another `model` now: it will be
    set aside. A manifest that is not there, or that cannot be read yet, needs none.
    """
    if not manifest and not (data / "manifest.sqlite").is_file():
        return []
    # Only here: commands that read no manifest do not wait for SQLAlchemy.
    from findspot.stores.manifest import identities, schema
    from findspot.stores.manifest.engine import open_engine, read_snapshot

    engine = open_engine(manifest or data, read_only=True, pool_size=1)
    try:
        if schema.current_revision(engine) not in schema.READABLE:
            return []
        with read_snapshot(engine) as snapshot:
            return [
                needed.source
                for needed in identities.needed(snapshot.connection)
                if needed.source and not (needed.was_configured and _is_another(needed.source, model))
            ]
    except FindspotError as failure:
        log.warning("Only the configured embedding model is loaded: %s", failure.message)
        return []
    finally:
        engine.dispose()


def _is_another(source: str, model: str) -> bool:
    folder = Path(model).expanduser()
    return source != (str(folder.resolve()) if model and folder.is_dir() else model)
