"""Settings: one class a service, filled from arguments, the environment and `findspot.toml`, all faults told
at once.

A setting is taken from the first of these that has it:
1. an argument of `load_settings`;
2. `FINDSPOT_<SECTION>_<FIELD>` in the environment; an empty value counts as none;
3. `FINDSPOT_<FIELD>`, for the settings that services share (all of `ServiceSettings` but the port, and the
   manifest, which indexing and query have);
4. the table `[section]` of findspot.toml;
5. the top of findspot.toml, for the shared ones;
6. the default.
The tables of `sources.SHARED_TABLES` stand at the top of findspot.toml, or in `FINDSPOT_<FIELD>` as JSON; no
service can have its own.
findspot.toml is the file that FINDSPOT_CONFIG names, else `./findspot.toml`, else `<data>/findspot.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from findspot.errors import FieldViolation, InvalidArgument
from findspot.settings.describe import SettingRow, describe_fault, table_row
from findspot.settings.sources import SHARED_TABLES, Sources, read_sources

__all__ = [
    "ServiceSettings",
    "SettingRow",
    "default_data",
    "load_settings",
    "settings_table",
    "suite_registry",
]

DEFAULT_DATA = "~/.local/share/findspot"
DEFAULT_REGISTRY = "~/.local/state/findspot/suites"


def _expand_user(value: Any) -> Any:
    return Path(value).expanduser() if isinstance(value, (str, Path)) and str(value) else value


HomePath = Annotated[Path, BeforeValidator(_expand_user)]
"""A path that may begin with `~`."""


class ServiceSettings(BaseSettings):
    """What every service can be told. Made directly it holds defaults; `load_settings` reads the sources."""

    section: ClassVar[str] = ""
    """Name of the service in environment variables and of its table in findspot.toml."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        validate_default=True,
        hide_input_in_errors=True,
    )

    host: str = "127.0.0.1"
    """Address to listen on; anything but loopback needs TLS and auth, or `insecure`."""
    port: int = Field(default=0, ge=0, le=65_535)
    """TCP port to listen on; 0 takes any free one."""
    data: HomePath = Path(DEFAULT_DATA)
    """Folder that holds everything which is stored."""
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"],
        BeforeValidator(lambda value: value.upper() if isinstance(value, str) else value),
    ] = "INFO"
    """Lowest level of log lines that are written."""
    log_format: Literal["text", "json"] = "text"
    """Log lines for people, or one JSON object a line."""
    tracing: str = Field(default="off", pattern=r"^(off|console|https?://\S+)$")
    """Where OpenTelemetry traces go: `off`, `console`, or an OTLP endpoint such as http://collector:4317."""
    insecure: bool = False
    """Listen beyond this machine without TLS and auth."""
    max_message_bytes: int = Field(default=16 * 1024 * 1024, ge=64 * 1024, le=2**31 - 1)
    """Largest gRPC message in either direction, in bytes."""
    max_concurrent: int = Field(default=256, ge=1, le=100_000)
    """Calls served at the same time; further ones are refused."""
    grace_seconds: float = Field(default=10.0, ge=0, le=3_600)
    """Seconds that calls in flight may take to finish when the service stops."""

    _origins: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Nothing but arguments: `load_settings` reads the rest, since it knows where each value came
        from."""
        return (init_settings,)

    @classmethod
    def value_faults(cls, values: Mapping[str, Any], origins: Mapping[str, str]) -> list[FieldViolation]:
        """What is wrong with given values beyond what their types say; `origins` tell where each is from."""
        return []


SHARED = frozenset(ServiceSettings.model_fields) - {"port"} | {"manifest"}
"""Settings that may be given once for all services that have them, and for each."""

S = TypeVar("S", bound=ServiceSettings)


def load_settings(cls: type[S], **overrides: Any) -> S:
    """The settings in force for a service.

    InvalidArgument with a field violation for each value that is wrong, naming it, where it came from and
    what is allowed, and for each key that findspot.toml should not have.
    """
    sources = _sources(overrides)
    values: dict[str, Any] = dict(overrides)
    origins = dict.fromkeys(overrides, "argument")
    for name, field in cls.model_fields.items():
        section, shared = ("", True) if name in SHARED_TABLES else (cls.section, name in SHARED)
        found = None if name in overrides else sources.find(section, name, shared, field.annotation)
        if found is not None:
            values[name], origins[name] = found
    faults = sources.unknown_keys(cls.section, cls.model_fields.keys() - set(SHARED_TABLES), SHARED)
    faults += cls.value_faults(values, origins)
    try:
        settings = cls(**values)
    except ValidationError as exc:
        schema = cls.model_json_schema()["properties"]
        faults += [describe_fault(error, cls.model_fields, schema, values, origins) for error in exc.errors()]
    if faults:
        raise _refusal(cls.section, faults)
    settings._origins.update(origins)
    return settings


def settings_table(settings: ServiceSettings | type[ServiceSettings]) -> list[SettingRow]:
    """One row a setting: name, value, where it comes from, what it does. Secrets and passwords are masked.

    A class is loaded first, with all that `load_settings` may raise.
    """
    loaded = settings if isinstance(settings, ServiceSettings) else load_settings(settings)
    shown = loaded.model_dump(mode="json")
    return [
        table_row(name, shown[name], loaded._origins.get(name, "default"), field.description or "")
        for name, field in type(loaded).model_fields.items()
    ]


def default_data() -> Path:
    """The data folder when a caller names none."""
    found = _sources({}).find("", "data", True, Path)
    return Path(DEFAULT_DATA if found is None else found[0]).expanduser()


def suite_registry() -> Path:
    """The folder in which running suites of this user are noted."""
    found = _sources({}).find("suite", "registry", False, Path)
    return Path(DEFAULT_REGISTRY if found is None else found[0]).expanduser()


def _sources(overrides: dict[str, Any]) -> Sources:
    data = overrides.get("data")
    return read_sources(None if data is None else Path(data), Path(DEFAULT_DATA))


def _refusal(section: str, faults: list[FieldViolation]) -> InvalidArgument:
    what = "A setting" if len(faults) == 1 else f"{len(faults)} settings"
    of = f" of {section}" if section else ""
    listed = "".join(f"\n  {fault.description}" for fault in faults)
    return InvalidArgument(f"{what}{of} cannot be used:{listed}", fields=faults)
