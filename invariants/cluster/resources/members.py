"""How many allocations a node takes at most."""

from __future__ import annotations

from typing import Final

from nomadspec.invariants.cluster.resources.amounts import draw_check
from nomadspec.invariants.cluster.resources.claim import Claim, part
from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.invariants.cluster.resources.shapes import draw_alloc, draw_load, draw_memory_task
from nomadspec.model.cluster.resources.fit import FITS, TOO_MANY, find_shortage
from nomadspec.model.cluster.resources.load import EMPTY, compute_load
from nomadspec.model.language.logic import Value, all_of, any_of, implies

MEMBERS: Final = "allocs"


def say_nobody_is_counted(_draw: Draw) -> Value:
    """True while no allocation counts nothing."""
    return compute_load((), EMPTY).members == 0


def say_one_more_counts(draw: Draw) -> Value:
    """True while each allocation counts, one that has ended too."""
    before = draw_load(draw)
    alloc = draw_alloc(draw, "alloc", draw_memory_task, tasks=1)
    return compute_load([alloc], before).members == before.members + 1


def say_accepted_are_few(draw: Draw) -> Value:
    """True while what the check lets pass is no more than the limit of the node, if it has one."""
    node, capacity, load = draw_check(draw)
    is_accepted = find_shortage(node, capacity, load) == FITS
    limit = node.node_max_allocs
    return implies(is_accepted, any_of(limit == 0, load.members <= limit))


def say_refused_are_many(draw: Draw) -> Value:
    """True while the check names the limit only where it is passed."""
    node, capacity, load = draw_check(draw)
    is_refused = find_shortage(node, capacity, load) == TOO_MANY
    limit = node.node_max_allocs
    return implies(is_refused, all_of(limit != 0, load.members > limit))


MEMBER_CLAIMS: Final = (
    Claim(
        "allocs_are_never_too_many",
        MEMBERS,
        "a node may say how many allocations it takes; those that ended are counted where they are proposed",
        ("PLAN-54", "RANK-30"),
        "any number of allocations",
        (
            part("no allocation", say_nobody_is_counted),
            part("one more allocation", say_one_more_counts),
            part("accepted are few", say_accepted_are_few),
            part("refused are many", say_refused_are_many),
        ),
    ),
)
