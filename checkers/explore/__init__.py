"""The explorer: every world of a bounded model, level by level, with shortest stories."""

from nomadspec.checkers.explore.explorer import explore

__all__ = ["explore"]
