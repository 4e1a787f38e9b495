"""The tables of the manifest, for SQLite and PostgreSQL alike, and nothing else.

Ids are text, times are whole microseconds since 1970 in UTC, 0 where a time is not set. Small columns stand
first: SQLite reads a row from its front, and a read that only needs positions never touches the text.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)

from findspot.stores.manifest.words import Json, Key, Words

metadata = MetaData()


def _text(name: str) -> Column[str]:
    return Column(name, Words, nullable=False, server_default="")


def _key(name: str) -> Column[str]:
    return Column(name, Key, nullable=False, server_default="")


def _count(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default="0")


def _big(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False, server_default="0")


collections = Table(
    "collections",
    metadata,
    Column("id", Key, primary_key=True),
    Column("path", Key, nullable=False, unique=True),
    Column("tenant", Key, nullable=False),
    Column("source_kind", Words, nullable=False),
    _text("source_root"),
    Column("source_options", Json, nullable=False),
    Column("profile_overrides", Json, nullable=False),
    Column("display_name", Words, nullable=False, server_default=""),
    Column("etag", Words, nullable=False),
    _big("created_at"),
    _big("updated_at"),
)

documents = Table(
    "documents",
    metadata,
    Column("id", Key, primary_key=True),
    Column("collection_id", Key, ForeignKey("collections.id"), nullable=False),
    Column("collection_path", Key, nullable=False),
    Column("file_path", Key, nullable=False),
    Column("state", Words, nullable=False),
    _count("generation"),
    _count("next_generation"),
    _text("title"),
    _text("summary"),
    _text("media_type"),
    _text("document_type"),
    _text("language"),
    Column("metadata", Json, nullable=False),
    _big("size_bytes"),
    _key("content_hash"),
    _key("observed_hash"),
    _key("blob_key"),
    _big("source_modified_at"),
    Column("options", Json, nullable=False),
    _text("error_reason"),
    _text("error_message"),
    _count("attempts"),
    _big("next_attempt_at"),
    _key("lease_owner"),
    _big("lease_until"),
    _text("stage"),
    _big("revision"),
    _big("queued_at"),
    _big("created_at"),
    _big("updated_at"),
    _big("indexed_at"),
    _big("deleted_at"),
    # The extractor's stamp at the last try, also when it gave nothing: another stamp is worth another try.
    _text("tried_stamp"),
    # Since when `observed_hash` is not `content_hash`; 0 while they agree.
    _big("diverged_at"),
    UniqueConstraint("collection_id", "file_path", name="documents_file"),
    Index("documents_work", "state", "next_attempt_at"),
    Index("documents_path", "collection_path", "file_path"),
    Index("documents_blob", "blob_key"),
)

# As text: an index with a condition serves only queries that repeat it word for word.
FRUITLESS = text("documents.state IN ('EMPTY', 'FAILED')")
_FRUITLESS = text("state IN ('EMPTY', 'FAILED')")
Index(
    "documents_tried",
    documents.c.state,
    documents.c.error_reason,
    documents.c.document_type,
    documents.c.tried_stamp,
    sqlite_where=_FRUITLESS,
    postgresql_where=_FRUITLESS,
)

generations = Table(
    "generations",
    metadata,
    Column("document_id", Key, ForeignKey("documents.id"), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("state", Words, nullable=False),
    _key("content_hash"),
    _text("extractor_stamp"),
    _text("chunker_stamp"),
    _text("options_stamp"),
    _key("blob_key"),
    _key("extraction_key"),
    _key("text_key"),
    _count("text_length"),
    _count("page_count"),
    _count("section_count"),
    _count("chunk_count"),
    _text("effective_limit"),
    # Tokens that bound the chunks (0: none were counted), and the identities whose inputs they were made to fit.
    _count("token_cap"),
    _key("token_identities"),
    Column("warnings", Json, nullable=False),
    _big("created_at"),
    _big("published_at"),
    _big("retired_at"),
    PrimaryKeyConstraint("document_id", "generation"),
    Index("generations_blob", "blob_key"),
    Index("generations_extraction", "extraction_key"),
    Index("generations_text", "text_key"),
)
Index(
    "generations_staged",
    generations.c.document_id,
    sqlite_where=generations.c.state == "STAGED",
    postgresql_where=generations.c.state == "STAGED",
)

sections = Table(
    "sections",
    metadata,
    Column("id", Key, primary_key=True),
    Column("document_id", Key, ForeignKey("documents.id"), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("section_index", Integer, nullable=False),
    Column("kind", Words, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    _count("page_start"),
    _count("page_end"),
    _text("locator"),
    Column("heading_path", Json, nullable=False),
    Index("sections_document", "document_id", "generation", "section_index"),
)

chunks = Table(
    "chunks",
    metadata,
    Column("id", Key, primary_key=True),
    Column("document_id", Key, ForeignKey("documents.id"), nullable=False),
    Column("state", Words, nullable=False),
    Column("chunk_index", Integer, nullable=False),
    Column("section_id", Key, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("text_state", Words, nullable=False),
    Column("kind", Words, nullable=False),
    _text("language"),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    _count("overlap"),
    _count("page"),
    Column("contains_code", Boolean, nullable=False),
    Column("token_count", Integer),
    Column("chunk_hash", Key, nullable=False),
    _count("occurrence"),
    _text("extractor_stamp"),
    _text("chunker_stamp"),
    _count("payload_recipe"),
    _big("created_at"),
    _big("retired_at"),
    _text("locator"),
    Column("heading_path", Json, nullable=False),
    Column("identifiers", Json, nullable=False),
    Column("boxes", Json, nullable=False),
    _text("context"),
    Column("text", Words, nullable=False),
    Index("chunks_position", "document_id", "state", "chunk_index"),
    # Holds all that ranking needs, so that the candidates of a search are checked without reading their rows.
    Index("chunks_live", "id", "state", "document_id", "chunk_index", "section_id"),
)
Index(
    "chunks_unswept",
    chunks.c.retired_at,
    sqlite_where=(chunks.c.state == "RETIRED") & (chunks.c.text_state == "READY"),
    postgresql_where=(chunks.c.state == "RETIRED") & (chunks.c.text_state == "READY"),
)

chunk_vectors = Table(
    "chunk_vectors",
    metadata,
    Column("identity", Key, nullable=False),
    Column("chunk_id", Key, ForeignKey("chunks.id"), nullable=False),
    Column("document_id", Key, nullable=False),
    Column("collection_id", Key, nullable=False),
    Column("embed_hash", Key, nullable=False),
    Column("state", Words, nullable=False),
    _count("attempts"),
    _big("next_attempt_at"),
    _key("lease_owner"),
    _big("lease_until"),
    _text("error_reason"),
    _text("error_message"),
    _big("updated_at"),
    PrimaryKeyConstraint("identity", "chunk_id"),
    Index("chunk_vectors_work", "identity", "state", "next_attempt_at"),
    Index("chunk_vectors_document", "document_id", "identity", "state"),
    Index("chunk_vectors_chunk", "chunk_id"),
    Index("chunk_vectors_hash", "embed_hash"),
)

# What batches are at, of all chunks: looked for at every sign of life. As text, see FRUITLESS.
LEASED = text("chunk_vectors.lease_until > 0")
_LEASED = text("lease_until > 0")
Index(
    "chunk_vectors_leased",
    chunk_vectors.c.lease_until,
    sqlite_where=_LEASED,
    postgresql_where=_LEASED,
)

embeddings = Table(
    "embeddings",
    metadata,
    Column("identity", Key, nullable=False),
    Column("embed_hash", Key, nullable=False),
    Column("dimension", Integer, nullable=False),
    _big("last_used_at"),
    Column("vector", LargeBinary, nullable=False),
    _big("made_at"),
    PrimaryKeyConstraint("identity", "embed_hash"),
)

identities = Table(
    "identities",
    metadata,
    Column("key", Key, primary_key=True),
    Column("display", Words, nullable=False),
    Column("name", Words, nullable=False),
    Column("dimension", Integer, nullable=False),
    Column("input_limit", Integer, nullable=False),
    Column("special_tokens", Integer, nullable=False),
    Column("qdrant_collection", Words, nullable=False),
    Column("state", Words, nullable=False),
    _big("created_at"),
    # What the embedding service was configured with to load it.
    _text("source"),
    _big("activated_at"),
)

active_identity = Table(
    "active_identity",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _key("identity_key"),
    _key("previous_key"),
    _big("switched_at"),
    # The model that the embedding service was last seen configured with: only another one is a wish to change.
    _key("offered_key"),
)

counters = Table(
    "counters",
    metadata,
    Column("collection_id", Key, nullable=False),
    Column("identity", Key, nullable=False),
    Column("name", Key, nullable=False),
    Column("value", BigInteger, nullable=False),
    PrimaryKeyConstraint("collection_id", "identity", "name"),
)

revision = Table(
    "revision",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("value", BigInteger, nullable=False),
)

operations = Table(
    "operations",
    metadata,
    Column("id", Key, primary_key=True),
    Column("kind", Words, nullable=False),
    Column("state", Words, nullable=False),
    _key("collection_path"),
    Column("request", Json, nullable=False),
    Column("progress", Json, nullable=False),
    _text("error_reason"),
    _text("error_message"),
    Column("cancel_requested", Boolean, nullable=False),
    _big("created_at"),
    _big("updated_at"),
    _big("finished_at"),
    _text("scope"),
    _big("started_at"),
    # Which worker does it, and until when that holds unless it is renewed.
    _key("lease_owner"),
    _big("lease_until"),
    _count("attempts"),
    Index("operations_created", "created_at"),
    Index("operations_work", "state", "kind"),
)

operation_items = Table(
    "operation_items",
    metadata,
    Column("operation_id", Key, ForeignKey("operations.id"), nullable=False),
    Column("item", Key, nullable=False),
    Column("state", Words, nullable=False),
    PrimaryKeyConstraint("operation_id", "item"),
    Index("operation_items_state", "operation_id", "state"),
)

# The files of a directory as they were last seen: one whose size, time and inode are the same is not read again.
source_files = Table(
    "source_files",
    metadata,
    Column("collection_id", Key, ForeignKey("collections.id"), nullable=False),
    Column("file_path", Key, nullable=False),
    _big("size_bytes"),
    _big("modified_ns"),
    # Of the file system's own note: an edit that sets the other time back moves this one.
    _big("changed_ns"),
    _big("inode"),
    _key("content_hash"),
    _text("error_reason"),
    _text("error_message"),
    _big("seen_at"),
    PrimaryKeyConstraint("collection_id", "file_path"),
    Index("source_files_hash", "collection_id", "content_hash"),
)

# The indexing processes: one that was not seen for a while is dead, and others take up what it had claimed.
instances = Table(
    "instances",
    metadata,
    Column("id", Key, primary_key=True),
    Column("role", Words, nullable=False),
    _text("place"),
    _text("data"),
    _big("started_at"),
    _big("seen_at"),
)

blobs = Table(
    "blobs",
    metadata,
    Column("key", Key, primary_key=True),
    _big("size"),
    Column("kind", Words, nullable=False),
    _big("created_at"),
)

requests = Table(
    "requests",
    metadata,
    Column("request_id", Key, primary_key=True),
    Column("method", Words, nullable=False),
    Column("request_hash", Key, nullable=False),
    Column("response", LargeBinary, nullable=False),
    _big("created_at"),
    Index("requests_created", "created_at"),
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("document_id", Key, nullable=False),
    Column("collection_id", Key, nullable=False),
    _key("collection_path"),
    Column("file_path", Key, nullable=False),
    _key("content_hash"),
    Column("kind", Words, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("document_id", "kind", "at"),
)
