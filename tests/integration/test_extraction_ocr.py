"""Pages without a text layer through a real service: recognised, transcribed over real HTTP, drawn, left out aloud."""

from __future__ import annotations

import base64
import io
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image, ImageDraw, ImageFont

from findspot.errors import InvalidArgument, Reason
from findspot.model import Box, ExtractedDocument, Reader
from findspot.rpc.channel import open_channel
from findspot.rpc.peers.extraction import ExtractionPeer
from findspot.rpc.server import running
from findspot_extraction.config import ExtractionSettings
from findspot_extraction.main import build, open_vision
from findspot_extraction.readers import ocr_engine
from findspot_extraction.registry import Registry
from findspot_extraction.workers import WorkerPool

VERSION = ocr_engine.installed_version()


def picture(text: str, size: tuple[int, int] = (420, 120)) -> Image.Image:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text((30, 40), text, fill="black", font=ImageFont.load_default(30))
    return image


def scanned(*images: Image.Image) -> bytes:
    target = io.BytesIO()
    images[0].save(target, "PDF", save_all=True, append_images=images[1:], resolution=144)
    return target.getvalue()


def png(image: Image.Image) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG")
    return target.getvalue()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[WorkerPool]:
    """One worker process for all services here: loading the models takes longer than all that they read."""
    pool = WorkerPool(ExtractionSettings(workers=1).pool_options(), Registry().rows)
    pool.start()
    yield pool
    await pool.close()


pytestmark = pytest.mark.asyncio(loop_scope="module")


@asynccontextmanager
async def service(pool: WorkerPool, folder: Path, **settings: Any) -> AsyncIterator[ExtractionPeer]:
    chosen = ExtractionSettings(port=0, workers=1, data=folder, **settings)
    vision = open_vision(chosen)
    try:
        async with (
            running(build(chosen, Registry(), pool, vision)) as server,
            open_channel(server.address) as channel,
        ):
            yield ExtractionPeer(channel)
    finally:
        if vision is not None:
            await vision.close()


def stored(folder: Path) -> list[str]:
    return [path.read_text() for path in folder.glob("transcripts/*/*.json")]


def codes(document: ExtractedDocument) -> list[tuple[str, int]]:
    return [(notice.code, notice.page) for notice in document.warnings]


async def test_scans_and_images_are_recognised_and_drawn(pool: WorkerPool, tmp_path: Path) -> None:
    async with service(pool, tmp_path, max_picture_pages=2) as peer:
        pages = picture("Valve 4711"), picture(""), picture("Not read")
        scan = await peer.extract(scanned(*pages), file_name="scan.pdf", timeout=90)
        assert scan.text.strip() == "Valve 4711"
        assert [page.reader for page in scan.pages] == [Reader.OCR, Reader.OCR, Reader.TEXT_LAYER]
        confidence = scan.pages[0].confidence
        assert confidence is not None
        assert 0.8 < confidence <= 1
        assert codes(scan) == [
            ("NO_TEXT_FOUND", 2),
            ("NO_TEXT_LAYER", 3),
            ("READ_BY_OCR", 0),
            ("PAGES_NOT_READ", 0),
        ]
        assert "max_picture_pages" in scan.warnings[1].message
        assert scan.extractor_stamp == f"pdf/1+ocr/{VERSION}"
        [words] = scan.words
        x, y, width, height = words.boxes[4:]
        # The number begins behind "Valve " and ends before the right margin.
        assert 0.2 < x < 0.4 < x + width < 0.6
        assert 0.25 < y < 0.45 < y + height < 0.75

        image = await peer.extract(png(picture("Seal ring").rotate(180)), file_name="photo.png", timeout=90)
        assert image.text == "Seal ring"
        assert (image.document_type, image.extractor_stamp) == ("png", f"image/1+ocr/{VERSION}")

        marks = [Box(*words.boxes[4:8])]
        drawn = await peer.render_page(scanned(pages[0]), file_name="scan.pdf", scale=4, highlights=marks)
        assert Image.open(io.BytesIO(drawn.png)).size == (drawn.width, drawn.height) == (840, 240)
        with pytest.raises(InvalidArgument, match="page 1 only"):
            await peer.render_page(scanned(pages[0]), file_name="scan.pdf", page=2)
        with pytest.raises(InvalidArgument) as refused:
            await peer.render_page(b"# text", file_name="a.md")
        assert refused.value.reason is Reason.UNSUPPORTED_TYPE


