"""Office files under a password, opened before their type is told: what is inside an envelope decides who reads it."""

from __future__ import annotations

import io
from typing import Any

from .readers.ooxml import is_locked
from .readers.reader import encrypted

_NOBODY_ASKS_FOR = "VelvetSweatshop"
"""Office encrypts workbooks that are only protected against writing with this, and opens them without asking
([MS-OFFCRYPTO] 2.4.2.3)."""


def unlocked(data: bytes, file_name: str, password: str) -> bytes:
    """The Office Open XML package inside an encrypted file; any other file as it is.

    Raises DOCUMENT_ENCRYPTED when it needs a password that was not given, or another one.
    """
    if not is_locked(data):
        return data
    # Costs 0.1 s to load, and few files need it.
    import msoffcrypto
    from msoffcrypto.exceptions import InvalidKeyError

    name = repr(file_name) if file_name else "The file"
    try:
        envelope: Any = msoffcrypto.OfficeFile(io.BytesIO(data))
        package = io.BytesIO()
        envelope.load_key(password=password or _NOBODY_ASKS_FOR, verify_password=True)
        envelope.decrypt(package)
    except InvalidKeyError as error:
        given = "the given password is wrong" if password else "it needs a password"
        raise encrypted(f"{name} is an encrypted Office document; {given}. Send its password.") from error
    except MemoryError:
        raise  # the limit of the worker, which has a failure of its own
    except Exception as error:
        # The library says what it cannot do, and what is damaged, by errors of many kinds.
        raise encrypted(
            f"{name} is an Office document that is encrypted in a way that cannot be undone here ({error}): save it "
            "without a password and add it again."
        ) from error
    return package.getvalue()
