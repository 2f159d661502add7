"""Tests of `model/cluster/codec/instant.py`."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.codec.instant import format_instant, parse_instant

LAST_NS = 253_402_300_799_999_999_999
"""The end of the year 9999."""


@pytest.mark.parametrize(
    ("text", "time_ns"),
    [
        ("1970-01-01T00:00:01Z", 1_000_000_000),
        ("2031-05-18T08:02:13.000000007Z", 1_936_857_733_000_000_007),
        ("2031-05-18T08:02:13.5Z", 1_936_857_733_500_000_000),
        ("2031-05-18T10:02:13+02:00", 1_936_857_733_000_000_000),
        ("2031-05-18T04:32:13-03:30", 1_936_857_733_000_000_000),
        ("1969-12-31T23:59:59.9Z", -100_000_000),
        ("0001-01-01T00:00:00Z", 0),
        ("2028-02-29T00:00:00Z", 1_835_395_200_000_000_000),
    ],
)
def test_a_time_is_read_to_the_nanosecond(text: str, time_ns: int) -> None:
    """OBJ-002, WIRE-001."""
    assert time_ns == parse_instant(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NOW",
        "2031-05-18",
        "2031-05-18 08:02:13Z",
        "2031-05-18T08:02:13",
        "2031-02-29T08:02:13Z",
        "2031-13-01T08:02:13Z",
        "2031-05-18T24:00:00Z",
        "2031-05-18T08:60:00Z",
        "2031-05-18T08:02:60Z",
        "2031-05-18T08:02:13.Z",
        "2031-05-18T08:02:13+24:00",
        "2031-05-18T08:02:13+01:60",
        "2031-05-18T08:02:13.1234567891Z",
        "2031-05-18T08:02:13Zulu",
        "٢٠٣١-05-18T08:02:13Z",
        "0000-01-01T00:00:00Z",
    ],
)
def test_what_is_no_time_is_not_read(text: str) -> None:
    assert parse_instant(text) is None


@pytest.mark.parametrize(
    ("time_ns", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (1_936_857_733_000_000_007, "2031-05-18T08:02:13.000000007Z"),
        (1_936_857_733_500_000_000, "2031-05-18T08:02:13.5Z"),
        (-1, "1969-12-31T23:59:59.999999999Z"),
    ],
)
def test_a_time_is_written_without_trailing_zeros(time_ns: int, text: str) -> None:
    """WIRE-001."""
    assert text == format_instant(time_ns)


@given(st.integers(-62_135_596_800 * 10**9 + 1, LAST_NS))
def test_every_time_comes_back(time_ns: int) -> None:
    assert time_ns == parse_instant(format_instant(time_ns))


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)), st.integers(-1439, 1439))  # noqa: DTZ001 - bounds are naive
def test_times_with_offsets_agree_with_the_standard_library(local: datetime, offset_min: int) -> None:
    sign = "-" if offset_min < 0 else "+"
    zone = f"{sign}{abs(offset_min) // 60:02d}:{abs(offset_min) % 60:02d}"
    expected = local.replace(tzinfo=UTC) - timedelta(minutes=offset_min) - datetime(1970, 1, 1, tzinfo=UTC)

    assert expected // timedelta(microseconds=1) * 1000 == parse_instant(f"{local.isoformat()}{zone}")


@pytest.mark.parametrize(
    ("time_ns", "text"),
    [
        (253_402_300_800 * 10**9, "10000-01-01T00:00:00Z"),
        (10**30, "31688738508781-06-07T01:46:40Z"),
        (-62_167_219_200 * 10**9, "0000-01-01T00:00:00Z"),
        (-62_167_219_201 * 10**9, "-001-12-31T23:59:59Z"),
    ],
)
def test_a_time_of_any_year_is_written(time_ns: int, text: str) -> None:
    """WIRE-001: no server writes it, but whoever sees it must be told."""
    assert text == format_instant(time_ns)
