"""All properties of decisions by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from nomadspec.invariants.cluster.scheduler.contract import the_kernels_contract_is_kept
from nomadspec.invariants.cluster.scheduler.counts import (
    group_gets_no_more_than_its_count,
    job_lacking_allocs_leaves_a_blocked_eval,
    names_are_unique,
    updates_keep_to_max_parallel,
)
from nomadspec.invariants.cluster.scheduler.decision import Decision
from nomadspec.invariants.cluster.scheduler.harm import (
    finished_work_is_done_once,
    halted_deployments_stand_still,
    lacking_work_is_looked_for,
    stopped_jobs_are_emptied,
    successful_deployments_are_healthy,
)
from nomadspec.invariants.cluster.scheduler.monotony import (
    fewer_constraints_place_no_less,
    higher_priority_alone_changes_nothing,
    larger_nodes_place_no_less,
    more_nodes_place_no_less,
)
from nomadspec.invariants.cluster.scheduler.placements import (
    constraints_are_met,
    drivers_work,
    hosts_are_distinct,
    nodes_are_candidates,
    plans_fit,
)
from nomadspec.invariants.cluster.scheduler.repetition import (
    a_second_look_ends_no_deployment,
    a_second_look_moves_nothing,
)
from nomadspec.invariants.cluster.scheduler.system import (
    full_nodes_are_waited_for_once,
    nodes_run_a_name_once,
    queues_are_never_negative,
    replacements_keep_to_max_parallel,
    runs_once_are_not_repeated,
    totals_can_be_reached,
)

Property = Callable[[Decision], Iterator[str]]
"""Says what of a decision is wrong, in words; nothing when it is right."""

PROPERTIES: Final[Mapping[str, Property]] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            plans_fit,
            nodes_are_candidates,
            constraints_are_met,
            drivers_work,
            hosts_are_distinct,
            group_gets_no_more_than_its_count,
            updates_keep_to_max_parallel,
            names_are_unique,
            job_lacking_allocs_leaves_a_blocked_eval,
            a_second_look_moves_nothing,
            a_second_look_ends_no_deployment,
            nodes_run_a_name_once,
            runs_once_are_not_repeated,
            replacements_keep_to_max_parallel,
            totals_can_be_reached,
            full_nodes_are_waited_for_once,
            queues_are_never_negative,
            more_nodes_place_no_less,
            larger_nodes_place_no_less,
            fewer_constraints_place_no_less,
            higher_priority_alone_changes_nothing,
            the_kernels_contract_is_kept,
            successful_deployments_are_healthy,
            stopped_jobs_are_emptied,
            finished_work_is_done_once,
            halted_deployments_stand_still,
            lacking_work_is_looked_for,
        )
    }
)
