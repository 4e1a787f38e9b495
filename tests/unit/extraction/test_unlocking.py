"""Office files under a password."""

from __future__ import annotations

import io

import pytest
from msoffcrypto.format.ooxml import OOXMLFile
from reading_checks import REGISTRY
from sheet_writing import saved, workbook

from findspot.errors import FailedPrecondition, Reason
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document
from findspot_extraction.unlocking import unlocked


def locked(package: bytes, password: str) -> bytes:
    envelope = io.BytesIO()
    OOXMLFile(io.BytesIO(package)).encrypt(password, envelope)
    return envelope.getvalue()


@pytest.fixture(scope="module")
def package() -> bytes:
    return saved(workbook(("Under lock and key",)))


@pytest.mark.parametrize("name", ["a.xlsx", "a", "a.bin"])
def test_the_password_opens_an_office_document_whatever_it_is_named(package: bytes, name: str) -> None:
    data = locked(package, "open sesame")
    document = read_document(data, Upload(name, password="open sesame"), REGISTRY, ReadLimits())
    assert document.document_type == "xlsx"
    assert "Under lock and key" in document.text


@pytest.mark.parametrize(
    ("password", "said"),
    [("", "it needs a password"), ("open", "the given password is wrong")],
)
@pytest.mark.parametrize("stated", ["", "xlsx"])
def test_without_the_right_password_it_says_so(package: bytes, password: str, said: str, stated: str) -> None:
    upload = Upload("secret.xlsx", document_type=stated, password=password)
    with pytest.raises(FailedPrecondition, match=said) as refused:
        read_document(locked(package, "open sesame"), upload, REGISTRY, ReadLimits())
    assert refused.value.reason is Reason.DOCUMENT_ENCRYPTED
    assert "secret.xlsx" in refused.value.message


def test_a_file_that_is_only_protected_against_writing_opens_by_itself(package: bytes) -> None:
    assert unlocked(locked(package, "VelvetSweatshop"), "a.xlsx", "") == package


def test_a_damaged_envelope_is_a_typed_failure(package: bytes) -> None:
    data = locked(package, "open sesame")
    refused = set()
    for length in range(600, len(data), 500):
        try:
            unlocked(data[:length], "a.xlsx", "open sesame")
        except FailedPrecondition as failure:
            refused.add(failure.reason)
    assert refused == {Reason.DOCUMENT_ENCRYPTED}


def test_other_files_stay_as_they_are(package: bytes) -> None:
    for data in (package, b"", b"%PDF-1.7", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)):
        assert unlocked(data, "a", "open sesame") is data
