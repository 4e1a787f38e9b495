"""Collections whose documents are the files of a directory: scanned, compared with what is stored, followed."""
