"""Makes questions up, kind by kind; the same seed makes the same questions everywhere."""
