"""The towers of Hanoi: discs are moved from the first of three pegs to the last, never onto a smaller one.

It teaches that a puzzle is a `sometimes`: the shortest story that reaches it is the solution. With n discs
there are 3^n worlds, and the solution takes 2^n - 1 moves.
"""

from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Flag, for_all, implies
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, index, size
from nomadspec.model.specification.mistakes import CARELESS_MOVE


class Hanoi(World):
    """On which peg each disc lies; on a peg the larger disc lies below."""

    disc_count = size(3, "how many discs there are", least=1)
    peg_count = size(3, "how many pegs there are", least=1)
    discs = index("disc", disc_count, "the discs, the smallest first")
    pegs = index("peg", peg_count, "the pegs, that of the beginning first")

    on = field(discs, pegs, init=0, about="the peg on which a disc lies")


@rule("Hanoi!Move", disc=Hanoi.discs, peg=Hanoi.pegs)
def move(s: Hanoi, t: Hanoi, disc: Id, peg: Id) -> None:
    """A disc on which none lies is put onto another peg, where none is smaller."""
    t.require(s.on[disc] != peg)
    t.require(for_all(implies(other < disc, s.on[other] != s.on[disc]) for other in s.discs))
    if not s.has(CARELESS_MOVE):
        t.require(for_all(implies(other < disc, s.on[other] != peg) for other in s.discs))
    t.on[disc] = peg


def is_over(s: Hanoi) -> Flag:
    """True while all discs lie on the last peg."""
    return for_all(s.on[disc] == s.peg_count - 1 for disc in s.discs)


HANOI = Model(
    name="hanoi",
    about="a tower of discs is moved from peg to peg",
    world=Hanoi,
    rules=(move,),
    is_at_rest=is_over,
    scopes=(
        Scope("small", "three discs, seven moves"),
        Scope("tall", "eight discs", {"disc_count": 8}),
        Scope("careless", "a disc is put on a smaller one: must fail", {}, CARELESS_MOVE.id),
    ),
)
