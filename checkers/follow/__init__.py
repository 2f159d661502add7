"""Following a log of somebody's own system through a model: every way that explains it is kept."""

from nomadspec.checkers.follow.follower import follow

__all__ = ["follow"]
