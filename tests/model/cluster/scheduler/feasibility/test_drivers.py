"""Task drivers and providers of secrets."""

import pytest

from nomadspec.model.cluster.entities import DriverInfo
from nomadspec.model.cluster.scheduler.feasibility.drivers import check_drivers, check_secrets, has_driver
from tests.model.cluster.scheduler.made import make_node


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        (None, False),
        (DriverInfo(), False),
        (DriverInfo(detected=True), False),
        (DriverInfo(healthy=True), False),
        (DriverInfo(detected=True, healthy=True), True),
    ],
)
def test_what_a_node_says_of_a_driver_decides_before_attributes(
    info: DriverInfo | None, expected: bool
) -> None:
    """FEAS-26."""
    node = make_node(drivers={"exec": info}, attributes={"driver.exec": str(not expected)})

    assert expected == has_driver(node, "exec")


@pytest.mark.parametrize(
    ("value", "expected"),
    [("1", True), ("t", True), ("True", True), ("0", False), ("yes", False), ("", False), ("TRue", False)],
)
def test_an_attribute_must_be_a_true_word(value: str, expected: bool) -> None:
    """FEAS-26, FEAS-27."""
    assert expected == has_driver(make_node(attributes={"driver.exec": value}), "exec")


def test_every_driver_is_needed() -> None:
    """FEAS-26."""
    node = make_node(attributes={"driver.exec": "1"})

    assert check_drivers(node, ()) is None
    assert check_drivers(node, ("exec",)) is None
    refused = check_drivers(node, ("exec", "docker"))
    assert refused is not None
    assert ("missing drivers", {"driver": "docker"}) == (refused.text, refused.operands)


def test_a_provider_of_secrets_needs_any_version() -> None:
    """FEAS-28."""
    node = make_node(attributes={"plugins.secrets.vault.version": ""})

    assert check_secrets(node, ("vault",)) is None
    refused = check_secrets(node, ("vault", "aws"))
    assert refused is not None
    assert ("missing secrets provider", {"provider": "aws"}) == (refused.text, refused.operands)
