"""The state of a server that has applied nothing yet."""
