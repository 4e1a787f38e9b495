"""Alembic's entry: runs the steps on the connection that `schema.upgrade` opened, inside its transaction."""

from alembic import context

from findspot.stores.manifest.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
