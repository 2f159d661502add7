"""Clusters that decided wrongly and recorded it honestly are found out, kind by kind."""

import pytest

from tests.checkers.oracle.lying.counting import KINDS, count_lies, render_counts

FEWEST_KINDS = 60
ENOUGH = 4
"""So many lies of a kind are told in a test; ``python -m tests.checkers.oracle.lying`` tells all."""
QUICK = (
    "plan: a million MHz",
    "outcome: in other words",
    "follow-up: an hour later",
    "follow-up: a second later",
    "deployment: never reverts",
    "broken: ports are not reserved",
)


def test_there_are_many_kinds() -> None:
    assert len(KINDS) >= FEWEST_KINDS
    assert {kind.partition(":")[0] for kind in KINDS} >= {
        "plan",
        "outcome",
        "link",
        "follow-up",
        "node",
        "deployment",
        "watcher",
        "client",
        "drain",
        "periodic",
        "collected",
        "broken",
        "blocked",
    }


@pytest.mark.parametrize("kind", QUICK)
def test_a_lie_is_rejected_and_its_entry_named(kind: str) -> None:
    counts = count_lies(1, kind, ("update_auto_revert", "service_fail_followup"), enough=1)

    assert counts[kind].told
    assert counts[kind].named == counts[kind].told
    assert kind in render_counts(counts)


@pytest.mark.deep
@pytest.mark.parametrize("group", sorted({kind.partition(":")[0] for kind in KINDS}))
def test_lies_of_all_kinds_are_found_out(group: str) -> None:
    counts = count_lies(1, f"{group}:", enough=ENOUGH)

    assert [kind for kind, each in counts.items() if not each.told] == []
    assert {kind: each.missed for kind, each in counts.items() if each.named * 2 < each.told} == {}
    named, told = (sum(getattr(each, what) for each in counts.values()) for what in ("named", "told"))
    assert named >= (0.8 if len(counts) > 1 else 0.5) * told  # of a single kind: half, as of each
