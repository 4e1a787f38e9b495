"""`make load`: a suite with the sample library under load, call by call."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.e2e.suite_process import LIBRARY, ROOT, environment, running
from tests.load.frames import write_frame

GHZ = "github.com/bojand/ghz/cmd/ghz@v0.121.0"
TOOLS = ROOT / "build" / "load"


def main() -> int:
    """Runs every configuration of deploy/load; the exit code says whether one had errors."""
    generator = find_generator()
    if generator is None:
        print("neither Go (for ghz) nor h2load (Debian: nghttp2-client) is here; install one of them")
        return 1
    with tempfile.TemporaryDirectory(prefix="findspot-load-") as folder:
        home = Path(folder)
        with running(home / "data", environment(home)) as suite:
            added = suite.run("add", str(LIBRARY), "--collection", "load/library")
            if added.code:
                print(added.err)
                return added.code
            codes = [drive(generator, file, suite.addresses["query"], home) for file in configurations()]
    return max(codes)


def configurations() -> list[Path]:
    """The configurations of deploy/load."""
    return sorted((ROOT / "deploy" / "load").glob("*.ghz.json"))


def find_generator() -> Path | None:
    """ghz, built once where Go is; else h2load."""
    ghz = shutil.which("ghz") or (TOOLS / "ghz" if (TOOLS / "ghz").exists() else None)
    if ghz is None and shutil.which("go"):
        TOOLS.mkdir(parents=True, exist_ok=True)
        print(f"building {GHZ}", flush=True)
        subprocess.run(["go", "install", GHZ], env=_go_environment(), check=True)
        ghz = TOOLS / "ghz"
    found = ghz or shutil.which("h2load")
    return Path(found) if found else None


def _go_environment() -> dict[str, str]:
    return {**os.environ, "GOBIN": str(TOOLS)}


def drive(generator: Path, file: Path, address: str, folder: Path) -> int:
    """Runs one configuration and prints what the generator says of it."""
    configuration: dict[str, Any] = json.loads(file.read_text())
    print(
        f"\n== {configuration['call']} with {generator.name}, {configuration['concurrency']} at a time",
        flush=True,
    )
    if generator.name == "ghz":
        return subprocess.run([generator, "--config", str(file), address], cwd=ROOT, check=False).returncode
    frame = write_frame(configuration["call"], ROOT / configuration["data-file"], folder / "frame.bin")
    each = configuration["concurrency"] // configuration["connections"]
    command = [generator, "-d", frame, "-H", "content-type: application/grpc", "-H", "te: trailers"]
    command += ["-c", str(configuration["connections"]), "-m", str(each), "-n", str(configuration["total"])]
    return subprocess.run([*command, f"http://{address}/{configuration['call']}"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
