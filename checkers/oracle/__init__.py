"""Judges recordings of a real server by the cluster model."""
