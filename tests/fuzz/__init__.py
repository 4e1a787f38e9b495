"""Damaged files sent through a real extraction service: each has to be answered, and none may cost another."""
