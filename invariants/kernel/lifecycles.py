"""What the arrows of the lifecycle tables are in the kernel: pairs of the numbers of statuses and phases."""

from collections.abc import Callable

from nomadspec.model.kernel.statuses import ALLOC_STATUSES, AllocPhase
from nomadspec.model.language.domain import NONE
from nomadspec.model.lifecycle.allocation import ALLOCATION_CLIENT, ALLOCATION_DESIRED, AllocClient
from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, Status
from nomadspec.model.specification.quirk import Quirk

Pairs = tuple[tuple[int, int], ...]


def list_open_pairs(lifecycle: Lifecycle, has: Callable[[Quirk], bool]) -> set[tuple[Status, Status]]:
    """List the changes of an object that a profile admits, its making and deletion among them."""
    return {(arrow.find_source(), arrow.target) for arrow in lifecycle.arrows if arrow.is_open(has)}


def list_numbered_pairs(lifecycle: Lifecycle, has: Callable[[Quirk], bool]) -> Pairs:
    """List the changes as the numbers of the statuses; an object that does not exist has none."""
    numbers: dict[Status, int] = {ABSENT: NONE}
    numbers |= {status: number for number, status in enumerate(lifecycle.list_statuses())}
    pairs = list_open_pairs(lifecycle, has)
    return tuple(sorted((numbers[source], numbers[target]) for source, target in pairs))


def list_phase_pairs(has: Callable[[Quirk], bool]) -> Pairs:
    """List the changes of an allocation's phase for which both tables have an arrow, or nothing to say."""
    desired = list_open_pairs(ALLOCATION_DESIRED, has)
    client = list_open_pairs(ALLOCATION_CLIENT, has) | {(ABSENT, AllocClient.RUNNING)}
    legal = []
    for before, (wanted, said) in ALLOC_STATUSES.items():
        for after, (then_wanted, then_said) in ALLOC_STATUSES.items():
            is_wanted_so = wanted == then_wanted or (wanted, then_wanted) in desired
            is_said_so = said == then_said or (said, then_said) in client
            if is_wanted_so and is_said_so and before != AllocPhase.GONE:
                legal.append((int(before), int(after)))
    return tuple(legal)
