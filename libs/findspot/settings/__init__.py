"""How settings are found in the environment and in findspot.toml, and how they and their faults are shown."""
