"""Log lines: text for people, JSON for machines, and the trace they belong to."""

from __future__ import annotations

import io
import json
import logging
import re
import warnings
from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

from findspot.logs import configure_logging, current_trace


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    """A stream for the log; afterwards logging is as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield io.StringIO()
    logging.captureWarnings(False)
    root.handlers[:] = handlers
    root.setLevel(level)


def test_text(out: io.StringIO) -> None:
    configure_logging("query", "INFO", "text", out)
    logging.getLogger("findspot.rpc").info("served %d", 3, extra={"method": "Search"})
    logging.getLogger("findspot.rpc").debug("not this")
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO query findspot\.rpc: served 3 method=Search\n",
        out.getvalue(),
    )


def test_json_is_one_object_a_line_even_with_a_traceback(out: io.StringIO) -> None:
    configure_logging("query", "INFO", "json", out)
    log = logging.getLogger("findspot.rpc")
    try:
        raise ValueError("two\nlines")
    except ValueError:
        log.exception("failed: %s", "ü", extra={"incident": "abc"})
    log.info("next")
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (first["level"], first["service"], first["logger"]) == ("ERROR", "query", "findspot.rpc")
    assert (first["message"], first["incident"]) == ("failed: ü", "abc")
    assert "ValueError: two\nlines" in first["exception"]
    assert set(second) == {"time", "level", "service", "logger", "message"}


def test_text_has_the_traceback_too(out: io.StringIO) -> None:
    configure_logging("query", "INFO", "text", out)
    try:
        raise ValueError("why")
    except ValueError:
        logging.getLogger("x").exception("failed")
    assert "ValueError: why" in out.getvalue()


@pytest.mark.parametrize("format", ["text", "json"])
def test_lines_name_the_current_trace(format: str, out: io.StringIO) -> None:
    configure_logging("query", "INFO", format, out)
    log = logging.getLogger("x")
    log.info("outside")
    with trace.use_span(TracerProvider().get_tracer("t").start_span("s")) as span:
        log.info("inside")
        ids = current_trace()
    assert ids["trace_id"] == trace.format_trace_id(span.get_span_context().trace_id)
    assert ids["span_id"] == trace.format_span_id(span.get_span_context().span_id)
    outside, inside = out.getvalue().splitlines()
    assert ids["trace_id"] in inside
    assert "trace_id" not in outside


def test_configuring_again_replaces_and_warnings_are_logged(out: io.StringIO) -> None:
    other = io.StringIO()
    configure_logging("a", stream=other)
    configure_logging("b", "WARNING", "json", out)
    logging.getLogger("x").info("below the level")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        configure_logging("b", "WARNING", "json", out)
        warnings.warn("old call", DeprecationWarning, stacklevel=1)
    assert other.getvalue() == ""
    (line,) = out.getvalue().splitlines()
    assert "old call" in json.loads(line)["message"]
