import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.surroundings import Surroundings
from nomadspec.model.cluster.admission.warnings import list_warnings
from nomadspec.model.cluster.entities import (
    Job,
    NetworkResource,
    PeriodicConfig,
    Resources,
    Service,
    Task,
    TaskGroup,
    UpdateStrategy,
    WorkloadIdentity,
)

SERVED = TaskGroup(name="g", services=(Service(),))


def warn_of(*groups: TaskGroup, surroundings: Surroundings | None = None) -> list[str]:
    job = Job(task_groups=groups)
    return [warning.render() for warning in list_warnings(job, surroundings or Surroundings())]


@pytest.mark.parametrize(
    ("change", "warning"),
    [
        (
            {"max_client_disconnect_ns": 1},
            "MaxClientDisconnect is deprecated and ignored in favor of Disconnect.LostAfter",
        ),
        (
            {"stop_after_client_disconnect_ns": 1},
            "StopAfterClientDisconnect is deprecated and ignored favor of Disconnect.StopOnClientAfter",
        ),
        (
            {"prevent_reschedule_on_lost": True},
            "PreventRescheduleOnLost is deprecated and ignored in favor of Disconnect.Replace",
        ),
        (
            {"networks": (NetworkResource(mbits=10),)},
            "mbits has been deprecated as of Nomad 0.12.0. Please remove mbits from the network block",
        ),
    ],
)
def test_what_is_old_about_a_group(change: dict[str, object], warning: str) -> None:
    """OBJ-070."""
    assert [f'Group "g" has warnings: 1 error occurred:\n\t* {warning}\n\n'] == warn_of(
        replace(TaskGroup(name="g"), **change)
    )


def test_an_identity_should_expire() -> None:
    identities = (WorkloadIdentity(name="aws"), WorkloadIdentity(name="ok", ttl_ns=1))
    (warning,) = warn_of(TaskGroup(name="g", tasks=(Task(name="t", identities=identities),)))

    assert (
        'Group "g" has warnings: 1 error occurred:\n\t* Task "t" has warnings: 1 error occurred:\n\t* '
        "1 error occurred:\n\t* Identity[aws] identities without an expiration are insecure\n\n\n\n\n\n"
    ) == warning


def test_promotion_is_automatic_everywhere_or_nowhere() -> None:
    manual, automatic = (TaskGroup(update=UpdateStrategy(auto_promote=auto)) for auto in (False, True))

    assert 1 == len(warn_of(manual, automatic))
    assert [] == warn_of(automatic, automatic, TaskGroup())


def test_one_cron_expression_is_the_old_form() -> None:
    """OBJ-140."""
    job = Job(periodic=PeriodicConfig(spec="@daily"))

    assert 1 == len(list_warnings(job, Surroundings()))
    assert () == list_warnings(Job(periodic=PeriodicConfig(specs=("@daily",))), Surroundings())


def test_services_should_leave_before_they_stop() -> None:
    assert 1 == len(warn_of(SERVED))
    assert [] == warn_of(replace(SERVED, shutdown_delay_ns=1))
    assert [] == warn_of(replace(SERVED, tasks=(Task(shutdown_delay_ns=1), Task())))


@pytest.mark.parametrize(("most_mb", "count"), [(0, 0), (64, 0), (128, 1), (-1, 1)])
def test_memory_beyond_what_is_reserved_must_be_allowed(most_mb: int, count: int) -> None:
    """OBJ-290."""
    task = Task(name="t", resources=Resources(memory_mb=64, memory_max_mb=most_mb))
    group = TaskGroup(name="g", tasks=(task, Task()))

    assert count == len(warn_of(group))
    assert [] == warn_of(group, surroundings=Surroundings(is_memory_oversubscription_enabled=True))
