"""Die Hard: with jugs of three and of five litres four litres are measured out.

It teaches that what is asked for may be a world that nobody would guess, and that the shortest way there is
found all the same. Lamport's TLA+ module of the same name has 16 worlds and 97 steps.
"""

from nomadspec.model.language.domain import upto
from nomadspec.model.language.logic import Value, minimum
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, size
from nomadspec.model.specification.mistakes import SPILLED


class DieHard(World):
    """How much water is in each of two jugs."""

    small_holds = size(3, "litres that the small jug holds")
    big_holds = size(5, "litres that the big jug holds")
    wanted = size(4, "litres that the big jug is to have in the end")

    small = field(upto(small_holds), init=0, about="litres in the small jug")
    big = field(upto(big_holds), init=0, about="litres in the big jug")


@rule("DieHard!FillSmallJug")
def fill_small(s: DieHard, t: DieHard) -> None:
    """The small jug is filled."""
    t.small = s.small_holds


@rule("DieHard!FillBigJug")
def fill_big(s: DieHard, t: DieHard) -> None:
    """The big jug is filled."""
    t.big = s.big_holds


@rule("DieHard!EmptySmallJug")
def empty_small(s: DieHard, t: DieHard) -> None:  # noqa: ARG001 -- the shape of every rule
    """The small jug is emptied."""
    t.small = 0


@rule("DieHard!EmptyBigJug")
def empty_big(s: DieHard, t: DieHard) -> None:  # noqa: ARG001 -- the shape of every rule
    """The big jug is emptied."""
    t.big = 0


@rule("DieHard!SmallToBig")
def small_to_big(s: DieHard, t: DieHard) -> None:
    """The small jug is poured into the big one."""
    poured = minimum(s.small, s.big_holds - s.big)
    t.small = 0 if s.has(SPILLED) else s.small - poured
    t.big = s.big + poured


@rule("DieHard!BigToSmall")
def big_to_small(s: DieHard, t: DieHard) -> None:
    """The big jug is poured into the small one."""
    poured = minimum(s.big, s.small_holds - s.small)
    t.big = 0 if s.has(SPILLED) else s.big - poured
    t.small = s.small + poured


def is_over(s: DieHard) -> Value:
    """True while the wanted amount is in the big jug."""
    return s.big == s.wanted


DIE_HARD = Model(
    name="die-hard",
    about="four litres are measured out with jugs of three and five",
    world=DieHard,
    rules=(fill_small, fill_big, empty_small, empty_big, small_to_big, big_to_small),
    is_at_rest=is_over,
    scopes=(
        Scope("small", "jugs of three and five litres"),
        Scope("spilled", "what does not fit runs over: must fail", {}, SPILLED.id),
    ),
)
