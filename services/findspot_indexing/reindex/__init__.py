"""Making documents anew where they were made with what is not current any more, or wherever somebody asks for it."""
