from collections.abc import Iterable
from functools import cache

from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.reference.triggers import NEVER, REASONS, Made, compute_triggers_page, list_made
from nomadspec.model.cluster.entities import Trigger


@cache
def made() -> tuple[Made, ...]:
    return tuple(one for _, one in list_made(ROOT))


def test_each_of_the_18_triggers_is_reached_or_never_made() -> None:
    """TRIG-01, TRIG-24."""
    assert 18 == len(Trigger)
    assert {one.trigger for one in made()} == set(Trigger) - set(NEVER)
    assert {trigger for trigger, _ in REASONS} == set(Trigger) - set(NEVER)


def test_each_reason_is_reached_by_a_scenario() -> None:
    assert {(one.trigger, one.actor) for one in made()} == set(REASONS)


def test_every_evaluation_has_exactly_the_fields_of_its_reason() -> None:
    wrong = set(_find_wrong(made()))

    assert set() == wrong


def _find_wrong(ones: Iterable[Made]) -> Iterable[tuple[str, str, frozenset[str], frozenset[str]]]:
    for one in ones:
        reason = REASONS[one.trigger, one.actor]
        lacks, surplus = reason.fields - one.fields, one.fields - reason.fields - reason.sometimes
        if lacks or surplus:
            yield one.trigger.value, one.actor, lacks, surplus


def test_a_field_too_much_or_too_few_is_noticed() -> None:
    drained = next(one for one in made() if one.trigger is Trigger.NODE_DRAIN)
    watched = next(one for one in made() if one.trigger is Trigger.DEPLOYMENT_WATCHER)
    more = Made(drained.trigger, drained.actor, drained.act, frozenset({"node_id"}), drained.eval_id)
    less = Made(watched.trigger, watched.actor, watched.act, frozenset(), watched.eval_id)

    assert ["node-drain", "deployment-watcher"] == [found[0] for found in _find_wrong([more, less])]


def test_the_page_tells_a_story_of_each_trigger() -> None:
    text = compute_triggers_page(ROOT)

    assert 1 == text.count("docs/scenarios/seed/1-missed-heartbeat.scenario`: `eval-00017`")
    assert all(f"## {trigger.value}" in text for trigger in Trigger)
