"""What directories, reindexing and changes of the model need to remember."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, server_default="")


def _key(name: str) -> sa.Column[str]:
    return sa.Column(name, KEY, nullable=False, server_default="")


def _big(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False, server_default="0")


def upgrade() -> None:
    """Add columns and tables; nothing that the version before reads is changed."""
    op.add_column("documents", _text("tried_stamp"))
    op.add_column("documents", _big("diverged_at"))
    fruitless = sa.text("state IN ('EMPTY', 'FAILED')")
    op.create_index(
        "documents_tried",
        "documents",
        ["state", "error_reason", "document_type", "tried_stamp"],
        unique=False,
        sqlite_where=fruitless,
        postgresql_where=fruitless,
    )
    leased = sa.text("lease_until > 0")
    op.create_index(
        "chunk_vectors_leased",
        "chunk_vectors",
        ["lease_until"],
        unique=False,
        sqlite_where=leased,
        postgresql_where=leased,
    )
    op.add_column("identities", _text("source"))
    op.add_column("identities", _big("activated_at"))
    op.add_column("active_identity", _key("offered_key"))
    op.add_column("generations", sa.Column("token_cap", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("generations", _key("token_identities"))
    op.add_column("embeddings", _big("made_at"))
    op.add_column("operations", _text("scope"))
    op.add_column("operations", _big("started_at"))
    op.add_column("operations", _key("lease_owner"))
    op.add_column("operations", _big("lease_until"))
    op.add_column("operations", sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("operations_work", "operations", ["state", "kind"], unique=False)
    op.create_table(
        "operation_items",
        sa.Column("operation_id", KEY, nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["operation_id"], ["operations.id"]),
        sa.PrimaryKeyConstraint("operation_id", "item"),
    )
    op.create_index("operation_items_state", "operation_items", ["operation_id", "state"], unique=False)
    op.create_table(
        "instances",
        sa.Column("id", KEY, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        _text("place"),
        _text("data"),
        _big("started_at"),
        _big("seen_at"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "source_files",
        sa.Column("collection_id", KEY, nullable=False),
        sa.Column("file_path", KEY, nullable=False),
        _big("size_bytes"),
        _big("modified_ns"),
        _big("changed_ns"),
        _big("inode"),
        _key("content_hash"),
        _text("error_reason"),
        _text("error_message"),
        _big("seen_at"),
        sa.ForeignKeyConstraint(["collection_id"], ["collections.id"]),
        sa.PrimaryKeyConstraint("collection_id", "file_path"),
    )
    op.create_index("source_files_hash", "source_files", ["collection_id", "content_hash"], unique=False)


def downgrade() -> None:
    """Forget what was added."""
    op.drop_index("documents_tried", "documents")
    op.drop_index("chunk_vectors_leased", "chunk_vectors")
    op.drop_table("source_files")
    op.drop_table("instances")
    op.drop_table("operation_items")
    op.drop_index("operations_work", "operations")
    for table, column in (
        ("operations", "attempts"),
        ("operations", "lease_until"),
        ("operations", "lease_owner"),
        ("operations", "started_at"),
        ("operations", "scope"),
        ("embeddings", "made_at"),
        ("generations", "token_identities"),
        ("generations", "token_cap"),
        ("active_identity", "offered_key"),
        ("identities", "activated_at"),
        ("identities", "source"),
        ("documents", "diverged_at"),
        ("documents", "tried_stamp"),
    ):
        op.drop_column(table, column)
