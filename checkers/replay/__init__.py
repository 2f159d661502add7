"""Tells the story of a recorded cluster, with the verdict of the oracle."""
