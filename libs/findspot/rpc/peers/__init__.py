"""Typed clients of the internal services, for services: dataclasses in and out, `FindspotError` raised."""
