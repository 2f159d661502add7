"""Two searches are the same where everything that they follow from is."""

from dataclasses import replace

import pytest

from nomadspec.checkers.explore.search_digest import compute_identity
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.usual_profile import name_usual_profile
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from tests.checkers.explore.models import DIAL, GATE_OPEN, LAMPS, Dial, has_stopped, is_low, run_down, wind


def identify(model: Model, scope: str | None = None, profile: str | None = None, **sizes: int) -> str:
    profile = profile or name_usual_profile(model.find_scope(scope))
    task = make_task(model.at(scope, sizes=sizes, profile=profile), None, "none", stops_at_first=True)
    return compute_identity(task)


def test_it_is_the_same_each_time() -> None:
    assert identify(DIAL) == identify(DIAL)
    assert identify(find_model("core")) == identify(find_model("core"), "small", flips=0)
    assert 32 == len(identify(GATE_OPEN))


def test_other_text_of_the_same_name_is_another_search() -> None:
    @rule("W-3", spends=Dial.turned)
    def turn_back(s: Dial, t: Dial) -> None:
        """The dial is turned to its top, and earlier than before."""
        t.require(s.at <= 1)
        t.at = s.top

    @always("W-1", why="another text")
    def is_low(s: Dial) -> object:
        """The dial is not above its top."""
        return s.at <= s.top - 1 + s.turned

    other_rule = replace(DIAL, rules=(run_down, turn_back))
    other_property = replace(DIAL, properties=(is_low, *DIAL.properties[1:]))

    assert 3 == len({identify(DIAL), identify(other_rule), identify(other_property)})


@pytest.mark.parametrize(
    "other",
    [
        replace(DIAL, starts=()),
        replace(DIAL, is_at_rest=None),
        replace(DIAL, properties=(is_low, has_stopped)),
        replace(DIAL, rules=(run_down,)),
        replace(DIAL, starts=(wind, replace(wind, name="WindAgain"))),
        LAMPS,
    ],
)
def test_all_that_matters_shows(other: Model) -> None:
    is_same = other.starts == (wind, *other.starts[1:]) and len(other.starts) == 2

    assert is_same == (identify(DIAL) == identify(other))


def test_sizes_and_quirks_show() -> None:
    core = find_model("core")

    assert 4 == len(
        {
            identify(core),
            identify(core, "flip"),
            identify(core, profile="X-01"),
            identify(core, profile="X-02"),
        }
    )
