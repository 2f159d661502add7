"""Calls that stop at each plan: what is left to ask when a request is refused, or a scheduler breaks off."""

from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Node, NodeReservedResources, ReservedNetworks
from nomadspec.model.cluster.scheduler.planner import Call, Create, Submit, Update, begin_call, grant, refuse
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.scheduler.fleet import make_fleet_group, make_host
from tests.model.cluster.scheduler.made import NOW_NS, make_eval, make_job, make_snapshot

REFUSED = "token does not match"


def make_call(*nodes: Node, scheduler: str = "system", seed: int = 1, **fields: Any) -> Call:
    """Begin the call of a scheduler for a job on some nodes."""
    job = make_job(make_fleet_group(**fields), type=scheduler)
    call = Call(
        snapshot=make_snapshot(*nodes, job),
        evaluation=make_eval(type=scheduler),
        now_ns=NOW_NS,
        number=1,
        seed=seed,
        profile=NOMAD_2_0,
    )
    return begin_call(call)


def test_a_system_scheduler_goes_on_without_a_blocked_evaluation_that_is_refused() -> None:
    """SYSTEM-31."""
    call = make_call(make_host("n1", cpu_mhz=400))

    assert [Create, Update] == [type(asked) for asked in call.todo]
    assert [Update] == [type(asked) for asked in refuse(call, REFUSED).todo]
    assert refuse(refuse(call, REFUSED), REFUSED).is_over


def test_any_other_scheduler_ends_there() -> None:
    """GENERIC-03."""
    call = make_call(make_host("n1", cpu_mhz=600), scheduler="service", count=2)
    ended = refuse(call, REFUSED)

    assert [Create, Submit] == [type(asked) for asked in call.todo]
    assert (True, REFUSED) == (ended.is_over, ended.error)


def test_what_was_asked_before_a_scheduler_broke_off_is_still_to_be_written() -> None:
    """SYSTEM-07, SYSTEM-31."""
    kept = NodeReservedResources(networks=ReservedNetworks(reserved_host_ports="65536"))
    full, broken = make_host("n1", cpu_mhz=400), replace(make_host("n2"), reserved_resources=kept)
    calls = [make_call(full, broken, seed=seed) for seed in range(8)]
    asked = [call for call in calls if call.todo]

    assert all(call.error for call in calls)
    assert 0 < len(asked) < len(calls)
    assert all(not call.is_over and grant(call).is_over for call in asked)
