"""An order is cut where searches begin and end."""

from nomadspec.checkers.oracle.relation.probing import Stretch
from nomadspec.checkers.oracle.relation.segments import Segment, cut_segments, list_windows
from nomadspec.model.cluster.entities import Allocation, AllocMetric


def make_stretch(visited: int, *, is_aside: bool = False) -> Stretch:
    return Stretch("web", {}, Allocation(metrics=AllocMetric(nodes_evaluated=visited)), is_aside=is_aside)


def test_a_search_begins_where_the_one_before_ended() -> None:
    """RANK-07."""
    windows = list_windows(5, [make_stretch(3), make_stretch(3)])

    assert [(window.start, window.length, window.last) for window in windows] == [(0, 3, 2), (3, 3, 0)]
    assert [place for place in range(5) if windows[1].holds(place)] == [0, 3, 4]
    assert windows[1].find_turn(0) == 2
    assert not windows[1].is_whole
    assert windows[1].expected is not None


def test_a_search_in_vain_comes_back_to_where_it_began() -> None:
    """RANK-07."""
    windows = list_windows(5, [make_stretch(2), Stretch("web", {}), make_stretch(1)])

    assert [window.start for window in windows] == [0, 2, 2]
    assert (windows[1].is_whole, windows[1].expected) == (True, None)


def test_after_preferred_nodes_all_begins_anew() -> None:
    """RANK-13."""
    windows = list_windows(5, [make_stretch(2), make_stretch(1, is_aside=True), make_stretch(1)])

    assert [window.start for window in windows] == [0, 0]


def test_the_last_of_a_window_stands_alone() -> None:
    segments = cut_segments(5, list_windows(5, [make_stretch(3)]))

    assert segments == [Segment(0, 2), Segment(2, 1), Segment(3, 2)]
    assert cut_segments(5, list_windows(5, [make_stretch(5)])) == [Segment(0, 5)]
