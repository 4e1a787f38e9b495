"""Comparing both projections with the manifest, mending what differs, and building either anew."""