async def test_without_recognition_pages_stay_empty_and_say_why(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = scanned(picture("Valve 4711"))
    async with service(pool, tmp_path, ocr="off") as peer:
        off = await peer.extract(data, file_name="scan.pdf")
    monkeypatch.setattr(ocr_engine, "PACKAGE", "no-such-package")
    async with service(pool, tmp_path) as peer:
        missing = await peer.extract(data, file_name="scan.pdf")
    assert off.text == missing.text == ""
    assert codes(off) == codes(missing) == [("NO_TEXT_LAYER", 1)]
    assert "switched off" in off.warnings[0].message
    assert "extra `ocr`" in missing.warnings[0].message
    assert off.extractor_stamp == missing.extractor_stamp == "pdf/1+ocr/none"


@dataclass
class Endpoint:
    """A real HTTP server that answers as it is told and keeps what it was asked."""

    answers: Callable[[int], tuple[int, bytes]]
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    url: str = ""


def said(text: str, finish: str = "stop") -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": finish}]}).encode()


@contextmanager
def endpoint(answers: Callable[[int], tuple[int, bytes]]) -> Iterator[Endpoint]:
    state = Endpoint(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            state.asked.append({"path": self.path, **json.loads(body)})
            state.keys.append(self.headers.get("authorization", ""))
            status, answer = state.answers(len(state.asked))
            self.send_response(status)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def vision(at: Endpoint, **more: Any) -> dict[str, Any]:
    return {"vision_endpoint": at.url, "vision_model": "eyes", "vision_api_key": "secret-key", **more}


async def test_a_vision_model_transcribes_once_and_keeps_confidence(pool: WorkerPool, tmp_path: Path) -> None:
    data = scanned(picture("Valve 4711"))
    with endpoint(lambda _: (200, said("# Valve 4711\n\nOpen slowly."))) as server:
        async with service(pool, tmp_path, **vision(server)) as peer:
            document = await peer.extract(data, file_name="scan.pdf", timeout=90)
        # Another service finds the transcript on disk.
        async with service(pool, tmp_path, ocr="off", **vision(server)) as peer:
            again = await peer.extract(data, file_name="scan.pdf", timeout=90)
        [asked] = server.asked
    assert (asked["path"], asked["model"], server.keys) == (
        "/v1/chat/completions",
        "eyes",
        ["Bearer secret-key"],
    )
    [text, image] = asked["messages"][0]["content"]
    assert text["type"] == "text"
    kind, _, encoded = image["image_url"]["url"].partition(",")
    assert kind == "data:image/png;base64"
    assert Image.open(io.BytesIO(base64.b64decode(encoded))).width > 400
    assert document.text == again.text == "Valve 4711\n\nOpen slowly."
    assert codes(document) == codes(again) == [("READ_BY_MODEL", 0)]
    [page], [page_again] = document.pages, again.pages
    assert page.reader is page_again.reader is Reader.MODEL
    assert page.confidence is not None
    assert page.confidence > 0.8
    assert page_again.confidence is None
    assert document.extractor_stamp == f"pdf/1+ocr/{VERSION}+vision/eyes"
    assert [("Open slowly" in text) for text in stored(tmp_path)] == [True]


async def test_a_failing_endpoint_fails_no_document(pool: WorkerPool, tmp_path: Path) -> None:
    answers = [
        (401, b"secret-key is wrong"),
        (503, b""),
        (400, b""),
        (200, b"<html>"),
        (200, said("half of it", "length")),
        (200, b'{"choices": []}'),
    ]
    expected = ["CREDENTIAL_REJECTED", "UNAVAILABLE", "REQUEST_REJECTED", *["RESPONSE_INVALID"] * 3]
    with endpoint(lambda count: answers[count - 1]) as server:
        async with service(pool, tmp_path, ocr="off", **vision(server)) as peer:
            for number, code in enumerate(expected, 1):
                document = await peer.extract(scanned(picture(str(number))), file_name="scan.pdf", timeout=60)
                assert document.text == ""
                assert [found for found, _ in codes(document)] == ["NO_TEXT_LAYER", f"VISION_{code}"]
                assert "secret-key" not in str(document.warnings)
                assert document.extractor_stamp == "pdf/1+ocr/none+vision/failed"
    assert stored(tmp_path) == []


async def test_recognised_text_stands_in_for_a_vision_model_that_is_not_there(
    pool: WorkerPool, tmp_path: Path
) -> None:
    with endpoint(lambda _: (200, b"")) as closed:
        pass
    async with service(pool, tmp_path, **vision(closed)) as peer:
        document = await peer.extract(png(picture("Valve 4711")), file_name="a.png", timeout=90)
    assert document.text == "Valve 4711"
    assert [code for code, _ in codes(document)] == ["READ_BY_OCR", "VISION_UNAVAILABLE"]


async def test_a_slow_endpoint_is_given_up_and_no_more_pages_are_sent(
    pool: WorkerPool, tmp_path: Path
) -> None:
    release = threading.Event()

    def wait(_: int) -> tuple[int, bytes]:
        release.wait(30)
        return 200, said("late")

    with endpoint(wait) as server:
        try:
            settings = vision(server, vision_timeout_seconds=0.2)
            async with service(pool, tmp_path, ocr="off", **settings) as peer:
                pages = [picture(str(number)) for number in range(5)]
                document = await peer.extract(scanned(*pages), file_name="scan.pdf", timeout=60)
        finally:
            release.set()
        assert len(server.asked) == 3
    [failed] = [notice for notice in document.warnings if notice.code == "VISION_UNAVAILABLE"]
    assert "pages 1, 2, 3" in failed.message
    assert "0.2 s" in failed.message
    assert document.extractor_stamp.endswith("+vision/failed")


async def test_an_image_is_described(pool: WorkerPool, tmp_path: Path) -> None:
    with endpoint(lambda _: (200, said("A pump beside a wall."))) as server:
        async with service(pool, tmp_path, ocr="off", **vision(server)) as peer:
            document = await peer.extract(png(picture("")), file_name="a.png", timeout=60)
        prompt = server.asked[0]["messages"][0]["content"][0]["text"]
    assert document.text == "A pump beside a wall."
    assert document.pages[0].reader is Reader.MODEL
    assert document.pages[0].confidence is None
    assert "describe" in prompt


async def test_an_endpoint_needs_a_model() -> None:
    with pytest.raises(ValueError, match="vision_model"):
        ExtractionSettings(vision_endpoint="http://127.0.0.1:1/v1")
