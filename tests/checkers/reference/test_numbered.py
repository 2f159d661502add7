import pytest

from nomadspec.checkers.reference.numbered import compute_numbered_page, list_judges, read_numbered
from nomadspec.invariants.cluster.world import PROPERTIES
from nomadspec.model.errors import UnknownNameError

COUNTS = {
    "01": 24,
    "02": 21,
    "03": 20,
    "04": 25,
    "05": 17,
    "06": 20,
    "07": 23,
    "08": 18,
    "09": 22,
    "10": 19,
    "11": 16,
}


def test_every_numbered_invariant_of_every_chapter_is_listed() -> None:
    chapters = read_numbered()

    assert COUNTS == {chapter: len(rows) for chapter, rows in chapters.items()}
    for rows in chapters.values():
        assert [str(number) for number in range(1, len(rows) + 1)] == list(rows)


def test_every_numbered_invariant_has_a_judge_or_a_reason() -> None:
    for rows in read_numbered().values():
        for row in rows.values():
            assert bool(row.by) is not bool(row.not_judged)
            assert row.promise.endswith(".")
            for name in row.by:
                assert list_judges(name)


def test_what_judges_nothing_is_refused() -> None:
    for name in ("kernel:PLAN-999", "vectors:nothing", "fit:nothing", "no_such_property"):
        with pytest.raises(UnknownNameError, match="judge of an invariant"):
            list_judges(name)


def test_the_page_names_each_judge() -> None:
    text = compute_numbered_page()

    assert "221 of 225 are checked." in text
    assert "| 1 | Indexes of an object only grow" in text
    assert "`terminal_eval_stays_terminal`" in text


def test_most_properties_of_clusters_formalise_a_numbered_invariant() -> None:
    named = {name for rows in read_numbered().values() for row in rows.values() for name in row.by}

    assert set(PROPERTIES) - named == {
        "alloc_has_the_room_its_version_asks_for",
        "alloc_joins_deployment_of_its_version",
        "alloc_keeps_its_desired_transition",
        "chain_of_evals_has_no_cycle",
        "client_runs_only_wanted_allocs",
        "deployed_version_is_not_deployed_again",
        "deployment_desires_no_more_than_count",
        "deployment_to_be_promoted_has_its_canaries",
        "drain_tells_allocs_to_leave",
        "paused_deployment_replaces_no_alloc",
        "live_alloc_on_disconnected_node_becomes_unknown",
        "paused_deployment_stays_paused",
        "placed_alloc_is_reported",
        "stopped_job_stays_stopped",
        "unplaced_unknown_alloc_has_an_eval",
        "unknown_alloc_takes_no_place_of_a_lost_one",
        "unknown_alloc_is_lost_after_its_time",
    }
