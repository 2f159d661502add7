import pytest

from nomadspec.model.cluster.constraints.attributes import parse_attribute
from nomadspec.model.cluster.constraints.devices import (
    is_instance_wanted,
    is_met_by_group,
    is_met_on_device,
    is_named,
    is_wanted,
    resolve_on_device,
)
from nomadspec.model.cluster.entities import (
    Constraint,
    DeviceAttribute,
    NodeDevice,
    NodeDeviceResource,
    RequestedDevice,
)

GPU = NodeDeviceResource(
    vendor="acme",
    type="gpu",
    name="x/1",
    instances=(NodeDevice(id="d1", healthy=True), NodeDevice(id="d2")),
    attributes={"memory": parse_attribute("11 GiB"), "none": None},
)


@pytest.mark.parametrize(
    ("request_name", "expected"),
    [
        ("gpu", True),
        ("acme/gpu", True),
        ("acme/gpu/x/1", True),
        ("acme/gpu/x", False),
        ("gpu/acme", False),
        ("fpga", False),
    ],
)
def test_a_request_names_type_vendor_and_model(request_name: str, expected: bool) -> None:
    """FEAS-51."""
    assert expected == is_named(request_name, GPU)


@pytest.mark.parametrize(
    ("target", "value"),
    [
        ("12 GiB", DeviceAttribute(int_value=12, unit="GiB")),
        ("${device.ids}", DeviceAttribute(string_value="d1,d2")),
        ("${device.model}", DeviceAttribute(string_value="x/1")),
        ("${device.vendor}", DeviceAttribute(string_value="acme")),
        ("${device.type}", DeviceAttribute(string_value="gpu")),
        ("${device.attr.memory}", DeviceAttribute(int_value=11, unit="GiB")),
        ("${device.attr.absent}", None),
        ("${device.attr.none}", None),
        ("${attr.kernel.name}", None),
    ],
)
def test_what_a_target_stands_for_on_a_device(target: str, value: DeviceAttribute | None) -> None:
    """FEAS-54."""
    assert value == resolve_on_device(target, GPU)


@pytest.mark.parametrize(
    ("left", "operand", "right", "expected"),
    [
        ("11 GiB", "is", "11264 MiB", True),
        ("11 GiB", ">", "10 GB", True),
        ("1480 MHz", ">", "1.4 GHz", True),
        ("11 GB/s", ">", "10 GB", False),
        ("11 GiB", "!=", "12", False),
        (None, "!=", "foo", True),
        (None, "not", None, False),
        ("true", ">=", "false", True),
        ("true", "<", "false", False),
        ("true", "<=", "false", False),
        ("1500 mW", "is", "1 W", True),
        ("1500 mW", "is", "1.0 W", False),
        ("1.2.3", "version", "1.2", False),
        ("1.2.3", "version", "~> 1.2", True),
        ("2", "semver", ">= 1.0", True),
        ("2.5", "version", ">= 1.0", False),
        ("abc", "regexp", "b", True),
        ("11", "regexp", "1", False),
        ("a,b", "set_contains", "b", True),
        ("a,b", "set_contains_any", "c,b", True),
        (None, "is_set", "x", False),
        (None, "is_not_set", "x", True),
        (None, "=", None, False),
        (None, "distinct_hosts", None, True),
        ("a", "nope", "a", False),
    ],
)
def test_what_operands_ask_of_typed_values(
    left: str | None, operand: str, right: str | None, expected: bool
) -> None:
    """FEAS-58."""
    a, b = (None if text is None else parse_attribute(text) for text in (left, right))

    assert expected == is_met_on_device(operand, a, b)


def test_a_group_serves_a_request_that_names_it_and_that_it_meets() -> None:
    """FEAS-53."""
    enough = Constraint(ltarget="${device.attr.memory}", operand=">=", rtarget="10 GiB")
    more = Constraint(ltarget="${device.attr.memory}", operand=">", rtarget="11 GiB")

    assert is_met_by_group(enough, GPU)
    assert is_wanted(RequestedDevice(name="gpu", constraints=(enough,)), GPU)
    assert not is_wanted(RequestedDevice(name="gpu", constraints=(enough, more)), GPU)
    assert not is_wanted(RequestedDevice(name="fpga"), GPU)


@pytest.mark.parametrize(
    ("left", "operand", "right", "expected"),
    [
        ("${device.ids}", "set_contains", "d1,d3", ["d1"]),
        ("d2", "=", "${device.ids}", ["d2"]),
        ("${device.ids}", "regexp", "d.", []),
        ("${device.model}", "=", "other", ["d1", "d2"]),
    ],
)
def test_constraints_on_ids_choose_instances(
    left: str, operand: str, right: str, expected: list[str]
) -> None:
    """FEAS-59, 06/S-18."""
    constraints = [Constraint(ltarget=left, operand=operand, rtarget=right)]

    assert expected == [one.id for one in GPU.instances if is_instance_wanted(constraints, GPU, one.id)]
