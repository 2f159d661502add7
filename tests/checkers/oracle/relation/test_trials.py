"""Trials find what orders of maps touch, and orders that lead where one wants."""

from collections.abc import Iterable, Mapping

from nomadspec.checkers.oracle.relation.facts import Name
from nomadspec.checkers.oracle.relation.maps import MapOrders
from nomadspec.checkers.oracle.relation.trials import Trial, Trials

FIRST: Name = ("plans", "0", "NodeUpdate", "x", "Name")
FIXED: Name = ("plans", "0", "Priority")


def run(maps: MapOrders) -> Trial:
    """Visit two maps: the first says one thing, the second another."""
    one, two = maps.order(0, "abcd"), maps.order(1, "pqrst")
    maps.order(1, "uv")
    return Trial(maps, {FIRST: "".join(one), FIXED: "50", **list_later(two)})


def list_later(keys: Iterable[str]) -> dict[Name, str]:
    return {("plans", "1", "NodeUpdate", str(at), "Name"): key for at, key in enumerate(keys)}


def make_trials(wanted: Mapping[Name, str], most: int = 400) -> Trials:
    trials = Trials(run, wanted, most)
    assert not list(trials.begin([MapOrders(), MapOrders(is_descending=True)]))
    return trials


def test_what_no_order_touches_is_untouched() -> None:
    trials = make_trials({FIRST: "abcd", FIXED: "51", **list_later("pqrst")})

    assert list(trials.shuffle()) == []
    assert trials.find_untouched() == [FIXED]


def test_what_some_order_touches_is_not() -> None:
    trials = make_trials({FIRST: "bacd", FIXED: "50", **list_later("pqrst")})
    list(trials.shuffle())

    assert trials.find_untouched() == []


def test_attempts_after_one_that_differs_tell_nothing() -> None:
    trials = make_trials({FIRST: "bacd", FIXED: "50", **list_later("nonsense")})
    list(trials.shuffle())

    assert trials.find_untouched() == []


def test_orders_of_several_maps_are_found_together() -> None:
    wanted = {FIRST: "cadb", FIXED: "50", **list_later("tqprs")}
    trials = make_trials(wanted)

    found = next(trials.vary())

    assert found.facts == wanted


def test_maps_of_many_keys_are_not_tried_in_all_orders() -> None:
    trials = make_trials({FIRST: "abcd", FIXED: "50", **list_later("nonsense")}, most=200)

    assert list(trials.vary()) == []
    assert not trials.is_complete
    assert len(trials.made) <= 201


def test_what_was_not_found_is_looked_for_from_more_shuffles() -> None:
    def run_lock(maps: MapOrders) -> Trial:
        """Say only whether all maps are visited as they have to be."""
        orders = ["".join(maps.order(turn, "ab")) for turn in range(4)]
        return Trial(maps, {FIRST: str(orders == ["ba", "ab", "ba", "ab"])})

    trials = Trials(run_lock, {FIRST: "True"}, 60)
    assert not list(trials.begin([MapOrders()]))
    assert not list(trials.vary())
    trials.is_complete = False

    found = next(trials.go_on())

    assert found.facts == {FIRST: "True"}
    assert not trials.is_complete


def test_where_all_was_tried_nothing_goes_on() -> None:
    trials = Trials(lambda maps: Trial(maps, {FIXED: "".join(maps.order(0, "ab"))}), {FIXED: "51"}, 9)
    list(trials.begin([MapOrders()]))
    assert list(trials.vary()) == []
    made = len(trials.made)

    assert list(trials.go_on()) == []
    assert len(trials.made) == made


def test_small_maps_are_tried_in_all_orders() -> None:
    def run_small(maps: MapOrders) -> Trial:
        return Trial(maps, {FIRST: "".join(maps.order(0, "abc"))})

    trials = Trials(run_small, {FIRST: "nonsense"}, 100)
    assert list(trials.begin([MapOrders()])) == []
    assert list(trials.vary()) == []
    assert trials.is_complete


def test_without_maps_one_run_tells_all() -> None:
    trials = Trials(lambda maps: Trial(maps, {FIXED: "50"}), {FIXED: "51"}, 9)
    list(trials.begin([MapOrders()]))

    assert list(trials.shuffle()) == []
    assert trials.find_untouched() == [FIXED]
    assert list(trials.vary()) == []
    assert len(trials.made) == 1


def test_where_one_run_is_as_wanted_nothing_is_settled_against_it() -> None:
    trials = Trials(run, {FIRST: "abcd", FIXED: "50", **list_later("pqrst")}, 400)

    assert len(list(trials.begin([MapOrders(), MapOrders(is_descending=True)]))) == 1
    list(trials.shuffle())
    assert trials.find_nearest() is trials.made[0]
    assert trials.find_untouched() == []
    assert trials.find_untouched(is_by_kind=False) == []


def test_what_an_object_says_wherever_it_is_there_is_settled() -> None:
    """Of an object that is not there in the nearest run nothing is."""
    there: Name = ("plans", "0", "NodeUpdate", "x")
    word: Name = (*there, "Word")
    maps: Name = ("plans", "0", "Order")

    def run_sometimes(orders: MapOrders) -> Trial:
        order = "".join(orders.order(0, "abcd"))
        found = {there: "there", word: "one"} if order[0] in "ab" else {}
        return Trial(orders, {maps: order, **found})

    for wanted, untouched in (("one", []), ("two", [word])):
        trials = Trials(run_sometimes, {maps: "nonsense", there: "there", word: wanted}, 400)
        list(trials.begin([MapOrders(), MapOrders(is_descending=True)]))
        list(trials.shuffle())
        assert trials.find_untouched() == []
        assert trials.find_untouched(is_by_kind=False) == untouched


def test_later_attempts_are_settled_where_no_order_moves_an_earlier_one() -> None:
    """Where the later attempts are not to be trusted; an order that moves the first keeps them open."""
    later: Name = ("plans", "1", "Priority")

    def run_twice(maps: MapOrders) -> Trial:
        return Trial(maps, {FIRST: "".join(maps.order(0, "abcd")), later: "50"})

    def run_unmoved(maps: MapOrders) -> Trial:
        maps.order(0, "abcd")
        return Trial(maps, {FIRST: "abcd", later: "50"})

    for run_both, untouched in ((run_twice, []), (run_unmoved, [later])):
        trials = Trials(run_both, {FIRST: "abcd", later: "51"}, 400, last_stage=0)
        assert list(trials.begin([MapOrders(), MapOrders(is_descending=True)])) == []
        assert list(trials.shuffle()) == []
        assert trials.find_untouched() == untouched
