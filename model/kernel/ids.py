"""The ids of the kernel, as a type checker tells them apart; when a rule runs they are numbers.

What is numbered from the first on (evaluations, allocations, places in a plan, units) is an id too, which is
compared with how many there are. A count becomes one only where a number is given out.
"""

from typing import TypeAlias

from nomadspec.model.language.typed import Id, MapOf, Numbered


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


class EvalNumber(Numbered):
    """An evaluation of a job, in the order in which they were made."""


class AllocNumber(Numbered):
    """An allocation of a job, in the order in which they were made."""


class Placement(Numbered):
    """An instance that a plan can place."""


class Unit(Numbered):
    """A unit of room beside the first."""


PlacedAt: TypeAlias = MapOf[Placement, NodeId]
"""What a scheduler chooses: a node for each allocation, or none."""
