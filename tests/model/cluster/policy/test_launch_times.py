from datetime import datetime

import pytest

from nomadspec.model.cluster.entities import NS_PER_S, PeriodicConfig
from nomadspec.model.cluster.policy.cron_fields import CronError
from nomadspec.model.cluster.policy.launch_times import find_next_launch
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0

NEVER = "0 0 30 2 *"


def instant(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * NS_PER_S


NOON = instant("2031-06-15T12:00:00+00:00")
DAY = 24 * 3600 * NS_PER_S


def make(*specs: str, spec: str = "", zone: str = "", spec_type: str = "cron") -> PeriodicConfig:
    return PeriodicConfig(enabled=True, specs=specs, spec=spec, time_zone=zone, spec_type=spec_type)


def test_the_earliest_expression_wins() -> None:
    """JOB-26."""
    assert instant("2031-06-15T13:00:00+00:00") == find_next_launch(
        make("@daily", "@hourly"), NOON, NOMAD_2_0
    )


def test_times_are_those_of_the_zone() -> None:
    assert instant("2031-06-16T00:00:00+02:00") == find_next_launch(
        make(spec="@daily", zone="Europe/Berlin"), NOON, NOMAD_2_0
    )


@pytest.mark.parametrize("periodic", [make(), make(spec=NEVER), make("0 0 1 1 * 2020")])
def test_a_job_may_have_no_launch_any_more(periodic: PeriodicConfig) -> None:
    """OBJ-141."""
    assert find_next_launch(periodic, NOON, NOMAD_2_0) is None


@pytest.mark.parametrize(("specs", "is_ended"), [(("@daily", NEVER), True), ((NEVER, "@daily"), False)])
def test_an_expression_that_is_used_up_ends_the_job_if_it_comes_late(
    specs: tuple[str, ...], *, is_ended: bool
) -> None:
    """01/S6: the intended behaviour does not depend on the order."""
    assert is_ended == (find_next_launch(make(*specs), NOON, NOMAD_2_0) is None)
    assert NOON + DAY // 2 == find_next_launch(make(*specs), NOON, INTENDED)


@pytest.mark.parametrize(
    ("periodic", "message"),
    [
        (make(spec="x"), "failed parsing cron expression: x: missing field(s)"),
        (
            make("@daily", "x"),
            "failed parsing cron expression x: failed parsing cron expression: x: missing field(s)",
        ),
    ],
)
def test_a_broken_expression_is_quoted(periodic: PeriodicConfig, message: str) -> None:
    with pytest.raises(CronError) as refusal:
        find_next_launch(periodic, NOON, NOMAD_2_0)

    assert message == str(refusal.value)


@pytest.mark.parametrize(("after_s", "expected_s"), [(0, 10), (10, 20), (15, 20), (20, None)])
def test_launches_may_be_listed(after_s: int, expected_s: int | None) -> None:
    """OBJ-142."""
    expected = None if expected_s is None else expected_s * NS_PER_S

    assert expected == find_next_launch(
        make(spec="10, 20", spec_type="_internal_test"), after_s * NS_PER_S, NOMAD_2_0
    )


def test_a_list_of_launches_holds_numbers() -> None:
    with pytest.raises(CronError, match="'x' is not a number of seconds"):
        find_next_launch(make(spec="10,x", spec_type="_internal_test"), 0, NOMAD_2_0)


@pytest.mark.parametrize("instants", ["--5", "5,٣", "9" * 5000])
def test_what_is_no_number_of_seconds_is_refused(instants: str) -> None:
    with pytest.raises(CronError, match="is not a number of seconds"):
        find_next_launch(make(spec=instants, spec_type="_internal_test"), 0, NOMAD_2_0)
