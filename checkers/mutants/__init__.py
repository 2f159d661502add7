"""Mutants: rules and properties with one small mistake each, and whether the checks notice it."""
