"""Lists of ports as text (NET-04)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.resources.port_text import PortTextError, read_ports


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        ("", ()),
        (" ", ()),
        ("22", (22,)),
        (" 22 , 80", (22, 80)),
        ("8000-8002,22,8001", (22, 8000, 8001, 8002)),
        ("7-7", (7,)),
        ("65536", (65536,)),
    ],
)
def test_lists_and_ranges(text: str, ports: tuple[int, ...]) -> None:
    assert frozenset(ports) == read_ports(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("5,,6", "empty port"),
        ("1-", "invalid syntax"),
        ("abc", "invalid syntax"),
        ("1 - 2", "invalid syntax"),
        ("10-5", "less than starting"),
        ("1-2-3", "neither a port nor a range"),
        ("0", "0 is no port"),
        ("70000", "must be < 65536"),
        ("9" * 5000, "value out of range"),
        ("65530-65537", "must be < 65536"),
    ],
)
def test_what_is_no_list(text: str, problem: str) -> None:
    with pytest.raises(PortTextError, match=problem):
        read_ports(text)


@given(st.frozensets(st.integers(1, 65535), min_size=1, max_size=8))
def test_a_list_names_its_ports(ports: frozenset[int]) -> None:
    assert ports == read_ports(",".join(map(str, ports)))


def test_a_range_named_again_and_again_costs_nothing() -> None:
    text = ",".join(["1-65535"] * 20_000)

    assert frozenset(range(1, 65536)) == read_ports(text)


@given(st.lists(st.tuples(st.integers(1, 300), st.integers(0, 40)), min_size=1))
def test_joined_ranges_hold_the_ports_of_each(ranges: list[tuple[int, int]]) -> None:
    text = ",".join(f"{first}-{first + more}" for first, more in ranges)

    assert {port for first, more in ranges for port in range(first, first + more + 1)} == read_ports(text)
