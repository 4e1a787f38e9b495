"""How large messages and metadata may be: the same on servers and channels."""

MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""gRPC's own limit of 4 MiB is too small for a batch; messages over 2 MiB are slow, so batches are bounded
too."""

MAX_METADATA_BYTES = 64 * 1024
"""gRPC's own limit of 8 KiB is near what an error with many field violations takes."""
