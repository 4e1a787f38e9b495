"""Builds the default model's int8 graph, once a recipe, in a child process that takes its memory with it.

The finished folder appears by one rename, so a reader sees all of it or none. A file lock lets one process
build and the others wait; the kernel drops it with its holder, so a killed build leaves only a scratch
folder, which the next one removes.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from findspot.errors import Internal
from findspot_embedding import packaged
from findspot_embedding.packaged import SourceModel

Progress = Callable[[str], None]
"""Told the phase that begins: one of PHASES."""

PHASES = ("waiting", "verifying", "graph", "optimizing", "quantizing", "writing")
STAMP = "stamp.json"
GRAPH = "model.onnx"
_COPIED = ("tokenizer.json", "config.json", "special_tokens_map.json")


def ensure_built(models: Path, progress: Progress, source: SourceModel = packaged.DEFAULT) -> Path:
    """The folder under `models` with the built model: built now if it is missing, damaged or of another
    recipe.

    Raises FailedPrecondition (package missing), DataLoss (package damaged) or Internal (the build failed).
    """
    key = source.identity.key
    target = models / key
    if is_built(target, source):
        return target
    models.mkdir(parents=True, exist_ok=True)
    with _only_builder(models / f".{key}.lock", progress):
        if is_built(target, source):
            return target
        scratch = models / f".{key}.building"
        for leftover in (scratch, target):
            if leftover.exists():
                shutil.rmtree(leftover)
        progress("verifying")
        folder = source.find()
        packaged.verify(source, folder)
        scratch.mkdir()
        _run_child(folder, scratch, progress)
        progress("writing")
        _finish(source, folder, scratch)
        scratch.rename(target)
        _sync(models)
    return target


def is_built(target: Path, source: SourceModel) -> bool:
    """True when the stamp names this recipe and these sources, and the graph is the one that was stamped."""
    try:
        stamp = json.loads((target / STAMP).read_text(encoding="utf-8"))
        same = {name: stamp.get(name) for name in _facts(source)} == _facts(source)
        return same and packaged.sha256_of(target / GRAPH) == stamp.get("graph_sha256")
    except (FileNotFoundError, NotADirectoryError, json.JSONDecodeError, AttributeError):
        return False


def _facts(source: SourceModel) -> dict[str, str | int]:
    return {
        "recipe": source.recipe,
        "weights_sha256": source.weights_sha256,
        "tokenizer_sha256": source.tokenizer_sha256,
    }


@contextmanager
def _only_builder(lock: Path, progress: Progress) -> Iterator[None]:
    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting")
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _run_child(folder: Path, scratch: Path, progress: Progress) -> None:
    # The child takes this process's import path, so that it works from a checkout and from an installation
    # alike.
    path = f"import sys; sys.path[:] = {sys.path!r}"
    run = "from findspot_embedding.build import child; child(*sys.argv[1:])"
    command = [sys.executable, "-c", f"{path}; {run}", str(folder), str(scratch), str(os.getpid())]
    with (
        TemporaryFile("w+") as complaints,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            for line in process.stdout:
                progress(line.strip())
            process.wait()
        except BaseException:
            process.kill()
            raise
        complaints.seek(0)
        errors = complaints.read()
    if process.returncode != 0:
        raise Internal(
            f"Building the default embedding model failed with exit code {process.returncode}: "
            f"{errors[-2000:].strip()}",
            metadata={"exit_code": str(process.returncode)},
        )


def child(folder: str, scratch: str, parent: str) -> None:
    """What the child process runs: the graph, its fusions, its int8 weights. Prints each phase as it
    begins."""
    _die_with(int(parent))
    from findspot_embedding import bert  # onnx: only ever imported in this process

    def phase(name: str) -> None:
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()

    source, target = Path(folder), Path(scratch)
    phase("graph")
    shape = bert.read_shape(source / "config.json")
    bert.write_graph(source / "model.safetensors", shape, target / "plain.onnx")
    phase("optimizing")
    bert.fuse(target / "plain.onnx", shape, target / "fused.onnx")
    phase("quantizing")
    bert.quantize(target / "fused.onnx", target / GRAPH)


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when the service dies; elsewhere than Linux the build just runs to
    its end."""
    if sys.platform == "linux":
        import ctypes
        import signal

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        sys.exit("The process that asked for the build is gone.")


def _finish(source: SourceModel, folder: Path, scratch: Path) -> None:
    for name in ("plain.onnx", "fused.onnx"):
        (scratch / name).unlink()
    for name in _COPIED:
        shutil.copyfile(folder / name, scratch / name)
    tokenizer = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    tokenizer["model_max_length"] = source.identity.input_limit
    (scratch / "tokenizer_config.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    stamp = _facts(source) | {"graph_sha256": packaged.sha256_of(scratch / GRAPH)}
    (scratch / STAMP).write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    for file in scratch.iterdir():
        _sync(file)
    _sync(scratch)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
