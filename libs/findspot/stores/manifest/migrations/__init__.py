"""The steps by which a manifest gets its present shape, run by Alembic from inside the package."""
