"""The ids of the kernel, as a type checker tells them apart; when a rule runs they are numbers.

What is numbered in the order in which it is made (evaluations, allocations, slots) keeps plain numbers: these
are counted on, and given out.
"""

from nomadspec.model.language.typed import Id


class JobId(Id):
    """A job."""


class NodeId(Id):
    """A node."""


class WorkerId(Id):
    """A scheduling worker."""


class EntryId(Id):
    """A place for a log entry in flight."""


class ServerId(Id):
    """A server that is behind."""
