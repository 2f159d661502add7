"""What is collected was old enough for that, where it is known how old it had to be."""

from nomadspec.checkers.oracle.explain.gc_ages import compare_ages, read_thresholds
from nomadspec.model.cluster.components.core_gc import Thresholds
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.telling import read_rest

SETTINGS = ({"eval_gc_threshold": "1m30s"}, {"eval_gc_threshold": "2h", "node_gc_threshold": "500ms"})


def test_the_least_age_of_all_servers_is_what_counts() -> None:
    """GC-02."""
    assert read_thresholds({"actions": []}, SETTINGS) == Thresholds(
        eval_ns=90 * NS_PER_S, node_ns=NS_PER_S // 2
    )


def test_nothing_is_known_where_a_collection_was_forced() -> None:
    """GC-80."""
    forced = {"actions": [{"kind": "http", "request": {"method": "PUT", "path": "/v1/system/gc"}}]}

    assert read_thresholds(forced, SETTINGS) is None
    assert read_thresholds({"actions": []}, ()) is None


def test_what_is_collected_too_early_is_found() -> None:
    """GC-10, GC-20."""
    replay, rest = replay_recorded("gc_automatic"), read_rest("gc_automatic")
    thresholds = rest.thresholds
    assert thresholds is not None

    assert list(compare_ages(replay, thresholds, rest.ended_ns)) == []
    late = Thresholds(eval_ns=3600 * NS_PER_S, batch_eval_ns=3600 * NS_PER_S)
    assert {each.rule for each in compare_ages(replay, late, rest.ended_ns)} == {"GC-10"}
