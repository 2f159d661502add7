from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.policy.cron import list_matching_days, parse_cron
from nomadspec.model.cluster.policy.cron_fields import CronError
from nomadspec.model.cluster.policy.time_zones import find_time_zone

NS = 10**9


def zone(name: str) -> ZoneInfo:
    found = find_time_zone(name)
    assert found is not None
    return found


def instant(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * NS


def find_next(expression: str, after: str, name: str = "UTC") -> str:
    """The next match in the zone's own clock."""
    found = parse_cron(expression).find_next(instant(after), zone(name))
    return "" if found is None else datetime.fromtimestamp(found // NS, zone(name)).isoformat()


@pytest.mark.parametrize(
    ("expression", "after", "expected"),
    [
        ("* * * * *", "2031-02-28T23:59:00+00:00", "2031-03-01T00:00:00+00:00"),
        ("*/15 * * * *", "2031-03-09T07:15:00+00:00", "2031-03-09T07:30:00+00:00"),
        ("@yearly", "2031-01-01T00:00:00+00:00", "2032-01-01T00:00:00+00:00"),
        ("0 0 29 2 *", "2033-01-01T00:00:00+00:00", "2036-02-29T00:00:00+00:00"),
        ("0 0 * * 7", "2032-02-28T23:59:00+00:00", "2032-02-29T00:00:00+00:00"),
        ("0 0 1 1 * 2040", "2031-01-01T00:00:00+00:00", "2040-01-01T00:00:00+00:00"),
        ("30 1 2 3 4 * 2040", "2031-01-01T00:00:00+00:00", "2040-04-03T02:01:30+00:00"),
    ],
)
def test_the_next_match_comes_strictly_after(expression: str, after: str, expected: str) -> None:
    assert expected == find_next(expression, after)


@pytest.mark.parametrize("expression", ["0 0 30 2 *", "0 0 1 1 * 2020"])
def test_some_expressions_never_match_again(expression: str) -> None:
    assert not find_next(expression, "2031-01-01T00:00:00+00:00")


@pytest.mark.parametrize("name", ["UTC", "Pacific/Apia", "America/Sao_Paulo"])
def test_expressions_speak_of_the_years_1970_to_2099(name: str) -> None:
    schedule = parse_cron("0 0 * * *")
    ages_ago, far_ahead = -(2**62), 2**63

    assert instant("1969-12-31T00:00:00+00:00") < (schedule.find_next(ages_ago, zone(name)) or 0)
    assert schedule.find_next(far_ahead, zone(name)) is None
    assert schedule.find_next(instant("2099-12-31T23:59:59+00:00"), zone("UTC")) is None


def test_a_local_time_that_does_not_exist_is_skipped() -> None:
    """OBJ-141: the clock of New York goes from 2:00 to 3:00."""
    assert "2031-03-10T02:30:00-04:00" == find_next(
        "30 2 * * *", "2031-03-09T06:59:00+00:00", "America/New_York"
    )


def test_a_local_time_that_occurs_twice_is_matched_twice() -> None:
    """OBJ-141: the clock of New York goes from 2:00 back to 1:00."""
    first = find_next("30 1 * * *", "2031-11-02T05:10:00+00:00", "America/New_York")
    second = find_next("30 1 * * *", first, "America/New_York")

    assert ("2031-11-02T01:30:00-04:00", "2031-11-02T01:30:00-05:00") == (first, second)


def test_an_hour_that_begins_in_a_gap_of_half_an_hour_is_passed_over() -> None:
    """OBJ-141: the clock of Lord Howe goes from 2:00 to 2:30, and 2:30 of that day is not matched."""
    assert "2031-10-06T02:30:00+11:00" == find_next(
        "30 2 * * *", "2031-10-04T15:20:00+00:00", "Australia/Lord_Howe"
    )
    assert "2031-10-05T03:00:00+11:00" == find_next(
        "0 * * * *", "2031-10-04T15:20:00+00:00", "Australia/Lord_Howe"
    )


def test_a_day_without_midnight_begins_when_it_can() -> None:
    """The clock of Cairo goes from 0:00 to 1:00, so that nothing happens at midnight of that day."""
    assert "2031-04-26T00:00:00+03:00" == find_next("@daily", "2031-04-24T12:00:00+00:00", "Africa/Cairo")


@pytest.mark.parametrize(
    ("days_of_month", "days_of_week", "expected"),
    [
        ("L", "*", (30,)),
        ("31", "*", ()),
        ("1W", "*", (2,)),
        ("LW", "*", (30,)),
        ("14W", "*", (13,)),
        ("*", "MON#1", (2,)),
        ("*", "sun#5", (29,)),
        ("*", "5L", (27,)),
        ("13", "5", (6, 13, 20, 27)),
        ("?", "1", (2, 9, 16, 23, 30)),
    ],
)
def test_days_of_june_2031_and_their_weekdays(
    days_of_month: str, days_of_week: str, expected: tuple[int, ...]
) -> None:
    """June 2031 begins on a Sunday and ends on a Monday."""
    assert expected == list_matching_days(days_of_month, days_of_week, 2031, 6)


def test_the_nearest_weekday_stays_in_its_month() -> None:
    """February 2031 begins on a Saturday, and August 2031 ends on a Sunday."""
    assert (3,) == list_matching_days("1W", "*", 2031, 2)
    assert (29,) == list_matching_days("31W", "*", 2031, 8)
    assert () == list_matching_days("31W", "*", 2031, 2)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "missing field(s)"),
        ("* * * *", "missing field(s)"),
        ("* * * * * * * *", "too many fields"),
        ("0 24 * * *", "syntax error in hour field: '24'"),
        ("0 0 32 * *", "syntax error in day-of-month field: '32'"),
        ("0 0 32W * *", "syntax error in day-of-month field: '32W'"),
        ("0 0 * * 8#1", "syntax error in day-of-week field: '8#1'"),
        ("0 0 * 13 *", "syntax error in month field: '13'"),
        ("0 0 * * * 1969", "syntax error in year field: '1969'"),
        ("60 0 0 * * * *", "syntax error in second field: '60'"),
    ],
)
def test_a_broken_expression_says_which_field(expression: str, message: str) -> None:
    with pytest.raises(CronError) as refusal:
        parse_cron(expression)

    assert message == str(refusal.value)


@given(
    minute=st.integers(0, 59),
    hour=st.integers(0, 23),
    after_s=st.integers(int(datetime(2031, 1, 1, tzinfo=UTC).timestamp()), 2_500_000_000),
    name=st.sampled_from(["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/New_York"]),
)
def test_a_daily_match_shows_its_time_within_two_days(
    minute: int, hour: int, after_s: int, name: str
) -> None:
    found = parse_cron(f"{minute} {hour} * * *").find_next(after_s * NS, zone(name))

    assert found is not None
    clock = datetime.fromtimestamp(found // NS, zone(name))
    assert (minute, hour, 0) == (clock.minute, clock.hour, clock.second)
    assert 0 < found // NS - after_s <= 50 * 3600
