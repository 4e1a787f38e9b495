"""Long operations: begun by a call, run by the sweep, seen and stopped by their id."""
