"""Generates libs/findspot/v1 from protos/: messages, their types, stubs and the stubs' types."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent


def generate(into: Path) -> None:
    """Writes the generated modules below `into`, at `findspot/v1`; raises RuntimeError when protoc refuses."""
    protos = sorted((ROOT / "protos" / "findspot" / "v1").glob("*.proto"))
    standard = resources.files("grpc_tools") / "_proto"
    # The plugin for typed stubs is a console script beside this interpreter; protoc looks for it by path.
    plugin = Path(sys.executable).with_name("protoc-gen-mypy_grpc")
    arguments = [
        "protoc",
        f"--proto_path={ROOT / 'protos'}",
        f"--proto_path={standard}",
        f"--plugin=protoc-gen-mypy_grpc={plugin}",
        f"--python_out={into}",
        f"--pyi_out={into}",
        f"--grpc_python_out={into}",
        f"--mypy_grpc_out={into}",
        *(str(path) for path in protos),
    ]
    if protoc.main(arguments) != 0:
        raise RuntimeError("protoc refused the protos; its messages are above")
    package = into / "findspot" / "v1" / "__init__.py"
    package.write_text(
        '"""The API of Findspot, version 1: generated from protos/findspot/v1, never edited."""\n'
    )


if __name__ == "__main__":
    generate(ROOT / "libs")
