"""The query service: finds passages with both arms, and reads chunks, sections and documents."""
