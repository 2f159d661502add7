from datetime import datetime, timedelta

import pytest

from nomadspec.model.cluster.policy.time_zones import (
    explain_unknown_zone,
    find_time_zone,
    find_time_zone_or_utc,
)


def test_no_name_means_utc() -> None:
    zone = find_time_zone("")

    assert zone is not None
    assert timedelta(0) == datetime(2031, 7, 1, tzinfo=zone).utcoffset()


def test_a_zone_knows_its_summer_time_beyond_the_table_of_transitions() -> None:
    zone = find_time_zone("Europe/Berlin")

    assert zone is not None
    assert timedelta(hours=2) == datetime(2061, 7, 1, tzinfo=zone).utcoffset()
    assert timedelta(hours=1) == datetime(2061, 1, 1, tzinfo=zone).utcoffset()


@pytest.mark.parametrize("name", ["Mars/Base", "../zones", "/etc/localtime", "europe/berlin"])
def test_an_unknown_zone_has_no_rules(name: str) -> None:
    assert find_time_zone(name) is None


def test_why_a_zone_is_unknown() -> None:
    assert "unknown time zone Mars/Base" == explain_unknown_zone("Mars/Base")
    assert "time: invalid location name" == explain_unknown_zone("../x")


@pytest.mark.parametrize("name", ["", "Mars/Base"])
def test_without_a_zone_that_is_known_it_is_utc(name: str) -> None:
    """JOB-26."""
    assert "UTC" == find_time_zone_or_utc(name).key
