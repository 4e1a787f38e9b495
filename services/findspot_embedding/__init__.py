"""Turns texts into vectors: the default model, any other fastembed model, or an HTTP endpoint, behind one
gRPC service."""
