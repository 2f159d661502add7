import pytest

from nomadspec.model.cluster.components.client_checks import (
    CheckStatus,
    ConsulCheck,
    NomadCheck,
    do_checks_pass,
    do_consul_checks_pass,
    do_nomad_checks_pass,
    has_checks,
    list_services,
)
from nomadspec.model.cluster.entities import Service, ServiceCheck, Task, TaskGroup

CONSUL = Service(name="web", checks=(ServiceCheck(name="up"),))
NOMAD = Service(name="api", provider="nomad", checks=(ServiceCheck(name="fast"),))
GROUP = TaskGroup(services=(CONSUL,), tasks=(Task(services=(NOMAD,)),))
UP = ConsulCheck(name="up", status="passing")
FAILING = NomadCheck(status="failure")


def test_services_are_those_of_the_group_and_of_its_tasks() -> None:
    """HEALTH-10."""
    assert [CONSUL, NOMAD] == list_services(GROUP)
    assert has_checks(GROUP)
    assert not has_checks(TaskGroup(services=(Service(name="web"),)))


def test_where_consul_has_checks_the_own_ones_are_not_asked() -> None:
    """HEALTH-14."""
    assert do_checks_pass(GROUP, [UP], [FAILING])
    assert not do_checks_pass(TaskGroup(services=(NOMAD,)), [UP], [FAILING])
    assert do_checks_pass(TaskGroup(services=(NOMAD,)), [], [])


@pytest.mark.parametrize(
    ("names", "do_pass"), [(["up"], True), ([], False), (["up", "up"], False), (["up", "more"], False)]
)
def test_exactly_the_expected_checks_are_registered(names: list[str], do_pass: bool) -> None:
    """HEALTH-12."""
    registered = [ConsulCheck(name=name, status="passing") for name in names]

    assert do_pass == do_consul_checks_pass(["up"], registered)


@pytest.mark.parametrize(
    ("status", "on_update", "do_pass"),
    [
        ("warning", "", False),
        ("warning", "ignore_warnings", True),
        ("warning", "ignore", True),
        ("critical", "", False),
        ("critical", "ignore_warnings", False),
        ("critical", "ignore", True),
    ],
)
def test_what_may_be_ignored_is_said_by_the_check(status: str, on_update: str, do_pass: bool) -> None:
    """HEALTH-12."""
    check = ConsulCheck(name="up", status=status, on_update=on_update)

    assert do_pass == do_consul_checks_pass(["up"], [check])


def test_the_check_of_a_sidecar_is_expected_by_nobody_and_has_to_pass() -> None:
    """HEALTH-12."""
    for status in ("passing", "warning", "critical"):
        sidecar = ConsulCheck(name="proxy", status=status, on_update="ignore", is_of_sidecar=True)
        assert (status == "passing") == do_consul_checks_pass(["up"], [UP, sidecar])


def test_own_checks_need_a_first_result_and_readiness_may_fail() -> None:
    """HEALTH-13."""
    assert do_nomad_checks_pass([])
    assert do_nomad_checks_pass(
        [NomadCheck(status=CheckStatus.SUCCESS), NomadCheck(status="failure", is_readiness=True)]
    )
    assert not do_nomad_checks_pass([FAILING])
    assert not do_nomad_checks_pass([NomadCheck(status="pending", is_readiness=True)])
