"""Proofs with the solver: for any number of objects where it can, in a scope where it cannot."""

from nomadspec.checkers.smt.proving import prove

__all__ = ["prove"]
