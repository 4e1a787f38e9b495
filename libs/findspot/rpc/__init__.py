"""What services and their callers share: servers, channels, errors on the wire, uploads, vectors."""
