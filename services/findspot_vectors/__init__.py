"""The embedded vector store: Qdrant's own gRPC protocol over Qdrant Edge shards, one a collection, in one
process."""
