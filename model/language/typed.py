"""The same declarations for who wants a type checker to tell ids of different sets and numbers apart.

    class Job(Id): ...
    class Node(Id): ...

    class Shop(World):
        jobs: Ids[Job] = ids("job", 2, "jobs")
        nodes: Ids[Node] = ids("node", 2, "nodes")
        place = field(jobs, opt(nodes), init=NONE, about="where the job is")
        tries = field(jobs, upto(3), init=0, about="how often it was tried")

    @rule("X-1", job=Shop.jobs, node=Shop.nodes)
    def put(s: Shop, t: Shop, job: Job, node: Node) -> None:
        t.place[job] = job                 # error: the table holds nodes
        t.tries[node] = s.tries[job] + 1   # error: it is a table of jobs
        t.tries[job] = s.tries[job] + job  # error: an id is no number

When a model runs, these names are those of ``world.py`` and ``domain.py``; type checkers read ``typed.pyi``,
where their types know their sets. What combinators give (``ite``, ``all_of``, ``count``) is
anything, as elsewhere.
"""

from nomadspec.model.language.domain import FLAG, NONE, SKIP, Domain, Id, counter, opt, upto
from nomadspec.model.language.record import record
from nomadspec.model.language.world import Field, Ids, Size, Total, feature, field, ids, index, size, tally

__all__ = [
    "FLAG",
    "NONE",
    "SKIP",
    "Domain",
    "Field",
    "Id",
    "Ids",
    "Size",
    "Total",
    "counter",
    "feature",
    "field",
    "ids",
    "index",
    "opt",
    "record",
    "size",
    "tally",
    "upto",
]
