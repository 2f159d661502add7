"""What must be true of the jugs."""

import sys

from nomadspec.model.language.logic import Value
from nomadspec.model.language.property import By, properties_in, sometimes, step
from nomadspec.model.small.die_hard import DIE_HARD as RULES
from nomadspec.model.small.die_hard import DieHard, big_to_small, is_over, small_to_big


@step("DieHard!SmallToBig", "DieHard!BigToSmall", why="who measures must know how much there is")
def pouring_loses_nothing(s: DieHard, n: DieHard, by: By) -> Value:
    """Pouring from jug to jug leaves as much water as there was."""
    if not by.is_(small_to_big, big_to_small):
        return True
    return n.small + n.big == s.small + s.big


@sometimes("DieHard!NotSolved", why="it is what the puzzle asks for")
def four_litres_are_measured(s: DieHard) -> Value:
    """The big jug has what is wanted."""
    return is_over(s)


DIE_HARD = RULES.with_properties(properties_in(sys.modules[__name__]))
