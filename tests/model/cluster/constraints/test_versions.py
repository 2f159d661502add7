import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.constraints.versions import (
    Version,
    compare_versions,
    is_version_within,
    parse_requirements,
    parse_version,
)

PARTS = st.sampled_from(["0", "1", "2", "11", "a", "beta", "rc-1", "~x"])
VERSIONS = st.builds(
    lambda numbers, parts: ".".join(map(str, numbers)) + ("-" + ".".join(parts) if parts else ""),
    st.lists(st.integers(0, 3), min_size=1, max_size=4),
    st.lists(PARTS, max_size=3),
)


def read(text: str) -> Version:
    version = parse_version(text)
    assert version is not None
    return version


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("1", Version((1, 0, 0), 1)),
        ("v1.2", Version((1, 2, 0), 2)),
        ("1.02.3.4", Version((1, 2, 3, 4), 4)),
        ("1.2.3-beta.1+ent", Version((1, 2, 3), 3, "beta.1")),
        ("1.0beta1", Version((1, 0, 0), 2, "beta1")),
        ("4.15.0-142-generic", Version((4, 15, 0), 3, "142-generic")),
        ("1.0-", Version((1, 0, 0), 2, "-")),
        ("1.0~x", Version((1, 0, 0), 2, "~x")),
    ],
)
def test_a_version_is_read_leniently(text: str, version: Version) -> None:
    """FEAS-36."""
    assert version == parse_version(text)


@pytest.mark.parametrize(
    "text", ["", "a", " 1", "1 ", "1.", ".1", "1..2", "1.2.x", "1.2-1_0", "1+", "V1", str(2**63), "1.2\n"]
)
def test_what_is_no_version_is_none(text: str) -> None:
    """FEAS-36."""
    assert parse_version(text) is None


@pytest.mark.parametrize("text", ["1.0beta1", "1.0~x", "1.0-"])
def test_the_strict_form_wants_a_hyphen(text: str) -> None:
    """FEAS-36."""
    assert parse_version(text) is not None
    assert parse_version(text, strict=True) is None


@pytest.mark.parametrize(
    ("left", "order", "right"),
    [
        ("1.2", 0, "1.2.0"),
        ("1.2.3-beta", 0, "1.2.3.0"),
        ("1.2.3-beta", -1, "1.2.3"),
        ("1.2.3-2", -1, "1.2.3-11"),
        ("1.2.3-11", -1, "1.2.3-a"),
        ("1.2.3-beta", -1, "1.2.3-beta.2"),
        ("1.2.3-beta", 1, "1.2.3-beta.a"),
        ("1.2.3+a", 0, "1.2.3+b"),
        ("1.10", 1, "1.9"),
    ],
)
def test_versions_are_ordered(left: str, order: int, right: str) -> None:
    """FEAS-38."""
    assert order == compare_versions(read(left), read(right))


@given(VERSIONS, VERSIONS)
def test_the_order_has_two_directions(left: str, right: str) -> None:
    """FEAS-38."""
    assert compare_versions(read(left), read(right)) == -compare_versions(read(right), read(left))


@pytest.mark.parametrize(
    ("version", "requirements", "is_met"),
    [
        ("1.2.3", "~> 1.0", True),
        ("2.0.1", "~> 1.0", False),
        ("2.0.1", "~> 1", True),
        ("1.2", "~> 1.2.3", False),
        ("1.2.3.4", "~> 1.2.3", True),
        ("1.2.4", "~> 1.2.3-beta", False),
        ("1.2.3-rc", "~> 1.2.3-beta", True),
        ("1.4", ">= 1.0, < 1.4", False),
        ("1.3.0-beta1", ">= 0.6.1", False),
        ("1.7.0-alpha1", ">= 1.6.0-beta1", False),
        ("1.3.0-beta1", "!= 0.6.1", True),
        ("1.3.0-beta1+ent", "= 1.3.0-beta1", True),
        ("1.2.3", "== 1.2.3", False),
        ("1.2.3", "", False),
        ("1.2.3", "1.2.3,", False),
        ("1.2.3", ">=1.2 ,  <2", True),
    ],
)
def test_what_version_asks(version: str, requirements: str, is_met: bool) -> None:
    """FEAS-37."""
    assert is_met == is_version_within(version, requirements)


@pytest.mark.parametrize(
    ("version", "requirements", "is_met"),
    [
        ("1.2.3", "~> 1.0", False),
        ("1.3.0-beta1", ">= 0.6.1", True),
        ("1.7.0-beta", ">= 1.7.0", False),
        ("1.7.0", ">= 1.7.0-dev", True),
        ("1.7.0-beta.1", ">= 1.7.0-a", True),
        ("1.0beta1", "< 1.0", True),
        ("1.0", ">= 1.0beta1", False),
    ],
)
def test_what_semver_asks(version: str, requirements: str, is_met: bool) -> None:
    """FEAS-39."""
    assert is_met == is_version_within(version, requirements, strict=True)


def test_one_malformed_item_spoils_the_list() -> None:
    """FEAS-37."""
    assert parse_requirements(">= 1, foo") is None
    assert len(parse_requirements(">= 1, < 2") or ()) == 2
