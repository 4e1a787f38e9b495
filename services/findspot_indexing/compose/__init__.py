"""Stage one: from the bytes of a document to live chunks that are found by their words."""
