"""The first shape of the manifest."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    """Make every table and index."""
    op.create_table(
        "active_identity",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("identity_key", KEY, server_default="", nullable=False),
        sa.Column("previous_key", KEY, server_default="", nullable=False),
        sa.Column("switched_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "blobs",
        sa.Column("key", KEY, nullable=False),
        sa.Column("size", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "collections",
        sa.Column("id", KEY, nullable=False),
        sa.Column("path", KEY, nullable=False),
        sa.Column("tenant", KEY, nullable=False),
        sa.Column("source_kind", sa.Text(), nullable=False),
        sa.Column("source_root", sa.Text(), nullable=False, server_default=""),
        sa.Column("source_options", JSON, nullable=False),
        sa.Column("profile_overrides", JSON, nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False, server_default=""),
        sa.Column("etag", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("updated_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("path"),
    )
    op.create_table(
        "counters",
        sa.Column("collection_id", KEY, nullable=False),
        sa.Column("identity", KEY, nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("collection_id", "identity", "name"),
    )
    op.create_table(
        "embeddings",
        sa.Column("identity", KEY, nullable=False),
        sa.Column("embed_hash", KEY, nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("identity", "embed_hash"),
    )
    op.create_table(
        "identities",
        sa.Column("key", KEY, nullable=False),
        sa.Column("display", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("input_limit", sa.Integer(), nullable=False),
        sa.Column("special_tokens", sa.Integer(), nullable=False),
        sa.Column("qdrant_collection", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "operations",
        sa.Column("id", KEY, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("collection_path", KEY, server_default="", nullable=False),
        sa.Column("request", JSON, nullable=False),
        sa.Column("progress", JSON, nullable=False),
        sa.Column("error_reason", sa.Text(), nullable=False, server_default=""),
        sa.Column("error_message", sa.Text(), nullable=False, server_default=""),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("updated_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("finished_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("operations_created", "operations", ["created_at"], unique=False)
    op.create_table(
        "requests",
        sa.Column("request_id", KEY, nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("request_hash", KEY, nullable=False),
        sa.Column("response", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("request_id"),
    )
    op.create_index("requests_created", "requests", ["created_at"], unique=False)
    op.create_table(
        "revision",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "tombstones",
        sa.Column("document_id", KEY, nullable=False),
        sa.Column("collection_id", KEY, nullable=False),
        sa.Column("collection_path", KEY, server_default="", nullable=False),
        sa.Column("file_path", KEY, nullable=False),
        sa.Column("content_hash", KEY, server_default="", nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "kind", "at"),
    )
    op.create_table(
        "documents",
        sa.Column("id", KEY, nullable=False),
        sa.Column("collection_id", KEY, nullable=False),
        sa.Column("collection_path", KEY, nullable=False),
        sa.Column("file_path", KEY, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("generation", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_generation", sa.Integer(), server_default="0", nullable=False),
        sa.Column("title", sa.Text(), nullable=False, server_default=""),
        sa.Column("summary", sa.Text(), nullable=False, server_default=""),
        sa.Column("media_type", sa.Text(), nullable=False, server_default=""),
        sa.Column("document_type", sa.Text(), nullable=False, server_default=""),
        sa.Column("language", sa.Text(), nullable=False, server_default=""),
        sa.Column("metadata", JSON, nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("content_hash", KEY, server_default="", nullable=False),
        sa.Column("observed_hash", KEY, server_default="", nullable=False),
        sa.Column("blob_key", KEY, server_default="", nullable=False),
        sa.Column("source_modified_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("error_reason", sa.Text(), nullable=False, server_default=""),
        sa.Column("error_message", sa.Text(), nullable=False, server_default=""),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_attempt_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("lease_owner", KEY, server_default="", nullable=False),
        sa.Column("lease_until", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("stage", sa.Text(), nullable=False, server_default=""),
        sa.Column("revision", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("queued_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("updated_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("indexed_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("collection_id", "file_path", name="documents_file"),
    )
    op.create_index("documents_blob", "documents", ["blob_key"], unique=False)
    op.create_index("documents_path", "documents", ["collection_path", "file_path"], unique=False)
    op.create_index("documents_work", "documents", ["state", "next_attempt_at"], unique=False)
    op.create_table(
        "chunks",
        sa.Column("id", KEY, nullable=False),
        sa.Column("document_id", KEY, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("chunk_index", sa.Integer(), nullable=False),
        sa.Column("section_id", KEY, nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("text_state", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False, server_default=""),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("overlap", sa.Integer(), server_default="0", nullable=False),
        sa.Column("page", sa.Integer(), server_default="0", nullable=False),
        sa.Column("contains_code", sa.Boolean(), nullable=False),
        sa.Column("token_count", sa.Integer(), nullable=True),
        sa.Column("chunk_hash", KEY, nullable=False),
        sa.Column("occurrence", sa.Integer(), server_default="0", nullable=False),
        sa.Column("extractor_stamp", sa.Text(), nullable=False, server_default=""),
        sa.Column("chunker_stamp", sa.Text(), nullable=False, server_default=""),
        sa.Column("payload_recipe", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("retired_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("locator", sa.Text(), nullable=False, server_default=""),
        sa.Column("heading_path", JSON, nullable=False),
        sa.Column("identifiers", JSON, nullable=False),
        sa.Column("boxes", JSON, nullable=False),
        sa.Column("context", sa.Text(), nullable=False, server_default=""),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "chunks_live", "chunks", ["id", "state", "document_id", "chunk_index", "section_id"], unique=False
    )
    op.create_index("chunks_position", "chunks", ["document_id", "state", "chunk_index"], unique=False)
    op.create_index(
        "chunks_unswept",
        "chunks",
        ["retired_at"],
        unique=False,
        sqlite_where=sa.text("state = 'RETIRED' AND text_state = 'READY'"),
        postgresql_where=sa.text("state = 'RETIRED' AND text_state = 'READY'"),
    )
    op.create_table(
        "generations",
        sa.Column("document_id", KEY, nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("content_hash", KEY, server_default="", nullable=False),
        sa.Column("extractor_stamp", sa.Text(), nullable=False, server_default=""),
        sa.Column("chunker_stamp", sa.Text(), nullable=False, server_default=""),
        sa.Column("options_stamp", sa.Text(), nullable=False, server_default=""),
        sa.Column("blob_key", KEY, server_default="", nullable=False),
        sa.Column("extraction_key", KEY, server_default="", nullable=False),
        sa.Column("text_key", KEY, server_default="", nullable=False),
        sa.Column("text_length", sa.Integer(), server_default="0", nullable=False),
        sa.Column("page_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("section_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("chunk_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("effective_limit", sa.Text(), nullable=False, server_default=""),
        sa.Column("warnings", JSON, nullable=False),
        sa.Column("created_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("published_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("retired_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
        ),
        sa.PrimaryKeyConstraint("document_id", "generation"),
    )
    op.create_index("generations_blob", "generations", ["blob_key"], unique=False)
    op.create_index("generations_extraction", "generations", ["extraction_key"], unique=False)
    op.create_index("generations_text", "generations", ["text_key"], unique=False)
    op.create_index(
        "generations_staged",
        "generations",
        ["document_id"],
        unique=False,
        sqlite_where=sa.text("state = 'STAGED'"),
        postgresql_where=sa.text("state = 'STAGED'"),
    )
    op.create_table(
        "sections",
        sa.Column("id", KEY, nullable=False),
        sa.Column("document_id", KEY, nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("section_index", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("page_start", sa.Integer(), server_default="0", nullable=False),
        sa.Column("page_end", sa.Integer(), server_default="0", nullable=False),
        sa.Column("locator", sa.Text(), nullable=False, server_default=""),
        sa.Column("heading_path", JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "sections_document", "sections", ["document_id", "generation", "section_index"], unique=False
    )
    op.create_table(
        "chunk_vectors",
        sa.Column("identity", KEY, nullable=False),
        sa.Column("chunk_id", KEY, nullable=False),
        sa.Column("document_id", KEY, nullable=False),
        sa.Column("collection_id", KEY, nullable=False),
        sa.Column("embed_hash", KEY, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_attempt_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("lease_owner", KEY, server_default="", nullable=False),
        sa.Column("lease_until", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("error_reason", sa.Text(), nullable=False, server_default=""),
        sa.Column("error_message", sa.Text(), nullable=False, server_default=""),
        sa.Column("updated_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["chunk_id"],
            ["chunks.id"],
        ),
        sa.PrimaryKeyConstraint("identity", "chunk_id"),
    )
    op.create_index("chunk_vectors_chunk", "chunk_vectors", ["chunk_id"], unique=False)
    op.create_index(
        "chunk_vectors_document", "chunk_vectors", ["document_id", "identity", "state"], unique=False
    )
    op.create_index("chunk_vectors_hash", "chunk_vectors", ["embed_hash"], unique=False)
    op.create_index(
        "chunk_vectors_work", "chunk_vectors", ["identity", "state", "next_attempt_at"], unique=False
    )


def downgrade() -> None:
    """There is no shape before this one."""
    raise NotImplementedError("The first migration cannot be undone: remove the manifest instead.")
