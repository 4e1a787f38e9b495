"""Settings for people: a row of the table of settings, and a sentence for a value that cannot be used."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from findspot.errors import FieldViolation

MASK = "**********"
_PASSWORD = re.compile(r"(://[^/\s:@]*):\S+@")
_PASSWORD_OPTION = re.compile(r"([?&]password=)[^&\s]*")


class SettingRow(NamedTuple):
    """One setting as `findspot config` shows it."""

    name: str
    value: str
    source: str
    """`default`, `argument`, an environment variable, or a key of findspot.toml."""
    sentence: str


def table_row(name: str, value: Any, source: str, sentence: str) -> SettingRow:
    """`value` is as JSON has it, secrets already masked by their type; passwords in URLs are masked here."""
    return SettingRow(name, _shown(value), source, " ".join(sentence.split()))


def describe_fault(
    error: ErrorDetails,
    fields: Mapping[str, FieldInfo],
    schema: Mapping[str, Any],
    values: Mapping[str, Any],
    origins: Mapping[str, str],
) -> FieldViolation:
    """One fault that pydantic found: the value, where it came from, and what is allowed."""
    said = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return FieldViolation("", said)
    name, path = str(error["loc"][0]), ".".join(str(part) for part in error["loc"])
    if name not in fields:
        return FieldViolation(path, f"{path} ({origins.get(name, 'argument')}) is not a setting.")
    secret = "SecretStr" in str(fields[name].annotation) or isinstance(values.get(name), SecretStr)
    value = MASK if secret else _shown(values.get(name, fields[name].default))
    hint = _service_link_hint(origins.get(name, ""), value)
    return FieldViolation(
        path,
        f"{path} = {value!r} ({origins.get(name, 'default')}): {said}. "
        f"Allowed: {allowed(schema.get(name, {}))}.{hint}",
    )


def allowed(schema: Mapping[str, Any]) -> str:
    """What a value may be, in words, from its JSON schema."""
    if "anyOf" in schema:
        return " or ".join(allowed(part) for part in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(str(value) for value in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    if "pattern" in schema:
        return f"text of the form {schema['pattern']}"
    words = _WORDS.get(schema.get("format", ""), _WORDS.get(schema.get("type", ""), "see its description"))
    return words + _bounds(schema)


_WORDS = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "string": "text",
    "path": "a path",
    "password": "a secret",
    "array": "a list, in the environment as JSON or separated by commas",
    "object": "a table, in the environment as JSON",
    "null": "nothing",
}


def _bounds(schema: Mapping[str, Any]) -> str:
    parts = [
        f"{words} {schema[key]:,}"
        for key, words in (
            ("minimum", "at least"),
            ("exclusiveMinimum", "more than"),
            ("maximum", "at most"),
            ("exclusiveMaximum", "less than"),
        )
        if key in schema
    ]
    return f", {' and '.join(parts)}" if parts else ""


def _service_link_hint(origin: str, value: str) -> str:
    """Kubernetes sets such a variable for a Service that is called findspot-query."""
    if origin.endswith("_PORT") and value.startswith("tcp://"):
        return " Kubernetes set this variable for a Service of that name: set enableServiceLinks: false on the pod."
    return ""


def _shown(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    return _PASSWORD_OPTION.sub(r"\1***", _PASSWORD.sub(r"\1:***@", text))
