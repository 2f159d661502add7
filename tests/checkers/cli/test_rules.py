"""``nomadspec rules``."""

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output


def test_rules_are_listed_and_shown() -> None:
    assert "DecideCommit" in call("rules").out
    assert "DecideCommit" not in call("rules", "--model", "core").out
    assert "Dequeue, a rule of core\n" in call("rules", "BROKER-22").out


def test_an_unknown_rule_is_a_wrong_call() -> None:
    called = call("rules", "Deqeue")

    assert (
        2,
        "nomadspec: There is no rule named 'Deqeue'; did you mean Dequeue or EnqueueCore or Resume?\n",
    ) == (
        called.code,
        called.err,
    )


def test_the_object_keeps_to_its_schema() -> None:
    check_output(call("rules", "--json").data)
