"""Rules and properties, listed and shown."""

from pathlib import Path
from typing import Any

import pytest
from click import unstyle

from nomadspec.checkers.report import registry
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.language.domain import FLAG
from nomadspec.model.language.property import always, sometimes
from nomadspec.model.language.rule import strong, weak
from nomadspec.model.small.core import Core

MODELS = {name: find_model(name) for name in ("core", "2pc")}


def test_a_rule_is_shown_in_full() -> None:
    (located,) = registry.find_all(registry.list_rules(MODELS), "Nack")

    text = unstyle(registry.render_rule(located))

    assert "Nack, a rule of core" == text.splitlines()[0]
    assert "arguments     worker (any worker), job (any job)" in text
    assert "fairness      weak: once it is possible for ever, it happens, for each worker" in text
    assert "reads         status, place, delivered, token, stage, job, held_token" in text
    assert "writes        status, place, stage, job, held_token" in text
    assert "model/small/core.py:" in text


def test_a_property_is_told_with_its_exceptions() -> None:
    kernel = {"kernel": find_model("kernel")}
    (located,) = registry.find_all(registry.list_properties(kernel), "plan_is_committed_node_by_node")

    text = " ".join(unstyle(registry.render_property(located)).split())

    assert "or nothing of it. Placements for a job that is not wanted any more are left out." in text


def test_what_a_rule_touches_is_found_in_a_scope_where_it_can_happen() -> None:
    core = MODELS["core"]
    (flip,) = [rule for rule in core.rules if rule.name == "FlipNode"]

    touched = registry.find_touched(core, [flip])

    assert "flipped" in touched["FlipNode"].writes


def test_a_property_is_shown_in_full() -> None:
    (located,) = registry.find_all(registry.list_properties(MODELS), "evaluation_is_answered")

    text = unstyle(registry.render_property(located))

    assert "kind          eventually: each fair path comes to it at last" in text
    assert "for each      job (any job)" in text
    assert "wherever      True while the broker holds the job's evaluation" in text


def test_a_property_shows_the_sets_that_it_goes_through() -> None:
    made = (
        always("X-1", why="w", job=Core.jobs)(lambda s, job: s.delivered[job] == 0),
        sometimes("X-1", why="w", job=Core.jobs, node=Core.nodes)(lambda s, job, node: s.on[job, node]),
    )
    each, some = (
        unstyle(registry.render_property(registry.Located("core", MODELS["core"], one))) for one in made
    )

    assert "for each      job (any job)" in each
    assert "for some      job (any job), node (any node)" in some


def test_a_rule_says_what_scopes_decide_of_it() -> None:
    rules = registry.list_rules({"kernel": find_model("kernel")})
    [refusal] = registry.find_all(rules, "RejectAllAtOncePipelined")
    [failure] = registry.find_all(rules, "FailAlloc")
    data: Any = registry.rules_data([refusal, failure])["rules"]

    assert "part of       depth, all_at_once\n" in registry.render_rule(refusal)
    assert "spends        reported\n  makes         made\n" in registry.render_rule(failure)
    assert [["depth", "all_at_once"], []] == [one["part_of"] for one in data]
    assert [[], ["reported"]] == [one["spends"] for one in data]


def test_a_rule_says_where_it_counts() -> None:
    [report] = registry.find_all(registry.list_rules({"kernel": find_model("kernel")}), "ReportHealth")
    text = " ".join(unstyle(registry.render_rule(report)).split())

    assert "makes deployment_changes_made where is_corrected (True while the health of an allocation" in text


def test_the_id_of_a_specified_rule_finds_what_formalises_it() -> None:
    found = registry.find_all(registry.list_properties(MODELS), "BROKER-22")

    assert "no_token_is_shared" in {located.entry.name for located in found}


def test_the_nearest_names_are_suggested() -> None:
    with pytest.raises(UnknownNameError, match="did you mean Dequeue"):
        registry.refuse("rule", "Dequue", ["Dequeue"], "properties", [])


def test_data_says_the_same() -> None:
    rules: Any = registry.rules_data(registry.list_rules(MODELS))["rules"]
    properties: Any = registry.properties_data(registry.list_properties(MODELS))

    assert sum(len(model.rules) for model in MODELS.values()) == len(rules)
    assert {"kind": "weak", "each": ["worker"]} == next(r for r in rules if r["name"] == "Ack")["fairness"]
    assert ["queued_workers_wait"] == [p["name"] for p in properties if p["is_lemma"]][1:2]


def test_lists_have_a_line_for_each() -> None:
    assert "Dequeue" in registry.render_rules(registry.list_rules(MODELS))
    assert "always, lemma" in registry.render_properties(registry.list_properties(MODELS))


def test_fairness_in_words() -> None:
    assert "none: it need never happen" == registry.describe_fairness(None)
    assert "weak: once it is possible for ever, it happens" == registry.describe_fairness(weak())
    assert "strong: once it is again and again possible, it happens, for each a and b" == (
        registry.describe_fairness(strong("a", "b"))
    )


def test_domains_in_words() -> None:
    core = MODELS["core"]
    schedule = core.find_rule("Schedule")

    assert "flag" == registry.describe_domain(FLAG)
    assert "for each placement node or NONE" == registry.describe_domain(dict(schedule.arguments)["to"])


def test_a_place_below_is_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert "a/b.py:3" == registry.locate(str(tmp_path / "a" / "b.py"), 3)
    assert "/else/b.py:3" == registry.locate("/else/b.py", 3)


@pytest.mark.parametrize(
    ("wanted", "rule"),
    [
        ("nack timeout", "ExpireDelivery"),
        ("system gc", "EnqueueCoreEval"),
        ("failed-follow-up", "ReapFailed"),
        ("queued-allocs", "Block"),
        ("max-plan-attempts", "UseUpAttempts"),
        ("max-disconnect-timeout", "ExpireDisconnectedNode"),
        ("node-drain", "DrainNode"),
        ("node-update", "LoseNode"),
        ("preemption", "PlanPreemption"),
        ("job-register", "RegisterAgain"),
        ("job-deregister", "StopJob"),
        ("alloc-stop", "MigrateAlloc"),
        ("alloc-failure", "FailAlloc"),
        ("reconnect", "ReconnectAlloc"),
    ],
)
def test_rules_are_found_by_the_names_of_triggers(wanted: str, rule: str) -> None:
    rules = registry.list_rules({"kernel": find_model("kernel")})

    assert rule in [located.entry.name for located in registry.find_like(rules, wanted)]


def test_what_is_preempted_is_not_all_that_has_a_priority() -> None:
    properties = registry.list_properties({"kernel": find_model("kernel")})
    found = [located.entry.name for located in registry.find_like(properties, "evict")]

    assert "preempted_job_gets_one_eval" in found
    assert "higher_priority_eval_is_dequeued_first" not in found
