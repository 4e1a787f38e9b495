"""gRPC messages to dataclasses and back, one function of the service a call."""
