"""One module a format: bytes of a file in, `ExtractedDocument` out; each is loaded only when needed."""
