"""Symmetry: interchangeable ids, and the world that stands for all that differ by their names."""
