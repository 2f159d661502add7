"""Judges what was read of a running cluster, and what it answered to whom asked it for something."""
