"""The extraction service: bytes of any supported format in, full text with blocks, pages and words out."""
