"""Searches that are shared out: among tables by the hash of each world, and among processes."""
