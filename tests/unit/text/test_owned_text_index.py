"""The text index as its owner has it: damage is replaced and said, a second index takes its place whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import tantivy

from findspot.errors import Aborted, FailedPrecondition, FindspotError, Reason, Unavailable
from findspot.stores.text.owned import OwnedTextIndex
from findspot.stores.text.query import TextQuery
from findspot.stores.text.reader import TextIndexReader
from findspot.stores.text.schema import TextEntry
from findspot.stores.text.serving import damaged_files, serving_directory
from findspot.stores.text.writer import TextIndexWriter


def entry(name: str, text: str = "word", document: str = "") -> TextEntry:
    identifier = str(uuid.uuid5(uuid.NAMESPACE_URL, name))
    return TextEntry(identifier, document or f"doc-{name}", "acme", ("acme",), f"{name}.md", text)


def some(count: int, text: str = "word") -> list[TextEntry]:
    return [entry(f"{text}-{number}", text) for number in range(count)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with OwnedTextIndex(tmp_path / "text") as index:
        index.mark_complete()
        index.add(some(20))
        index.commit()
    return tmp_path / "text"


@pytest.fixture
def index(home: Path) -> Iterator[OwnedTextIndex]:
    with OwnedTextIndex(home) as opened:
        yield opened


def found(home: Path, word: str = "word") -> int:
    return len(TextIndexReader(home).search(TextQuery(words=word), 1000))


def refused(home: Path) -> str:
    with pytest.raises(Unavailable) as caught:
        found(home)
    assert caught.value.reason is Reason.TEXT_INDEX_UNAVAILABLE
    return caught.value.message


def test_what_was_written_serves_at_the_next_start(home: Path) -> None:
    with OwnedTextIndex(home) as index:
        assert (index.complete, index.count(), found(home)) == (True, 20, 20)


def test_a_new_index_refuses_searches_until_somebody_says_that_it_is_complete(tmp_path: Path) -> None:
    with OwnedTextIndex(tmp_path / "text") as index:
        assert not index.complete
        assert "being filled" in refused(tmp_path / "text")
        index.mark_complete()
        assert found(tmp_path / "text") == 0


def test_an_index_of_the_first_layout_goes_on_serving(tmp_path: Path) -> None:
    with TextIndexWriter(tmp_path / "text") as before:
        before.add(some(3))
        before.commit()
    with OwnedTextIndex(tmp_path / "text") as index:
        assert (index.complete, index.count(), found(tmp_path / "text")) == (True, 3, 3)
        index.begin_again()
        index.fill(some(2, "newer"))
        assert index.switch() == 2
    assert found(tmp_path / "text", "newer") == 2
    assert not (tmp_path / "text" / "meta.json").exists()


@pytest.mark.parametrize(
    ("part", "harm"),
    [
        ("*.idx", "removed"),
        ("*.pos", "removed"),
        ("*.store", "cut"),
        ("meta.json", "cut"),
        ("meta.json", "removed"),
    ],
)
def test_a_damaged_index_is_replaced_at_start_and_says_that_it_is_not_complete(
    home: Path, part: str, harm: str
) -> None:
    files = list(serving_directory(home).glob(part))
    assert files
    for file in files:
        if harm == "removed":
            file.unlink()
        else:
            os.truncate(file, file.stat().st_size // 2)
    with OwnedTextIndex(home) as index:
        assert not index.complete
        assert index.count() == 0
        assert "being filled" in refused(home)
        index.add(some(20))
        index.commit()
        index.mark_complete()
    assert found(home) == 20
    assert [path.name for path in home.iterdir() if path.is_dir()] == [serving_directory(home).name]


@pytest.mark.parametrize("content", ["", "{", '{"directory": "../../etc", "complete": true}', "[]"])
def test_a_damaged_pointer_is_no_empty_index(home: Path, content: str) -> None:
    (home / "serving.json").write_text(content)
    assert "damaged" in refused(home)
    with OwnedTextIndex(home) as index:
        assert not index.complete


def test_damage_while_it_runs_is_noticed_at_the_next_change(home: Path, index: OwnedTextIndex) -> None:
    for file in serving_directory(home).glob("*.store"):
        file.unlink()
    index.add(some(1, "later"))
    with pytest.raises(Unavailable):
        index.commit()
    assert (index.complete, index.doubtful) == (False, True)
    index.add(some(1, "later"))
    assert index.commit() == 1
    assert "being filled" in refused(home)


def test_a_flipped_bit_is_found_by_the_check_sums(home: Path, index: OwnedTextIndex) -> None:
    assert damaged_files(index.directory) == []
    (file,) = index.directory.glob("*.store")
    content = bytearray(file.read_bytes())
    content[3] ^= 1
    file.write_bytes(content)
    assert damaged_files(index.directory) == [file.name]


def test_searches_go_on_until_the_new_index_takes_over(home: Path, index: OwnedTextIndex) -> None:
    reader = TextIndexReader(home)
    query = TextQuery(words="word newer")
    index.begin_again()
    index.fill(some(20))
    assert len(reader.search(query, 1000)) == 20
    index.add(some(5, "newer"))
    index.delete([entry("word-0").id])
    index.commit()
    assert len(reader.search(query, 1000)) == 24
    assert index.switch() == 24
    assert len(reader.search(query, 1000)) == 24
    assert index.count() == 24
    assert len([path for path in home.iterdir() if path.is_dir()]) == 1


def test_a_new_index_that_fails_leaves_the_old_one_serving(
    home: Path, index: OwnedTextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.begin_again()
    beside = index._next
    assert beside is not None
    monkeypatch.setattr(beside, "commit", lambda: (_ for _ in ()).throw(Unavailable("no space")))
    index.add(some(1, "newer"))
    assert index.commit() == 21
    assert not index.rebuilding
    with pytest.raises(Aborted):
        index.switch()
    assert found(home, "newer") == 1


_KILLED = """
import sys, os, signal
from pathlib import Path
from findspot.stores.text import owned, serving
home, step = Path(sys.argv[1]), sys.argv[2]
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
index = owned.OwnedTextIndex(home)
sys.path.insert(0, sys.argv[3])
from test_owned_text_index import some
index.begin_again()
index.fill(some(30, "newer"))
if step == "before": owned.write_serving = die
if step == "within": serving.os.replace = die
if step == "behind": owned.clear = die
index.switch()
"""


@pytest.mark.parametrize(("step", "old", "new"), [("before", 20, 0), ("within", 20, 0), ("behind", 0, 30)])
def test_kill_minus_nine_at_the_switch_leaves_the_old_or_the_new_never_none(
    home: Path, step: str, old: int, new: int
) -> None:
    command = [sys.executable, "-c", _KILLED, str(home), step, str(Path(__file__).parent)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": ":".join(sys.path)}, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert (found(home), found(home, "newer")) == (old, new)
    with OwnedTextIndex(home) as index:
        assert index.complete
        assert index.count() == old + new
    assert len([path for path in home.iterdir() if path.is_dir()]) == 1


def test_a_second_process_learns_who_owns_the_index_where_and_since_when(home: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from findspot.stores.text.owned import OwnedTextIndex\n"
        "with OwnedTextIndex(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(home)]
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(FailedPrecondition) as caught:
            OwnedTextIndex(home)
        assert caught.value.reason is Reason.STORE_LOCKED
        assert f"process {holder.pid} on {os.uname().nodename} since 20" in caught.value.message
        assert caught.value.metadata["holder_pid"] == str(holder.pid)
        holder.kill()
    with OwnedTextIndex(home) as index:
        assert index.count() == 20


_FULL_DISK = """
import resource, signal, sys, os
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from findspot.errors import Unavailable
from findspot.stores.text.owned import OwnedTextIndex
from test_owned_text_index import some
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
index = OwnedTextIndex(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, resource.RLIM_INFINITY))
refusals = 0
for turn in range(3):
    try:
        index.add(some(3_000, f"lost{turn}"))
        index.commit()
    except Unavailable as failure:
        refusals += 1
        assert failure.reason == "TEXT_INDEX_UNAVAILABLE", failure.reason
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
index.add(some(7, "after"))
print(refusals, index.complete, index.doubtful, index.commit(), flush=True)
index.close()
"""


def test_a_full_disk_costs_what_was_not_committed_and_nothing_else(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FULL_DISK, str(home), str(Path(__file__).parent)],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["3", "True", "True", "27"], done.stderr[-2000:]
    assert (found(home), found(home, "after"), found(home, "lost0")) == (20, 7, 0)


class SilentWriter:
    """A writer of the engine after its worker died: it takes everything and keeps nothing."""

    def __init__(self, real: tantivy.IndexWriter) -> None:
        self.rollback, self.wait_merging_threads = real.rollback, real.wait_merging_threads
        self.delete_documents_by_term = self.add_document = lambda *_: 0

    def commit(self) -> int:
        return 0


def test_chunks_that_vanish_in_silence_are_missed_at_the_commit(home: Path, index: OwnedTextIndex) -> None:
    writer = index._writer
    assert writer is not None
    writer._writer = SilentWriter(writer._require_writer())  # type: ignore[assignment]
    index.add(some(4, "vanish"))
    with pytest.raises(Unavailable, match=r"took 4 chunks and holds 0 .* 20 in all where 24"):
        index.commit()
    assert index.doubtful


def test_deletions_that_vanish_in_silence_are_missed_at_the_commit(home: Path, index: OwnedTextIndex) -> None:
    writer = index._writer
    assert writer is not None
    writer._writer = SilentWriter(writer._require_writer())  # type: ignore[assignment]
    index.delete([entry("word-1").id, entry("word-2").id, entry("never").id])
    with pytest.raises(Unavailable, match="20 in all where 18"):
        index.commit()


class Panicking(SilentWriter):
    """Every call of it ends in what a panic of the engine is: no Exception."""

    class PanicException(BaseException):
        pass

    def commit(self) -> int:
        raise self.PanicException("the worker is poisoned")


def test_a_panic_is_an_error_that_heals(
    home: Path, index: OwnedTextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = index._writer
    assert writer is not None
    real = writer._require_writer()
    poisoned = Panicking(real)

    def no_rollback() -> int:
        raise Panicking.PanicException("nor can it be rolled back")

    poisoned.rollback = no_rollback
    writer._writer = poisoned  # type: ignore[assignment]
    index.add(some(2, "again"))
    with pytest.raises(Unavailable, match="poisoned"):
        index.commit()
    del real, poisoned
    writer._writer = None
    index.add(some(2, "again"))
    assert index.commit() == 22


def test_duplicates_are_replaced_and_counted_rightly(home: Path, index: OwnedTextIndex) -> None:
    from findspot.stores.text.schema import build_schema, to_document

    writer = index._writer
    assert writer is not None
    writer._require_writer().add_document(to_document(entry("word-1"), build_schema()))
    writer._require_writer().commit()
    assert index.count() == 21
    index.add([entry("word-1", "other")])
    assert index.commit() == 20
    index.delete_document(entry("word-2").document_id)
    index.add([entry("word-2", "back")])
    assert index.commit() == 20


def test_no_failure_is_anything_but_typed(home: Path, index: OwnedTextIndex) -> None:
    (home / "serving.json").unlink()
    (home / "serving.json").mkdir()
    with pytest.raises(FindspotError):
        index.mark_complete()
