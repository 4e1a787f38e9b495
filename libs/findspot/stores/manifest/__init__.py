"""The manifest: the database that says what every document, chunk and vector is and where it stands."""
