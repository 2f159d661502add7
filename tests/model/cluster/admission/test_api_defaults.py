from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.admission.api_defaults import fill_api_defaults
from nomadspec.model.errors import InputError

SECOND = 10**9


def fill(group: Mapping[str, Any] | None = None, **job: Any) -> dict[str, Any]:
    return fill_api_defaults({"ID": "web", "TaskGroups": [{"Name": "g", **(group or {})}], **job})


def fill_group(group: Mapping[str, Any] | None = None, **job: Any) -> dict[str, Any]:
    groups: list[dict[str, Any]] = fill(group, **job)["TaskGroups"]
    return groups[0]


def test_a_bare_job_is_a_service_of_middling_priority() -> None:
    """OBJ-430."""
    job = fill()

    assert ("web", "service", 50, "default") == (job["Name"], job["Type"], job["Priority"], job["Namespace"])


def test_an_explicit_priority_of_zero_stays() -> None:
    """OBJ-031: the server's own default then acts."""
    assert 0 == fill(Priority=0)["Priority"]


@pytest.mark.parametrize(
    ("job_type", "policies"),
    [
        ("service", {"Update", "Migrate", "ReschedulePolicy", "RestartPolicy"}),
        ("batch", {"ReschedulePolicy", "RestartPolicy"}),
        ("system", {"Update", "RestartPolicy"}),
        ("sysbatch", {"RestartPolicy"}),
    ],
)
def test_which_policies_a_type_gets_unasked(job_type: str, policies: set[str]) -> None:
    """OBJ-430."""
    group = fill_group(Type=job_type)

    assert policies == {
        name for name in ("Update", "Migrate", "ReschedulePolicy", "RestartPolicy") if group[name]
    }


def test_a_group_wins_over_the_job_and_the_job_over_the_defaults() -> None:
    """OBJ-050."""
    update = fill_group(
        {"Update": {"Canary": 2, "Stagger": None}}, Update={"Canary": 1, "Stagger": 7, "MaxParallel": 0}
    )["Update"]

    assert (2, 7, 0, "checks") == (
        update["Canary"], update["Stagger"], update["MaxParallel"], update["HealthCheck"]
    )  # fmt: skip


def test_an_explicit_empty_health_check_stays_empty() -> None:
    """OBJ-110 admits it together with no parallelism at all."""
    assert not fill_group({"Migrate": {"MaxParallel": 0, "HealthCheck": ""}})["Migrate"]["HealthCheck"]


def test_rescheduling_of_a_batch_job_is_one_attempt_a_day() -> None:
    """OBJ-104."""
    policy = fill_group({"ReschedulePolicy": {"Delay": 9}}, Type="batch")["ReschedulePolicy"]

    assert (1, 24 * 3600 * SECOND, 9, "constant") == (
        policy["Attempts"], policy["Interval"], policy["Delay"], policy["DelayFunction"]
    )  # fmt: skip


def test_a_system_job_that_asks_for_rescheduling_gets_no_defaults_for_it() -> None:
    policy = fill_group({"ReschedulePolicy": {"Unlimited": True}}, Type="system")["ReschedulePolicy"]

    assert (0, "", True) == (policy["Delay"], policy["DelayFunction"], policy["Unlimited"])


def test_a_task_restarts_as_its_group_does_unless_it_says_otherwise() -> None:
    """OBJ-108."""
    group = fill_group(
        {"RestartPolicy": {"Attempts": 7}, "Tasks": [{"RestartPolicy": {"Mode": "delay"}}, {}]}
    )

    assert [(7, "delay"), (7, "fail")] == [
        (task["RestartPolicy"]["Attempts"], task["RestartPolicy"]["Mode"]) for task in group["Tasks"]
    ]


@pytest.mark.parametrize(
    ("group", "count", "minimum"),
    [
        ({}, 1, None),
        ({"Scaling": {"Min": 4}}, 4, 4),
        ({"Scaling": {"Max": 9}}, 1, 1),
        ({"Count": 0, "Scaling": {"Max": 9}}, 0, 0),
        ({"Count": 2, "Scaling": {"Min": 1}}, 2, 1),
    ],
)
def test_count_and_minimum_come_from_each_other(
    group: Mapping[str, Any], count: int, minimum: int | None
) -> None:
    """OBJ-070, OBJ-116."""
    filled = fill_group(group)

    assert count == filled["Count"]
    assert minimum == (filled["Scaling"] or {}).get("Min")


@pytest.mark.parametrize(
    ("asked", "cpu", "cores"),
    [(None, 100, 0), ({"Cores": 2}, 0, 2), ({"Cores": 0}, 100, 0), ({"CPU": 5}, 5, 0)],
)
def test_a_task_gets_cpu_unless_it_asks_for_cores(
    asked: Mapping[str, Any] | None, cpu: int, cores: int
) -> None:
    """OBJ-122."""
    resources = fill_group({"Tasks": [{"Resources": asked}]})["Tasks"][0]["Resources"]

    assert (cpu, cores, 300) == (resources["CPU"], resources["Cores"], resources["MemoryMB"])


def test_a_given_disconnect_block_replaces_by_default() -> None:
    """OBJ-112."""
    assert {"Replace": True, "Reconcile": "best_score"} == fill_group({"Disconnect": {}})["Disconnect"]
    assert fill_group()["Disconnect"] is None


def test_the_weight_of_preferences_is_half() -> None:
    """OBJ-133, OBJ-134."""
    job = fill({"Spreads": [{"Attribute": "a"}]}, Affinities=[{"LTarget": "b"}, {"Weight": -3}])

    assert [50, -3] == [affinity["Weight"] for affinity in job["Affinities"]]
    assert 50 == job["TaskGroups"][0]["Spreads"][0]["Weight"]


@pytest.mark.parametrize("broken", [{"TaskGroups": 3}, {"TaskGroups": [1]}, {"Update": []}, {"Type": {}}])
def test_a_document_of_the_wrong_shape_is_refused(broken: Mapping[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        fill_api_defaults(broken)


@given(
    job_type=st.sampled_from([None, "service", "batch", "system", "sysbatch"]),
    group=st.fixed_dictionaries(
        {},
        optional={
            "Count": st.integers(0, 3),
            "Update": st.fixed_dictionaries({}, optional={"MaxParallel": st.integers(0, 2)}),
            "Scaling": st.fixed_dictionaries({}, optional={"Min": st.integers(0, 2)}),
            "Migrate": st.none(),
        },
    ),
)
def test_filling_twice_changes_nothing_more(job_type: str | None, group: Mapping[str, Any]) -> None:
    once = fill(group, Type=job_type)

    assert once == fill_api_defaults(once)
