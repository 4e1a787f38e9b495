"""The key that signs page tokens: from the settings, or made once and kept in the data folder."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

KEY_FILE = "page-token.key"
_BYTES = 32


def signing_key(configured: str, data: Path) -> bytes:
    """The configured key, else that of the data folder, which is made when there is none."""
    if configured:
        return configured.encode()
    path = data / KEY_FILE
    data.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{KEY_FILE}.{os.getpid()}")
    draft.touch(mode=0o600)
    try:
        draft.write_bytes(secrets.token_bytes(_BYTES))
        # A link fails when somebody else was first: then theirs is the key.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)
    return path.read_bytes()
