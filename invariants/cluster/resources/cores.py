"""Cores that tasks have for themselves: each held by one allocation, and offered by the node."""

from __future__ import annotations

from typing import Final

from nomadspec.invariants.cluster.resources.amounts import draw_check
from nomadspec.invariants.cluster.resources.claim import Claim, part
from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.invariants.cluster.resources.need import is_ended, is_in, list_cores
from nomadspec.invariants.cluster.resources.shapes import (
    FEW_LIFECYCLES,
    draw_alloc,
    draw_load,
    draw_node,
    draw_pinned_task,
)
from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.resources.capacity import compute_capacity
from nomadspec.model.cluster.resources.fit import FITS, find_shortage
from nomadspec.model.cluster.resources.load import EMPTY, compute_load
from nomadspec.model.language.logic import Value, all_of, any_of, iff, implies, none_of, not_

CORES: Final = "cores"


def say_nothing_is_held(_draw: Draw) -> Value:
    """True while no allocation holds no core."""
    empty = compute_load((), EMPTY)
    return not empty.used.cores and not empty.has_shared_core


def say_one_adds_its_cores(draw: Draw) -> Value:
    """True while one more allocation adds its cores, and it is noticed when others hold one of them."""
    before = draw_load(draw)
    alloc = draw_alloc(draw, "alloc", draw_pinned_task, tasks=2, lifecycles=FEW_LIFECYCLES)
    after = compute_load([alloc], before)
    held = [] if is_ended(alloc) else list_cores(alloc)
    any_core = draw.number("any core")
    is_held = any_of(*[any_core == core for core in held])
    is_shared = any_of(*[is_in(core, before.used.cores) for core in held])
    return all_of(
        iff(is_in(any_core, after.used.cores), any_of(is_in(any_core, before.used.cores), is_held)),
        iff(after.has_shared_core, any_of(before.has_shared_core, is_shared)),
    )


def say_usable_cores_are_offered(draw: Draw) -> Value:
    """True while a node offers the cores that are switched on and it does not keep for itself."""
    node = draw_node(draw, cores=2)
    any_core = draw.number("any core")
    return iff(is_in(any_core, compute_capacity(node).cores), is_usable(node, any_core))


def is_usable(node: Node, core_id: int) -> Value:
    """True while a core is switched on, and the node does not keep it for itself."""
    there, kept = node.node_resources, node.reserved_resources
    topology = there.processors.topology if there is not None else None
    cores = topology.cores if topology is not None else ()
    kept_ids = kept.cpu.reserved_cpu_cores if kept is not None else ()
    is_on = any_of(*[core_id == core.id for core in cores if not core.disable])
    return all_of(is_on, none_of(*[core_id == kept_id for kept_id in kept_ids]))


def say_accepted_cores_are_free(draw: Draw) -> Value:
    """True while what passes the check holds no core twice, and none that a node does not offer."""
    node, capacity, load = draw_check(draw)
    is_accepted = find_shortage(node, capacity, load) == FITS
    any_core = draw.number("any core")
    is_offered = any_of(not_(bool(capacity.cores)), is_in(any_core, capacity.cores))
    return implies(
        is_accepted, all_of(not_(load.has_shared_core), implies(is_in(any_core, load.used.cores), is_offered))
    )


def say_refused_cores_are_missing(draw: Draw) -> Value:
    """True while the check names cores only where one is held twice, or is not offered by a node."""
    node, capacity, load = draw_check(draw)
    is_refused = find_shortage(node, capacity, load) == CORES
    is_missing = all_of(bool(capacity.cores), not_(load.used.cores <= capacity.cores))
    return implies(is_refused, any_of(load.has_shared_core, is_missing))


CORE_CLAIMS: Final = (
    Claim(
        "cores_are_never_shared",
        CORES,
        "a core belongs to one allocation, and to none while the node keeps it; two tasks of one allocation "
        "may hold the same core, and a node without cores is not asked",
        ("OBJ-154", "OBJ-260", "PLAN-54", "PLAN-55", "RANK-25", "RANK-26", "RANK-30"),
        "any number of allocations with any cores, each of up to 2 tasks; a node of up to 2 cores",
        (
            part("no allocation", say_nothing_is_held),
            part("accepted is free", say_accepted_cores_are_free),
            part("refused is missing", say_refused_cores_are_missing),
            part("one more allocation", say_one_adds_its_cores),
            part("what a node offers", say_usable_cores_are_offered),
        ),
    ),
)
