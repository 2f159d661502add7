"""Tasks are flattened by their phases (RANK-23, OBJ-259)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import AllocatedResources, AllocatedShared, AllocatedTask, Lifecycle
from nomadspec.model.cluster.resources.amounts import NOTHING, Amounts, compute_amounts
from tests.model.cluster.resources.making import make_task

HOOKS = {
    "main": None,
    "prestart": Lifecycle(hook="prestart"),
    "sidecar": Lifecycle(hook="prestart", sidecar=True),
    "poststart": Lifecycle(hook="poststart"),
    "poststop": Lifecycle(hook="poststop"),
    "unheard-of": Lifecycle(hook="unheard-of"),
}


def flatten(tasks: list[tuple[str, AllocatedTask]]) -> Amounts:
    """Flatten tasks that are given with the phase in which they run."""
    return compute_amounts(
        AllocatedResources(
            tasks={f"t{at}": task for at, (_, task) in enumerate(tasks)},
            task_lifecycles={f"t{at}": HOOKS[phase] for at, (phase, _) in enumerate(tasks)},
        )
    )


@pytest.mark.parametrize(
    ("tasks", "cpu_mhz", "cores"),
    [
        ([("prestart", 2000, ()), ("main", 4000, ()), ("poststop", 1000, ())], 4000, ()),
        (
            [
                ("prestart", 1000, (0,)),
                ("sidecar", 2000, (1, 2)),
                ("main", 2000, (3, 4)),
                ("poststop", 1000, (5,)),
            ],
            6000,
            (0, 1, 2, 3, 4, 5),
        ),
        ([("prestart", 1000, ()), ("main", 2000, (1, 2)), ("poststop", 1000, ())], 3000, (1, 2)),
        ([("main", 500, ()), ("sidecar", 300, ()), ("prestart", 1000, ())], 1300, ()),
        ([("main", 500, ()), ("poststart", 200, ()), ("poststop", 600, ())], 700, ()),
        ([("main", 500, ()), ("unheard-of", 900, ())], 500, ()),
        ([("main", 500, ()), ("unheard-of", 900, (7,))], 1400, (7,)),
    ],
)
def test_phases_that_do_not_overlap_share(
    tasks: list[tuple[str, int, tuple[int, ...]]], cpu_mhz: int, cores: tuple[int, ...]
) -> None:
    """The table of RANK-23."""
    taken = flatten([(phase, make_task(mhz, cores=own)) for phase, mhz, own in tasks])

    assert (cpu_mhz, frozenset(cores)) == (taken.cpu_mhz, taken.cores)


def test_memory_of_a_pinned_task_takes_part_in_its_phase() -> None:
    taken = flatten([("main", make_task(100, 64)), ("poststop", make_task(500, 96, cores=[1]))])

    assert (600, 96) == (taken.cpu_mhz, taken.memory_mb)


def test_the_limit_of_memory_is_the_memory_itself_where_none_is_set() -> None:
    taken = flatten([("main", make_task(0, 64, 256)), ("main", make_task(0, 32))])

    assert (96, 288) == (taken.memory_mb, taken.memory_max_mb)


def test_disk_is_shared() -> None:
    assert 300 == compute_amounts(AllocatedResources(shared=AllocatedShared(disk_mb=300))).disk_mb


def test_who_was_given_nothing_takes_nothing() -> None:
    assert NOTHING == compute_amounts(None) == compute_amounts(AllocatedResources())


def test_records_that_come_and_go_keep_their_own_amounts() -> None:
    records = [AllocatedResources(shared=AllocatedShared(disk_mb=size)) for size in range(50)]

    found = [compute_amounts(record).disk_mb for record in (*records, *records)]

    assert [*range(50), *range(50)] == found


@given(st.lists(st.tuples(st.sampled_from(sorted(HOOKS)), st.integers(0, 9), st.booleans()), max_size=6))
def test_a_task_more_never_takes_less(told: list[tuple[str, int, bool]]) -> None:
    tasks = [
        (phase, make_task(size, size, cores=[at] if is_pinned else []))
        for at, (phase, size, is_pinned) in enumerate(told)
    ]
    before, after = flatten(tasks[:-1]), flatten(tasks)

    assert before.cpu_mhz <= after.cpu_mhz <= before.cpu_mhz + (told[-1][1] if told else 0)
    assert before.memory_mb <= after.memory_mb
    assert before.cores <= after.cores
