from tests.model.kernel.playing import Play

DISPATCHED = (
    "Dequeue(1, 1, 1)",
    "Begin(1, 1)",
    "Plan(1, 1, [1])",
    "Submit(1, 1)",
    "Evaluate(1, 1)",
    "Dispatch(1, 1, 1)",
)


def test_an_entry_dispatched_puts_the_snapshot_ahead_of_the_store() -> None:
    assert ["ahead"] == Play(depth=1).play(*DISPATCHED).look("snapshot.index")


def test_its_commit_makes_both_even() -> None:
    assert ["even"] == Play(depth=1).play(*DISPATCHED, "Commit(1, 1)").look("snapshot.index")


def test_an_entry_of_somebody_else_leaves_the_snapshot_behind_in_the_end() -> None:
    play = Play(depth=1, node_changes=1).play(*DISPATCHED, "LoseNode(1)", "Commit(1, 1)")

    assert ["behind", True] == play.look("snapshot.index", "is_snapshot_outdated")
