"""An OpenAI-compatible HTTP endpoint (`POST <url>/chat/completions`) as a reader of pictures.

What went wrong is decided here, where status and body are known. It becomes a notice of the document, never its
failure, since what was recognised stands in for a transcript:

    401, 403                                    VISION_CREDENTIAL_REJECTED   no further page is asked for
    unreachable, timeout, 408, 425, 429, 5xx    VISION_UNAVAILABLE           none after three in a row
    any other status that is not 2xx            VISION_REQUEST_REJECTED      none after three in a row
    2xx without a whole transcript              VISION_RESPONSE_INVALID      none after three in a row
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from findspot.errors import FailedPrecondition, Reason
from findspot.stores.transcripts import TranscriptStore

from .pictures import VisionFailed
from .readers.ocr import SeenPage

if TYPE_CHECKING:
    import httpx

RECIPE = 1
"""Raise it when the prompts change: stored transcripts are made anew."""
NO_TEXT = "<no text>"
_PAGE_PROMPT = (
    "Transcribe this page. Write down every word that is printed or written on it, exactly as it stands, in reading "
    "order, without comments. Put an empty line between paragraphs, begin headings with # (## one level below, and "
    "so on), list items with -, and write each row of a table on one line with | between its cells. If the page holds "
    f"no text, answer {NO_TEXT} and nothing else."
)
_IMAGE_PROMPT = (
    "Write down all text in this image, exactly as it stands, in reading order, with an empty line between paragraphs. "
    "Then, after an empty line, describe in two or three sentences what the image shows, for somebody who searches "
    f"for it. Add no other comments. If the image is blank, answer {NO_TEXT} and nothing else."
)
_LONGEST_ANSWER = 4 * 1024 * 1024
_LONGEST_TRANSCRIPT = 200_000
_BUSY = (408, 425, 429)


@dataclass(frozen=True, slots=True)
class VisionOptions:
    """Where the endpoint is and how to ask it."""

    url: str
    """Base address, for example `https://host/v1`; `/chat/completions` is appended."""
    model: str
    api_key: str = ""
    timeout: float = 60.0
    """Seconds for one page."""
    connections: int = 4


class VisionEndpoint:
    """`Vision` over HTTP, for one event loop. Transcripts are stored by the picture's hash and asked for once."""

    def __init__(self, options: VisionOptions, folder: Path) -> None:
        """FailedPrecondition when `httpx` is not installed. `folder` is where transcripts are stored."""
        try:
            self._httpx = import_module("httpx")
        except ImportError as missing:
            raise FailedPrecondition(
                "`vision_endpoint` is set and the package httpx is not installed: install it, or unset it.",
                reason=Reason.NOT_YET_AVAILABLE,
            ) from missing
        self.model = options.model
        self._options = options
        self._url = options.url.rstrip("/") + "/chat/completions"
        self._shown = re.sub(r"//[^/@]*@", "//", self._url)
        self._store = TranscriptStore(folder)
        self._places = asyncio.Semaphore(options.connections)
        headers = {"Authorization": f"Bearer {options.api_key}"} if options.api_key else {}
        self._client: httpx.AsyncClient = self._httpx.AsyncClient(headers=headers, timeout=options.timeout)

    async def __aenter__(self) -> VisionEndpoint:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def transcript(self, seen: SeenPage, *, is_image: bool) -> str:
        """See `Vision.transcript`; from the store when the same picture was transcribed by the same model before."""
        key = self._store.key(seen.picture_hash, self.model, f"{RECIPE} {'image' if is_image else 'page'}")
        stored = await asyncio.to_thread(self._store.get, key)
        if stored is not None:
            return stored
        async with self._places:
            text = await self._ask(seen.png, _IMAGE_PROMPT if is_image else _PAGE_PROMPT)
        await asyncio.to_thread(self._store.put, key, text)
        return text

    async def _ask(self, png: bytes, prompt: str) -> str:
        image = f"data:image/png;base64,{base64.b64encode(png).decode()}"
        content = [{"type": "text", "text": prompt}, {"type": "image_url", "image_url": {"url": image}}]
        body = {"model": self.model, "temperature": 0, "messages": [{"role": "user", "content": content}]}
        try:
            async with asyncio.timeout(self._options.timeout):
                async with self._client.stream("POST", self._url, json=body) as response:
                    if not response.is_success:
                        raise self._refused(response.status_code)
                    return self._transcript(await self._body(response))
        except TimeoutError as late:
            raise self._unavailable(f"did not answer within {self._options.timeout:g} s") from late
        except (self._httpx.HTTPError, self._httpx.InvalidURL) as problem:
            raise self._unavailable(f"was not reached ({type(problem).__name__}: {problem})") from problem

    async def _body(self, response: httpx.Response) -> bytes:
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            if len(body) > _LONGEST_ANSWER:
                raise self._invalid(f"is longer than {_LONGEST_ANSWER:,} bytes")
        return bytes(body)

    def _transcript(self, body: bytes) -> str:
        try:
            choice = json.loads(body)["choices"][0]
            text = _text_of(choice["message"]["content"])
        except (ValueError, TypeError, LookupError, AttributeError) as problem:
            raise self._invalid(f"has no text ({type(problem).__name__}: {problem})") from problem
        if choice.get("finish_reason") not in (None, "stop"):
            raise self._invalid(f"is not whole: the model stopped for {str(choice['finish_reason'])[:40]!r}")
        if len(text) > _LONGEST_TRANSCRIPT:
            raise self._invalid(f"has {len(text):,} characters; the limit is {_LONGEST_TRANSCRIPT:,}")
        text = text.strip()
        return "" if text == NO_TEXT else text

    def _refused(self, status: int) -> VisionFailed:
        if status in (401, 403):
            return VisionFailed(
                "VISION_CREDENTIAL_REJECTED",
                f"{self._shown} answered HTTP {status}: it rejects `vision_api_key`.",
                final=True,
            )
        if status in _BUSY or status >= 500:
            return self._unavailable(f"answered HTTP {status}")
        message = f"{self._shown} answered HTTP {status}: it rejects the request. Check `vision_model` and the address."
        return VisionFailed("VISION_REQUEST_REJECTED", message)

    def _unavailable(self, what: str) -> VisionFailed:
        return VisionFailed(
            "VISION_UNAVAILABLE", f"{self._shown} {what}. Reading the document again asks it again."
        )

    def _invalid(self, what: str) -> VisionFailed:
        return VisionFailed("VISION_RESPONSE_INVALID", f"The answer of {self._shown} {what}.")


def _text_of(content: Any) -> str:
    """The text of a message, which is a string or a list of parts."""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type") == "text")
