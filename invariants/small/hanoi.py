"""What must be true of the towers of Hanoi."""

import sys

from nomadspec.model.language.logic import Flag, for_all, implies
from nomadspec.model.language.property import properties_in, sometimes, step
from nomadspec.model.small.hanoi import HANOI as RULES
from nomadspec.model.small.hanoi import Hanoi, is_over


@step("Hanoi!Move", why="a larger disc would break a smaller one")
def no_disc_is_put_on_a_smaller_one(s: Hanoi, n: Hanoi) -> Flag:
    """Where a disc was put there is no smaller one."""
    return for_all(
        implies(
            n.on[disc] != s.on[disc],
            for_all(implies(other < disc, n.on[other] != n.on[disc]) for other in s.discs),
        )
        for disc in s.discs
    )


@sometimes("Hanoi!Solved", why="it is what the puzzle asks for")
def the_tower_has_moved(s: Hanoi) -> Flag:
    """All discs lie on the last peg."""
    return is_over(s)


HANOI = RULES.with_properties(properties_in(sys.modules[__name__]))
