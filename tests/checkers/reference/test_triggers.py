from collections.abc import Iterable
from itertools import chain

import pytest
from msgspec.structs import replace

from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.reference.triggers import (
    NEVER,
    REASONS,
    UNREACHED,
    Made,
    compute_triggers_page,
    list_fields,
    list_made,
)
from nomadspec.model.cluster.acts import Act, DeregisterJob
from nomadspec.model.cluster.components.client_evals import make_client_evals
from nomadspec.model.cluster.entities import AllocClient, Job, Trigger
from nomadspec.model.cluster.store.tables import ALLOCS, JOBS
from nomadspec.model.cluster.world import World, list_written
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.checkers.oracle.refinement.acts.steps import SCENARIOS, SEEDS, list_steps, walk


def made() -> tuple[Made, ...]:
    return tuple(one for _, one in list_made(ROOT))


def test_each_of_the_18_triggers_is_reached_or_never_made() -> None:
    """TRIG-01, TRIG-24."""
    assert 18 == len(Trigger)
    assert {one.trigger for one in made()} == set(Trigger) - set(NEVER)
    assert {trigger for trigger, _ in REASONS} == set(Trigger) - set(NEVER)


def test_each_reason_is_reached_by_a_scenario() -> None:
    assert {(one.trigger, one.actor) for one in made()} == set(REASONS)


@pytest.mark.parametrize(
    ("folders", "seeds"),
    [
        pytest.param(("jobs",), SEEDS[:1], id="of jobs"),
        pytest.param(SCENARIOS, SEEDS[:2], id="all", marks=pytest.mark.deep),
    ],
)
def test_no_allocation_is_left_without_its_job(folders: tuple[str, ...], seeds: tuple[int, ...]) -> None:
    """So that no client reports on one: scenarios purge jobs, and so do walks (TRIG-07, JOB-13, OBJ-407)."""
    walks = [walk(seed, profile) for profile in (NOMAD_2_0, INTENDED) for seed in seeds]
    steps = [*chain(list_steps(folders), *walks)]

    assert any(isinstance(act, DeregisterJob) and act.purge for _, act, _ in steps)
    assert set() == {orphan for step in steps for orphan in _list_orphans(*step)}


def _list_orphans(_before: World, _act: Act, after: World) -> Iterable[str]:
    for key in map(str, list_written(after, ALLOCS)):
        alloc = after.state.find_alloc(key)
        if alloc is not None and after.state.find_job(alloc.namespace, alloc.job_id) is None:
            yield key
    for job in list_written(after, JOBS).values():
        if isinstance(job, Job) and after.state.find_job(job.namespace, job.id) is None:
            yield from (alloc.id for alloc in after.state.list_allocs_of_job(job.namespace, job.id))


def test_a_report_on_an_allocation_without_its_job_makes_what_the_page_says() -> None:
    """TRIG-07: only in a store that no cluster comes to."""
    state = next(after.state for _, _, after in list_steps(("jobs",)) if after.state.list_allocs())
    alloc = state.list_allocs()[0]
    orphaned = replace(state, jobs=state.jobs.remove((alloc.namespace, alloc.job_id)))
    report = replace(alloc, client_status=AllocClient.FAILED.value)

    (made_eval,) = make_client_evals(orphaned, [report], lambda: "eval", 1)
    reason, _ = UNREACHED[Trigger.JOB_DEREGISTER, "client"]
    assert made_eval.triggered_by == Trigger.JOB_DEREGISTER
    assert alloc.job is not None
    assert (alloc.job.type, alloc.job.priority) == (made_eval.type, made_eval.priority)
    assert reason.fields == list_fields(made_eval)


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
    assert "**By the client** (`TRIG-07`): sets nothing." in text
