"""The suite on one machine: its folder, its ports, and the supervisor that keeps one process a service alive."""
