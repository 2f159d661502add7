"""Requests are paired with what was recorded for them as they come, by the names that they are given."""

from nomadspec.checkers.oracle.relation.pairing import Pairing
from nomadspec.model.cluster.entities import Allocation, AllocDeploymentStatus, Plan
from nomadspec.model.cluster.scheduler.reasons import Requested
from tests.model.cluster.scheduler.made import make_alloc


def ask(number: int, previous: str = "") -> Requested:
    return Requested(group="web", alloc_name=f"j.web[{number}]", previous=previous)


def make_new(alloc_id: str, number: int, **changed: object) -> Allocation:
    return make_alloc(alloc_id, create_index=0, name=f"j.web[{number}]", **changed)


def pair(
    allocs: tuple[Allocation, ...], requests: list[tuple[Requested, str]], *, is_backwards: bool = False
) -> list[str | None]:
    """Take what was recorded for each request, which is given a name."""
    plan = Plan(node_allocation={"n1": allocs})
    pairing = Pairing.of(
        [request for request, _ in requests], plan, lambda ids: sorted(ids, reverse=is_backwards)
    )
    taken = [pairing.take(at, request, name) for at, (request, name) in enumerate(requests)]
    assert taken == pairing.guessed
    return [alloc.id if alloc else None for alloc in taken]


def test_a_request_takes_what_has_the_name_that_it_is_given() -> None:
    """GENERIC-36: the name that was asked for may be carried by what came later."""
    allocs = make_new("late", 0), make_new("early", 3)
    requests = [(ask(0), "j.web[3]"), (ask(1), "j.web[0]")]

    assert pair(allocs, requests) == ["early", "late"]


def test_which_of_those_with_one_name_came_first_is_a_choice() -> None:
    """GENERIC-36, REC-65: where names run out, several are given the same."""
    allocs = make_new("a", 0), make_new("b", 0), make_new("c", 0, previous_allocation="old")
    requests = [(ask(0), "j.web[0]"), (ask(0, "old"), "j.web[0]"), (ask(1), "j.web[0]")]

    assert pair(allocs, requests) == ["a", "c", "b"]
    assert pair(allocs, requests, is_backwards=True) == ["b", "c", "a"]


def test_what_has_a_name_that_nobody_is_given_is_left_to_who_is_left() -> None:
    canary = make_new("canary", 9, deployment_status=AllocDeploymentStatus(canary=True))
    allocs = make_new("odd", 7), make_new("b", 1), canary
    requests = [(ask(0), "j.web[0]"), (ask(1), "j.web[1]"), (ask(2), "j.web[2]")]

    assert pair(allocs, requests) == ["odd", "b", None]
