"""Scenarios: plain text that says what happens to a cluster, and what is expected of it."""
