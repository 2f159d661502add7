from tests.model.kernel.playing import Play


def test_a_server_copies_what_is_committed() -> None:
    play = Play(stale_server_count=1, node_changes=1).play("LoseNode(1)")

    assert [True, False] == play.look("stale.node_up 1 1", "stale_usable 1 1")
    assert [False, True] == play.play("CatchUp(1)").look("stale.node_up 1 1", "stale_usable 1 1")


def test_an_evaluation_makes_the_copy_too_old_for_its_job() -> None:
    play = Play(stale_server_count=1, jobs=2, requests=1).play("CatchUp(1)", "RequestEvaluation(1, 1)")

    assert [False, True] == play.look("stale_usable 1 1", "stale_usable 1 2")


def test_servers_are_behind_by_different_entries() -> None:
    play = Play(stale_server_count=2, node_changes=2).play("CatchUp(1)", "LoseNode(1)", "CatchUp(2)")

    assert [True, False] == play.look("stale.node_up 1 1", "stale.node_up 2 1")
