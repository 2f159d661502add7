"""Refinement: whether each step of one model, seen through a mapping, is a step of another or none."""

from nomadspec.checkers.refine.refiner import refine

__all__ = ["refine"]
