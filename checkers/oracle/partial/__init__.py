"""Judges a cluster that is seen in part: what none may show is told, and the rest is open."""
