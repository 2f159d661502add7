"""Graphs of evaluations: what caused each, what it placed and stopped, and what can be asked of that."""
