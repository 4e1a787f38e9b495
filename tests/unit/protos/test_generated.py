"""The committed code of the API is what the protos give, and the reasons of errors are the same on both sides."""

import importlib.util
from pathlib import Path

import pytest

from findspot.errors import Reason
from findspot.v1 import errors_pb2

ROOT = Path(__file__).resolve().parents[3]


def test_committed_code_is_what_the_protos_generate(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("protos_script", ROOT / "scripts" / "protos.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.generate(tmp_path)

    committed = ROOT / "libs" / "findspot" / "v1"
    fresh = tmp_path / "findspot" / "v1"
    names = {path.name for path in fresh.iterdir()}
    assert {path.name for path in committed.iterdir() if path.suffix in {".py", ".pyi"}} == names
    stale = [name for name in sorted(names) if (committed / name).read_bytes() != (fresh / name).read_bytes()]
    assert stale == [], "run `make protos`"


@pytest.mark.parametrize("reason", list(Reason))
def test_each_reason_is_on_the_wire(reason: Reason) -> None:
    assert f"ERROR_REASON_{reason.value}" in errors_pb2.ErrorReason.DESCRIPTOR.values_by_name


def test_the_wire_has_no_reason_of_its_own() -> None:
    names = {name.removeprefix("ERROR_REASON_") for name in errors_pb2.ErrorReason.DESCRIPTOR.values_by_name}
    assert names - {"UNSPECIFIED"} == {reason.value for reason in Reason}
