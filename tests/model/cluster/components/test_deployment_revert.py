from nomadspec.model.cluster.components.deployment_revert import Revert, choose_revert, find_stable_version
from tests.model.cluster.components.deploying import make_job, make_state

CURRENT = make_job(3, meta="bad")


def test_the_newest_stable_version_is_the_target() -> None:
    """DEP-60: also among versions with a gap."""
    old, older = make_job(1, meta="b", stable=True), make_job(0, meta="a", stable=True)
    state = make_state(CURRENT, versions=(make_job(2, meta="c"), old, older))

    assert old == find_stable_version(state, CURRENT)
    assert Revert("Failed - rolling back to job version 1", old) == choose_revert(state, CURRENT, "Failed")


def test_nothing_is_registered_where_the_target_says_the_same() -> None:
    """DEP-60, DEP-64: whatever the server has noted in it since."""
    same = make_job(1, meta="bad", stable=True, status="running", modify_index=77, submit_time_ns=5)
    state = make_state(CURRENT, versions=(same,))
    description = "Failed - not rolling back to stable job version 1 as current job has same specification"

    assert Revert(description) == choose_revert(state, CURRENT, "Failed")


def test_without_a_stable_version_only_some_say_so() -> None:
    """DEP-60, DEP-52."""
    state = make_state(CURRENT)

    assert Revert("F - no stable job version to auto revert to") == choose_revert(state, CURRENT, "F")
    assert Revert("F") == choose_revert(state, CURRENT, "F", says_no_target=False)
