"""Each entry of a log is told in a sentence, with who wrote it."""

import pytest

from nomadspec.checkers.replay.entry_sentences import find_actor, shorten_id, tell_step
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import Outside
from tests.checkers.oracle.deciding import replay_recorded

TOLD = {
    ("update_auto_revert", 14): ("operator", "register service job web"),
    ("update_auto_revert", 27): (
        "applier",
        "plan of eval 4e1a34ca: place web.g[0]; stop web.g[0]; begin a deployment of web",
    ),
    ("update_auto_revert", 31): ("client", "a client reports: web.g[0] is failed; made an eval of web"),
    ("update_auto_revert", 34): ("worker", "eval 0f500192 of web is made, pending by alloc-reschedule"),
    ("update_auto_revert", 40): ("deployment watcher", "deployment of web is failed and roll its job back"),
    ("update_auto_revert", 4): ("log", "(Autopilot)"),
    ("canary_manual", 8): ("client", "node c1 registers, initializing"),
    ("canary_manual", 23): ("deployment watcher", "made an eval of web"),
}


@pytest.mark.parametrize(("name", "index"), TOLD)
def test_an_entry_is_told_in_a_sentence(name: str, index: int) -> None:
    replay = replay_recorded(name)
    step, before = replay.steps[index - 1], replay.find_state(index - 1)

    assert TOLD[name, index] == (find_actor(step), tell_step(step, before))


@pytest.mark.parametrize("name", ["gc_automatic", "drain_two", "node_purge", "canary_manual", "dispatch"])
def test_only_what_is_about_the_log_or_left_out_is_told_by_its_kind(name: str) -> None:
    before, kinds = make_initial_state(), set()
    for step in replay_recorded(name).steps:
        if tell_step(step, before).startswith("("):
            kinds.add((step.typed.type, isinstance(step.typed.entry.request, Outside)))
        before = step.applied.state

    assert {kind for kind, is_outside in kinds if not is_outside} <= {"UpsertNodeEvents"}


def test_an_id_is_shortened_and_a_name_is_not() -> None:
    assert shorten_id("4e1a34ca-0000-0000-0000-000000000000") == "4e1a34ca"
    assert shorten_id("a-job-with-a-long-name") == "a-job-wi"
    assert shorten_id("backend-service") == "backend-service"
