"""What a node has and what allocations take of it."""

import pytest

from nomadspec.model.cluster.entities import AllocatedPort
from nomadspec.model.cluster.resources.use import (
    INVALID_NODE,
    PORT_COLLISION,
    PortBeyondLastError,
    measure_use,
)
from tests.model.cluster.resources.making import IP, make_alloc, make_node, make_ports, make_task


def test_capacity_and_load_are_measured_together() -> None:
    """RANK-24, RANK-26, NET-01."""
    use = measure_use(make_node(), (make_alloc(tasks={"main": make_task(700)}),))

    assert (4000, 700) == (use.capacity.cpu_mhz, use.load.used.cpu_mhz)
    assert use.problem == ""
    assert not use.index.is_used(IP, 8080)


def test_a_node_whose_ports_cannot_be_read_is_useless() -> None:
    """NET-04."""
    node = make_node(kept_ports="x")
    use = measure_use(node, ())

    assert use.problem == INVALID_NODE
    assert measure_use(node, (make_alloc(),), use).problem == INVALID_NODE


def test_the_port_beyond_the_last_breaks_an_attempt_off() -> None:
    """06/S-15: its text is read, and only where it is marked it turns out to be none."""
    with pytest.raises(PortBeyondLastError, match="65536"):
        measure_use(make_node(kept_ports="22,65535-65536"), ())


def test_allocations_that_collide_are_told() -> None:
    """NET-07: until one of them goes."""
    node = make_node()
    shared = make_ports(AllocatedPort(value=80, host_ip=IP))
    first, second = make_alloc("a1", shared=shared), make_alloc("a2", shared=shared)
    use = measure_use(node, (first, second))

    assert use.problem == PORT_COLLISION
    rest = measure_use(node, (first,), use)
    assert rest.problem == ""
    assert rest.capacity is use.capacity
    assert rest.index.is_used(IP, 80)
