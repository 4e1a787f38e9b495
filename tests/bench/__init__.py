"""What it costs: ingest, search, start and memory, as ratios against the floor measured in the same run."""
