"""What happens around every call, one concern a module: errors, limits, deadline, caller, tracing."""
