"""Decisions are walked branch by branch; each branch is met once."""

from nomadspec.checkers.oracle.relation.decision_tree import Script


def walk(script: Script, depth: int, width: int) -> list[str]:
    return [script.decide([str(at) for at in range(width)]) for _ in range(depth)]


def test_every_branch_is_met_once() -> None:
    script, met = Script(), []
    while True:
        met.append("".join(walk(script, 3, 2)))
        if not script.advance():
            break

    assert met == ["000", "001", "010", "011", "100", "101", "110", "111"]


def test_what_is_kept_is_not_changed() -> None:
    script, met = Script(), []
    while True:
        first = script.decide("ab")
        script.keep()
        met.append(first + script.decide("xy"))
        if not script.advance():
            break

    assert met == ["ax", "ay"]


def test_a_run_that_ends_early_forgets_what_came_later() -> None:
    script = Script()
    walk(script, 3, 2)
    script.advance()
    script.decide("01")

    assert script.advance()
    assert script.decide("01") == "1"


def test_a_new_start_keeps_what_was_kept() -> None:
    script = Script()
    script.decide("ab")
    assert script.restart()
    assert script.decide("ba") == "b"
    script.keep()
    assert not script.restart()
    assert script.decide("ab") == "b"
