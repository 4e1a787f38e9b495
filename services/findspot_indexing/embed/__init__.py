"""Stage two: from live chunks to vectors that are stored once, projected, and marked ready."""
