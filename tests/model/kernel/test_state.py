import pytest

from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.state import Kernel
from tests.model.kernel.playing import ALONE, bind


def count_bits(**sizes: int) -> int:
    """Count the bits of a world."""
    bounded = bind("intended", tuple({**ALONE, **sizes}.items()))
    return sum(interval.bits for interval in bounded.frame.intervals)


@pytest.mark.parametrize(
    "size", ["priorities", "kinds", "infeasibilities", "escapes", "stale_server_count", "requests", "errors"]
)
def test_what_a_scope_leaves_out_costs_nothing(size: str) -> None:
    assert count_bits() < count_bits(**{size: 1})


def test_everything_that_may_go_wrong_is_off_by_default() -> None:
    sizes = KERNEL.sizes_of({})
    off = (
        "timeouts",
        "errors",
        "elections",
        "pauses",
        "failed_entries",
        "node_changes",
        "purges",
        "stale_server_count",
    )

    assert [0] * len(off) == [sizes[name] for name in off]


@pytest.mark.parametrize("servers", [0, 1])
def test_only_a_world_with_stale_servers_has_cells_for_them(servers: int) -> None:
    bounded = bind("intended", (("stale_server_count", servers),))

    assert (servers > 0) == any(name.startswith("stale") for name in bounded.frame.cell_names)


def test_what_was_done_so_far_is_a_budget() -> None:
    budgets = {field.name for field in Kernel.schema.fields if field.is_budget}

    assert {"made", "alloc_made", "requested", "erred", "timed_out", "elected", "pauses_made"} <= budgets
