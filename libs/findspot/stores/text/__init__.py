"""The full-text index: tokens made in Python for both sides, a Tantivy schema, one writer, many readers."""
