"""What `findspot sync` does with the collection before it syncs, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from findspot.cli.sync import Asked, _finish, _settle
from findspot.client.directories import collection_message
from findspot.errors import FailedPrecondition, InvalidArgument, NotFound, Reason
from findspot.v1 import collection_pb2

PATH = "acme/notes"


class FakeClient:
    """The collections of a suite that nobody runs."""

    def __init__(self, *found: collection_pb2.Collection) -> None:
        self.found = {collection.path: collection for collection in found}

    async def collection(self, path: str) -> collection_pb2.Collection:
        if path not in self.found:
            raise NotFound(f"There is no collection {path}.", reason=Reason.COLLECTION_NOT_FOUND)
        copy = collection_pb2.Collection()
        copy.CopyFrom(self.found[path])
        return copy

    async def create_collection(self, path: str, *, root: str, ignore: Any) -> None:
        self.found[path] = collection_message(path, root, False, ignore)

    async def update_collection(self, collection: collection_pb2.Collection) -> None:
        self.found[collection.path] = collection

    async def delete_collection(self, path: str) -> None:
        del self.found[path]


def asked(directory: Path | None = None, **options: Any) -> Asked:
    plain = {"watch": None, "ignore": None, "dry_run": False, "yes": False, "wait": True, "quiet": True}
    return Asked(PATH, directory, **{**plain, **options})


async def settle(client: FakeClient, wish: Asked) -> bool:
    return await _settle(client, wish)  # type: ignore[arg-type]


async def finish(client: FakeClient, wish: Asked) -> None:
    await _finish(client, wish)  # type: ignore[arg-type]


def followed(client: FakeClient) -> collection_pb2.DirectorySource:
    return client.found[PATH].source.directory


async def test_a_new_collection_is_watched_once_it_was_synced(tmp_path: Path) -> None:
    client, wish = FakeClient(), asked(tmp_path, watch=True, ignore=["*.bak"])
    assert await settle(client, wish)
    assert followed(client) == collection_pb2.DirectorySource(root=str(tmp_path), ignore=["*.bak"])
    await finish(client, wish)
    assert followed(client).watch


async def test_a_dry_run_leaves_no_collection_behind(tmp_path: Path) -> None:
    client, wish = FakeClient(), asked(tmp_path, dry_run=True)
    assert await settle(client, wish)
    await finish(client, wish)
    assert not client.found


async def test_without_a_directory_a_collection_has_to_be_there() -> None:
    with pytest.raises(NotFound, match=f"findspot sync {PATH} DIR"):
        await settle(FakeClient(), asked())


async def test_options_change_what_is_there_and_leave_the_rest(tmp_path: Path) -> None:
    client = FakeClient(collection_message(PATH, str(tmp_path), False, ["*.bak"]))
    assert not await settle(client, asked(watch=True))
    assert followed(client) == collection_pb2.DirectorySource(
        root=str(tmp_path), watch=True, ignore=["*.bak"]
    )
    await settle(client, asked(tmp_path, ignore=["*.tmp"]))
    assert followed(client) == collection_pb2.DirectorySource(
        root=str(tmp_path), watch=True, ignore=["*.tmp"]
    )


@pytest.mark.parametrize("root", ["/elsewhere", ""])
async def test_another_source_has_to_be_confirmed(tmp_path: Path, root: str) -> None:
    client = FakeClient(collection_message(PATH, root, False, []))
    with pytest.raises(FailedPrecondition) as refused:
        await settle(client, asked(tmp_path))
    assert refused.value.reason is Reason.OTHER_SOURCE
    await settle(client, asked(tmp_path, yes=True))
    assert followed(client).root == str(tmp_path)


async def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="follows no directory"):
        await settle(FakeClient(collection_message(PATH, "", False, [])), asked(watch=True))
    client = FakeClient(collection_message(PATH, str(tmp_path), False, []))
    with pytest.raises(InvalidArgument, match="--dry-run changes nothing"):
        await settle(client, asked(dry_run=True, watch=True))
