"""The chunking service: cuts an extracted document into sections and chunks that fit the embedding model."""
