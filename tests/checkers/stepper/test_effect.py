"""What an instance reads, computes and copies."""

from nomadspec.checkers.stepper.effect import compute_effect, find_reach
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.stepper.models import CRAMPED, DESK


def position_of(bounded: BoundedModel, rule: str) -> int:
    return next(at for at, instance in enumerate(bounded.instances) if instance.rule.name == rule)


def test_a_copied_table_does_not_enter_what_is_read() -> None:
    bounded = DESK.at()
    layout = Layout(bounded)
    position = position_of(bounded, "Look")
    board, seen = bounded.frame.placed["board"], bounded.frame.placed["seen"]

    reach = find_reach(bounded.traced[position], position, bounded, layout)

    distance = layout.shifts[seen.base] - layout.shifts[board.base]
    assert not reach.reads & set(range(board.base, board.base + board.span))
    assert ((layout.mask(range(board.base, board.base + board.span)), distance, 0),) == reach.copies


def test_a_copy_into_a_narrower_domain_is_computed() -> None:
    bounded = CRAMPED.at()
    position = position_of(bounded, "Copy")

    reach = find_reach(bounded.traced[position], position, bounded, Layout(bounded))

    assert () == reach.copies
    assert {bounded.frame.placed[name].base for name in ("changed", "narrow")} == reach.reads


def test_an_effect_keeps_sets_and_names_its_instance() -> None:
    bounded = DESK.at()
    layout = Layout(bounded)
    position = position_of(bounded, "Look")
    reach = find_reach(bounded.traced[position], position, bounded, layout)
    first = layout.pack(bounded.initial[0])

    effect = compute_effect(reach, first, bounded, layout)

    assert effect is not None
    assert (position, reach.keep, reach.copies) == (effect[0], effect[1], effect[3])
    after = bounded.step(bounded.initial[0], bounded.instances[position])
    assert after is not None
    assert layout.pack(after) == first & effect[1] | effect[2]


def test_there_is_no_effect_where_the_guard_does_not_hold() -> None:
    bounded = DESK.at()
    layout = Layout(bounded)
    position = position_of(bounded, "Leave")
    reach = find_reach(bounded.traced[position], position, bounded, layout)

    assert compute_effect(reach, layout.pack(bounded.initial[0]), bounded, layout) is None
