"""Log lines on standard error, as text for people or as JSON for machines, with the trace they belong to."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def configure_logging(
    service: str, level: str = "INFO", format: str = "text", stream: TextIO | None = None
) -> None:
    """Sends the log of this process to standard error (or `stream`), replacing what was set up before.

    `level`: DEBUG, INFO, WARNING or ERROR. `format`: text or json. Warnings of Python are logged too.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(service) if format == "json" else TextLines(service))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    logging.captureWarnings(True)


class TextLines(logging.Formatter):
    """`2026-01-31T09:30:00.123Z INFO query findspot.rpc.server: message`, and the trace where there is
    one."""

    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    def format(self, record: logging.LogRecord) -> str:
        """One line; a traceback follows on further lines."""
        trace = current_trace()
        parts = [f"{name}={value}" for name, value in {**_extra(record), **trace}.items()]
        line = f"{_time(record)} {record.levelname} {self._service} {record.name}: {record.getMessage()}"
        lines = [" ".join([line, *parts])]
        if record.exc_info:
            lines.append(self.formatException(record.exc_info))
        return "\n".join(lines)


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, service, logger, message, what `extra` gave, trace_id,
    exception."""

    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    def format(self, record: logging.LogRecord) -> str:
        """Always one line: a traceback is the string `exception`."""
        entry: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname,
            "service": self._service,
            "logger": record.name,
            "message": record.getMessage(),
            **_extra(record),
            **current_trace(),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False, default=str)


def current_trace() -> dict[str, str]:
    """`trace_id` and `span_id` of the call being served, as 32 and 16 hex digits; empty when tracing is
    off."""
    # Whoever turned tracing on has imported this; importing it here would cost every process that has not.
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return {}
    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return {}
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"}


def _time(record: logging.LogRecord) -> str:
    return (
        datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )


def _extra(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _STANDARD}
