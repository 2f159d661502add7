"""The same declarations for who wants a type checker to tell ids of different sets and numbers apart.

    class Job(Id): ...
    class Node(Id): ...

    class Shop(World):
        jobs: Ids[Job] = ids("job", 2, "jobs")
        nodes: Ids[Node] = ids("node", 2, "nodes")
        place = field(jobs, opt(nodes), init=NONE, about="where the job is")
        tries = field(jobs, upto(3), init=0, about="how often it was tried")

    @rule("X-1")
    def put(s: Shop, t: Shop, job: Job, node: Node) -> None:
        t.place[job] = job                 # error: the table holds nodes
        t.tries[node] = s.tries[job] + 1   # error: it is a table of jobs
        t.tries[job] = s.tries[job] + job  # error: an id is no number

When a model runs, these names are those of ``world.py`` and ``domain.py``, and models import them from
``nomadspec``; type checkers read ``typed.pyi``, where their types know their sets. An argument whose type is
a class of ids needs nothing in the decorator: it is one of the set whose ids the world calls so
(arguments.py). What is combined keeps its type there: ``all_of`` takes flags and gives one, ``count`` gives a
number, ``ite`` and ``one_of`` take two of a kind. Members of an enum that is a ``StatusEnum`` are compared
with one another alone, and added to nothing. Ids whose class is ``Numbered`` are compared with one another
and with what counts them: ``made = field(jobs, counter(evals), ...)`` of a set ``evals`` counts its members.
Of what parts a record is made, and which of them a holder has, mypy knows by checkers/mypy_plugin.py.
"""

from typing import Protocol, TypeVar

from nomadspec.model.language.domain import FLAG, NONE, SKIP, Domain, Id, StatusEnum, counter, opt, upto
from nomadspec.model.language.record import record
from nomadspec.model.language.sets import Ids, Size
from nomadspec.model.language.world import Field, Queue, Total, feature, field, ids, index, queue, size, tally

_Key_contra = TypeVar("_Key_contra", contravariant=True)
_Given_co = TypeVar("_Given_co", covariant=True)


class Numbered(Id):
    """What is numbered from the first on, and is compared with how many there are: ``e < s.made[job]``."""


class MapOf(Protocol[_Key_contra, _Given_co]):
    """What a rule is given for an argument that is a ``Map``: a value for each member of a set."""

    def __getitem__(self, key: _Key_contra, /) -> _Given_co:
        """Give the value of a member."""
        ...


__all__ = [
    "FLAG",
    "NONE",
    "SKIP",
    "Domain",
    "Field",
    "Id",
    "Ids",
    "MapOf",
    "Numbered",
    "Queue",
    "Size",
    "StatusEnum",
    "Total",
    "counter",
    "feature",
    "field",
    "ids",
    "index",
    "opt",
    "queue",
    "record",
    "size",
    "tally",
    "upto",
]
