"""What drives the work: loops that claim it, retry it, and clean up behind it."""
