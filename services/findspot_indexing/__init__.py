"""The indexing service: takes documents in and keeps manifest, blobs, text index and vectors true to them."""
