"""A search by names finds what the search itself finds, in whichever process."""

import pickle

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.named_search import Errand, make_errand
from nomadspec.checkers.manifest import Published, list_published
from nomadspec.invariants.catalogue import find_model
from tests.checkers.explore.test_running import keep_result

HASTY = Errand("2pc", "hasty", "X-03", stops_at_first=False, tells_fewest_switches=False)


def test_an_errand_searches_what_it_names() -> None:
    bounded = find_model("2pc").at("hasty", profile="X-03")

    assert keep_result(explore(bounded, stop_at_first=False, tells_fewest_switches=False)) == (
        keep_result(HASTY.run())
    )


def test_an_errand_can_be_sent() -> None:
    assert HASTY == pickle.loads(pickle.dumps(HASTY))  # noqa: S301 -- written here


def test_what_is_published_with_a_known_violation_goes_on_after_it() -> None:
    def find_entry(is_known: bool) -> Published:
        return next(one for one in list_published() if bool(one.known) == is_known)

    for is_known in (True, False):
        entry = find_entry(is_known)
        errand = make_errand(entry)

        assert (entry.model, entry.scope, entry.profile, entry.reduction) == (
            (errand.model, errand.scope, errand.profile, errand.reduction)
        )
        assert (not is_known, not is_known) == (errand.stops_at_first, errand.tells_fewest_switches)
